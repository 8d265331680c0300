// The slots of a bucket. Those of the buckets that cells lead to may be emptied, so a bucket has gaps: who looks for a key looks at
// all of its slots.
#pragma once

#include "core/families/gph/cell_index.hpp"
#include "core/index/moving_cells.hpp"

namespace pivotscope {

// What a write finds in a bucket, the first of these that is there: the key; a slot that is about to get an entry, which may be
// the key's; the key, erased; an empty slot; nothing.
enum class slot_is : u32 { the_key, claimed, erased, empty, none };
struct slot_found {
  slot_is what;
  u32 slot;  // in the bucket
  u32 row;
};

struct gph_slots : moving_cells<gph_region::entries, gph_region::rows> {
  // As row_cells::load(); with the config's hints for the caches, and by single loads where it asks for them.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static node_share<Key> load_share(Config config, Memory& memory, u32 bucket, u32 lane, bool live,
                                                  typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const bool wide = config.value.requests == gph_requests::wide, once = config.value.reads != gph_reads::cached;
    if (wide && !once) return load<Key>(config, memory, bucket, lane, live);
    node_share<Key> got{};
    if (!live) return got;
    const u64 first = first_cell(config, bucket);
    if (!wide) {
      // Neighbouring lanes load neighbouring slots.
      for (u32 i = 0; i < cells_a_lane(config.value); ++i) {
        const u64 slot = first + slot_of_share(config, lane, i);
        if (config.value.layout == cell_layout::aos) {
          const auto cell = memory.template load<entry_cell<Key>>(entries, slot);
          got.keys[i] = cell.key, got.rows[i] = cell.row;
        } else {
          got.keys[i] = memory.template load<Key>(entries, slot);
        }
      }
      return got;
    }
    const node_run run = share_node(config.value.lanes, node_cells(config.value));
    if (config.value.layout == cell_layout::aos) {
      memory.template each_read<reread::never, entry_cell<Key>>(
          entries, first, run, lane,
          [&](u32 i, const entry_cell<Key>& cell) { got.keys[i] = cell.key, got.rows[i] = cell.row; });
    } else {
      memory.template each_read<reread::never, Key>(entries, first, run, lane,
                                                    [&](u32 i, Key key) { got.keys[i] = key; });
    }
    return got;
  }
  // Which slot of the bucket is number i of a lane's share.
  template <class Config>
  PIVOTSCOPE_FN static u32 slot_of_share(Config config, u32 lane, u32 i) {
    return config.value.requests == gph_requests::wide ? lane * cells_a_lane(config.value) + i
                                                       : i * config.value.lanes + lane;
  }

  // Beside writers: what there is of the key in a bucket.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static slot_found look(Config config, Lanes& lanes, Memory& memory, u32 bucket, Key key,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 each = cells_a_lane(config.value);
    constexpr u32 slots = 256;  // more than a bucket has
    auto row_ids = lanes.each(u32{0});
    const u32 found = lanes.min([&](u32 lane) {
      auto got = load<Key>(config, memory, bucket, lane, true);
      u32 seen = no_cell;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 slot = lane * each + i;
        const u64 cell = first_cell(config, bucket) + slot;
        complete(config, memory, cell, got.keys[i], got.rows[i], key);
        memory.saw(entries, cell, got.keys[i]);
        const u32 row = got.rows[i];
        const bool its_key = got.keys[i] == key;
        if (!its_key && row != not_found && row != claimed_row) continue;
        const slot_is what = row == claimed_row  ? slot_is::claimed
                             : row == not_found  ? slot_is::empty
                             : row == erased_row ? slot_is::erased
                                                 : slot_is::the_key;
        const u32 here = static_cast<u32>(what) * slots + slot;
        if (here < seen) seen = here, row_ids[lane] = row;
      }
      return seen;
    });
    if (found == no_cell) return {slot_is::none, 0, 0};
    const u32 slot = found % slots;
    return {static_cast<slot_is>(found / slots), slot, lanes.told_by(row_ids, slot / each)};
  }

  // One lane, for itself: f(slot, key, row id) of each slot. The bucket's latch is held, or it only guesses.
  template <class Key, class Config, class Memory, class F>
  PIVOTSCOPE_FN static void each_slot(Config config, Memory& memory, u32 bucket, F&& f,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const node_run all = share_node(1, node_cells(config.value));
    const u64 first = first_cell(config, bucket);
    if (config.value.layout == cell_layout::aos) {
      memory.template each_of_run<entry_cell<Key>>(
          entries, first, all, 0, [&](u32 i, const entry_cell<Key>& cell) { f(i, cell.key, cell.row); });
    } else {
      Key keys[most_gph_bucket];
      memory.template each_of_run<Key>(entries, first, all, 0, [&](u32 i, Key key) { keys[i] = key; });
      memory.template each_of_run<u32>(rows, first, all, 0, [&](u32 i, u32 row) { f(i, keys[i], row); });
    }
  }

  // Puts an entry over an erased one, under the bucket's latch. Returns false if that is gone: a cell that moves empties its erased
  // keys' slots.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static bool put_over(Config config, Memory& memory, u64 slot, Key key, u32 row,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const Key erased = now_in<Key>(config, memory, slot).key;
    return replace_cell(config, memory, slot, erased, erased_row, key, row);
  }
  // Empties the slot of an entry, live or erased, under its cell's latch. Returns false if another entry has come over an erased one.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static bool take_out(Config config, Memory& memory, u64 slot, Key key, u32 row,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    return replace_cell(config, memory, slot, key, row, greatest_key<Key>(), not_found);
  }
};

}  // namespace pivotscope
