// What finds an entry beside writers, and how an insert puts one in: in the first phase without latches, in the second under its
// cell's; where its bucket is full by refinement.hpp.
#pragma once

#include "core/families/gph/refinement.hpp"

namespace pivotscope {

struct gph_inserts : gph_refinement {
 protected:
  static constexpr u64 nowhere = ~u64{0};

  // Where a write ends, or waits.
  struct found_place {
    slot_is what;  // none: no slot of the key's is empty
    u64 slot;
    u32 row;
  };

  // Writes latch what they change: in the second phase, or if there is but one.
  PIVOTSCOPE_FN static bool is_latched(const gph_config& c, const gph_view& table) {
    return is_perfect(c) && (table.refines != 0 || c.phases == gph_phases::one);
  }
  PIVOTSCOPE_FN static constexpr u32 level_of_buckets(const gph_config& c) {
    return is_perfect(c) ? bucket_level : index_level;  // without an index the steps are those of buckets alone
  }
  PIVOTSCOPE_FN static u32 moves_of(const key_place& at, const gph_view& table) { return at.cell & (table.moves - 1); }
  template <class Config>
  PIVOTSCOPE_FN static bool is_in_spill(Config config, u64 slot, const gph_view& table) {
    return slot >= first_cell(config, table.buckets);
  }
  PIVOTSCOPE_FN static constexpr u32 next_bucket(u32 bucket, const gph_view& table) {
    return bucket + 1 < table.buckets ? bucket + 1 : 0;
  }

  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void begin_at_index(Config config, Memory& memory, Key key, u32 row,
                                           typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    if (!is_perfect(config.value)) return;
    memory.step(index_level);
    memory.hold("entry", key, row);
  }
  // What the key's cell says.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static u32 value_beside_writers(Config config, Lanes& lanes, Memory& memory, Key key,
                                                const key_place& at, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    if (!is_perfect(config.value)) return 0;
    const u32 value = cell_index::value_now(config, lanes, memory, at.cell);
    memory.watch("key", key, "at.cell", at.cell, "value", value);
    return value;
  }
  // Looks for the key, and for an insert (`Inserts`) for its first empty slot: where an entry may come that is the key's, it waits.
  template <bool Inserts, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static found_place seek(Config config, Lanes& lanes, Memory& memory, const gph_view& table, Key key,
                                        u32 row, const key_place& at, u32 value, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    const bool perfect = is_perfect(config.value);
    const bool spilled = perfect && some_spilled(value, config.value);
    u32 bucket = home_of(at, value, config.value, table);
    u32 left = perfect ? (spilled ? table.spill + 1 : 1) : table.buckets;
    found_place first_empty{slot_is::none, nowhere, not_found};
    for (bool in_spill = false;;) {
      memory.step(level_of_buckets(config.value));
      memory.hold("entry", key, row);
      const slot_found here = gph_slots::look(config, lanes, memory, bucket, key);
      memory.watch("key", key, "bucket", bucket);
      if (Inserts && here.what == slot_is::claimed) continue;
      const u64 slot = first_cell(config, bucket) + here.slot;
      if (here.what == slot_is::the_key || here.what == slot_is::erased) return {here.what, slot, here.row};
      const bool has_end = here.what == slot_is::empty;
      if (here.what == slot_is::empty && first_empty.slot == nowhere) first_empty = {slot_is::empty, slot, not_found};
      // In the spill, or without an index, who comes to an empty slot has passed all where the key may be.
      if ((has_end && (in_spill || !perfect)) || --left == 0) return first_empty;
      if (perfect)
        bucket = in_spill ? next_of_spill(bucket, table) : spill_of(at.own, table), in_spill = true;
      else
        bucket = next_bucket(bucket, table);
    }
  }

  // Gives what was found the entry. Returns false if it has changed meanwhile.
  template <gph_state State, class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool put_found(Config config, Memory& memory, const found_place& found, Key key, u32 row,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (found.what == slot_is::empty) return gph_slots::claim(config, memory, found.slot, not_found, key, row);
    if (State == gph_state::in_use && found.what == slot_is::erased)
      return gph_slots::revive(config, memory, found.slot, key, row);
    return gph_slots::give_row(config, memory, found.slot, key, found.row, row);
  }
  PIVOTSCOPE_FN static write_done done_at(slot_is what) {
    return what == slot_is::empty    ? write_done::added
           : what == slot_is::erased ? write_done::revived
                                     : write_done::replaced;
  }

  // First phase, and without an index: nothing moves.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_free(Config config, Lanes& lanes, Memory& memory, const gph_view& table,
                                              Key key, u32 row, const key_place& at, u32 value,
                                              typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    bool has_room = false;  // a slot of the spill
    for (;;) {
      const found_place found = seek<true>(config, lanes, memory, table, key, row, at, value);
      if (found.what == slot_is::none && !is_perfect(config.value))
        lanes.once([&] {
          memory.template fetch_add<u32>(gph_region::counters, counter_refused, sizeof(u32), 0, 1u);
          return true;
        });
      const bool spills = found.what == slot_is::empty && is_in_spill(config, found.slot, table);
      if (spills && !has_room) has_room = lanes.once([&] { return take_from_spill(config, memory, table, 1); });
      if (found.what == slot_is::none || (spills && !has_room)) return write_done::full;
      if (!lanes.once([&] { return put_found<gph_state::in_use>(config, memory, found, key, row); })) continue;
      if (has_room && !spills) lanes.once([&] { return give_back_to_spill(memory); });
      return done_at(found.what);
    }
  }
  template <class Memory>
  PIVOTSCOPE_FN static bool give_back_to_spill(Memory& memory, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.template fetch_add<u32>(gph_region::counters, counter_spilled, sizeof(u32), 0, ~0u);
    return true;
  }

  // Second phase: under the cell's latch, and to fill a slot under its bucket's.
  template <gph_state State, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_latched(Config config, Lanes& lanes, Memory& memory, const gph_view& table,
                                                 Key key, u32 row, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    const key_place at = place_of(key, table);
    begin_at_index(config, memory, key, row);
    return with_latch(lanes, memory, moves_of(at, table), [&] {
      const u32 value = value_beside_writers(config, lanes, memory, key, at);
      const write_done done = insert_under_latch<State>(config, lanes, memory, table, key, row, at, value);
      if (done != write_done::full || some_spilled(value, config.value)) return done;
      const bool refined = refine<State>(config, lanes, memory, table, key, row, at.cell, value, moves_of(at, table));
      return refined ? write_done::added : write_done::full;
    });
  }
  // Where the cell's value is. Returns full, if there is no room.
  template <gph_state State, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_under_latch(Config config, Lanes& lanes, Memory& memory, const gph_view& table,
                                                     Key key, u32 row, const key_place& at, u32 value,
                                                     typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    const u32 home = home_of(at, value, config.value, table);
    const auto with_home = [&](auto&& f) {
      return bucket_latches::with(lanes, memory, table, &home, 1, row, [&] { return lanes.once(f); });
    };
    for (;;) {
      const found_place found = seek<true>(config, lanes, memory, table, key, row, at, value);
      const bool is_there = found.what == slot_is::the_key || found.what == slot_is::erased;
      if (is_there || (found.what == slot_is::empty && !is_in_spill(config, found.slot, table))) {
        if (with_home([&] { return put_found<State>(config, memory, found, key, row); })) return done_at(found.what);
        continue;
      }
      // The key is nowhere, and its bucket has no empty slot. Some erased entry's is room as well.
      if (may_have_erased<State>(config, table) &&
          with_home([&] { return put_over_erased(config, memory, home, key, row); }))
        return write_done::added;
      if (!some_spilled(value, config.value) || !lanes.once([&] { return take_from_spill(config, memory, table, 1); }))
        return write_done::full;
      lanes.once([&] {
        put_into_spill(config, memory, table, key, row);
        return true;
      });
      return write_done::added;
    }
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool put_over_erased(Config config, Memory& memory, u32 bucket, Key key, u32 row,
                                            typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    u32 over_erased = 0;
    if (!put_in<gph_state::in_use>(config, memory, bucket, key, row, 0, over_erased)) return false;
    if (over_erased > 0)
      memory.template fetch_add<u32>(gph_region::counters, counter_emptied, sizeof(u32), 0, over_erased);
    return true;
  }
};

}  // namespace pivotscope
