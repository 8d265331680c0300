// Memory as sorted entries: a probe of some of them, written once, on top of what all machines' memories can (simt/).
#pragma once

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/lane_run.hpp"
#if !defined(__CUDACC_RTC__)
#include "core/simt/vector_compare.hpp"
#endif

namespace pivotscope {

// What comparing a run of sorted entries with a key tells.
struct probe {
  u32 less;  // entries with a smaller key
  u32 row;   // row id of the first entry with that key, or not_found
};

// An entry as a scan reads it.
template <class Key>
struct scanned_entry {
  Key key;
  u32 row;
};

// Does a node of the given level lie in scratch? Levels below M by the level alone, so that the whole warp agrees; the
// next one by index, where pinning is full.
template <class Config>
PIVOTSCOPE_FN bool is_pinned(Config config, const pin_plan& pin, u32 level, u32 first, u32 node) {
  if (config.value.pin == pin_kind::none) return false;
  if (level < pin.levels) return true;
  return config.value.pin == pin_kind::full && level == pin.levels && first + node <= pin.total;
}

template <class Config, class Key, class Memory>
class sorted_memory {
 public:
  PIVOTSCOPE_FN sorted_memory(Config config, Memory& memory) : config_(config), memory_(memory) {}

  // Each function here is called from a place of its own, for the trace; within it the lines of this file run.
  using place = typename Memory::place;
  PIVOTSCOPE_FN auto called_from(place at) { return memory_.called_from(at); }
  template <class... Values>
  PIVOTSCOPE_FN void watch(Values... named) {
    memory_.watch(named...);
  }
  template <class... Values>
  PIVOTSCOPE_FN void watch_lane(u32 lane, Values... named) {
    memory_.watch_lane(lane, named...);
  }

  PIVOTSCOPE_FN void serve(u32 lookup) { memory_.serve(lookup); }
  PIVOTSCOPE_FN void step(u32 level, place at = {}) { memory_.step(level, at); }
  PIVOTSCOPE_FN void scan_step(u32 level, bool with_warp, place at = {}) { memory_.scan_step(level, with_warp, at); }
  PIVOTSCOPE_FN void will_read(region_id region, u64 first, u32 slots, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    memory_.will_read(region, first, slots,
                      region == ordered_region::pivots ? u32{sizeof(Key)} : entry_bytes(config_.value));
  }

  // Compares a lane's share of a node of entries, sorted among themselves, with `key`. Without `want_row` the row id of
  // an equal one need not be fetched. `lowest`: no lookup that comes here goes on from them.
  PIVOTSCOPE_FN probe probe_entries(u32 first, node_run run, u32 lane, Key key, bool pinned, bool want_row = true,
                                    bool lowest = false, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    const u64 begin = u64{first} + run.offset(lane);
    if (pinned) return with_row(count_pinned(first, run, lane, key), begin, want_row);
    if (config_.value.layout == entry_layout::soa)
      return with_row(count_keys(ordered_region::entries, first, run, lane, key, lowest), begin, want_row);
    compared_keys seen;
    if (memory_.template compare_run<entry_cell<Key>>(ordered_region::entries, first, run, lane, key, seen))
      return with_row(seen, begin, want_row);
    probe result{0, not_found};
    each_entry<entry_cell<Key>>(ordered_region::entries, first, run, lane, lowest,
                                [&](u32 i, const entry_cell<Key>& e) {
                                  memory_.saw(ordered_region::entries, begin + i, e.key);
                                  result.less += e.key < key;
                                  if (e.key == key) result.row = least(result.row, e.row);
                                });
    return result;
  }

  PIVOTSCOPE_FN u32 count_less_pivots(u32 first, node_run run, u32 lane, Key key, bool pinned, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    return (pinned ? count_pinned(first, run, lane, key) : count_keys(ordered_region::pivots, first, run, lane, key))
        .less;
  }

  // Key and row id both, whether the key turns out to be in the range or not: waiting for the key before the row id is
  // asked for takes a scan of two arrays twice as long, and only its last entries are read in vain.
  PIVOTSCOPE_FN scanned_entry<Key> scan_entry(u64 slot, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    if (config_.value.layout == entry_layout::aos) {
      const auto entry = memory_.template load<entry_cell<Key>>(ordered_region::entries, slot);
      memory_.saw(ordered_region::entries, slot, entry.key);
      return {entry.key, entry.row};
    }
    const Key key = memory_.template load<Key>(ordered_region::entries, slot);
    memory_.saw(ordered_region::entries, slot, key);
    return {key, memory_.template load<u32>(ordered_region::rows, slot)};
  }

  PIVOTSCOPE_FN Key entry_key(u32 slot, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    const Key key = memory_.template load_part<Key>(ordered_region::entries, slot, entry_bytes(config_.value), 0);
    memory_.saw(ordered_region::entries, slot, key);
    return key;
  }

  // Pinned key `index` of an order that does not pin slots as they are.
  PIVOTSCOPE_FN Key scratch_key(u32 index, place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    const Key key = memory_.template load_scratch<Key>(index);
    memory_.saw_scratch(index, key);
    return key;
  }

  // A key that is to be pinned.
  PIVOTSCOPE_FN Key pin_key(pinned_slot from) {
    return from.array == ordered_region::pivots
               ? memory_.template load<Key>(ordered_region::pivots, from.slot)
               : memory_.template load_part<Key>(ordered_region::entries, from.slot, entry_bytes(config_.value), 0);
  }

 private:
  template <class Cell, class F>
  PIVOTSCOPE_FN void each_entry(region_id region, u32 first, node_run run, u32 lane, bool lowest, F&& f,
                                place at = {}) {
    [[maybe_unused]] const auto call = memory_.called_from(at);
    if (config_.value.reads == entry_reads::once && lowest) {
      memory_.template each_read<reread::never, Cell>(region, first, run, lane, f);
    } else {
      memory_.template each_of_run<Cell>(region, first, run, lane, f);
    }
  }
  PIVOTSCOPE_FN compared_keys count_keys(region_id region, u32 first, node_run run, u32 lane, Key key,
                                         bool lowest = false) {
    compared_keys seen;
    if (memory_.template compare_run<Key>(region, first, run, lane, key, seen)) return seen;
    const u64 begin = u64{first} + run.offset(lane);
    each_entry<Key>(region, first, run, lane, lowest, [&](u32 i, Key k) {
      memory_.saw(region, begin + i, k);
      seen.less += k < key;
      if (k == key) seen.equal = 1;
    });
    return seen;
  }
  // Slot = index in scratch.
  PIVOTSCOPE_FN compared_keys count_pinned(u32 first, node_run run, u32 lane, Key key) {
    compared_keys seen;
    const u32 begin = first + run.offset(lane);
    memory_.template each_of_scratch<Key>(first, run, lane, [&](u32 i, Key k) {
      memory_.saw_scratch(begin + i, k);
      seen.less += k < key;
      if (k == key) seen.equal = 1;
    });
    return seen;
  }

  // The first equal entry's row id lies behind the smaller ones. Scratch holds keys only: a match in it fetches it.
  PIVOTSCOPE_FN probe with_row(const compared_keys& seen, u64 begin, bool want_row) {
    probe result{seen.less, not_found};
    if (seen.equal == 0 || !want_row) return result;
    const u64 slot = begin + seen.less;
    if (config_.value.layout == entry_layout::soa) {
      result.row = memory_.template load<u32>(ordered_region::rows, slot);
    } else {
      result.row = memory_.template load_part<u32>(ordered_region::entries, slot, sizeof(entry_cell<Key>), sizeof(Key));
    }
    return result;
  }

  Config config_;
  Memory& memory_;
};

}  // namespace pivotscope
