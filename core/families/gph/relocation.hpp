// How the entries of a cell move when it gets another value: under the latches of the buckets to which they go.
#pragma once

#include "core/families/gph/bucket_latches.hpp"
#include "core/families/gph/own_entries.hpp"
#include "core/index/move_words.hpp"

namespace pivotscope {

// What a step towards room comes to.
enum class refined : u32 { goes_on, done, refused };

// Fresh: the table is being built, and nothing has been erased.
enum class gph_state : u8 { in_use, fresh };

struct gph_relocation : move_words<gph_region::moves> {
 protected:
  using slots = gph_slots;

  // Takes the latches, looks once more, and moves the entries, each lane its own (`own`: own_entries of each lane). Returns goes_on
  // if they fit no more; then nothing has changed.
  template <gph_state State, class Key, class Config, class Lanes, class Memory, class Own>
  PIVOTSCOPE_FN static refined relocate(Config config, Lanes& lanes, Memory& memory, const gph_view& table,
                                        const cell_now& now, u32 word, u32 age, Own& own, tried_value& to,
                                        typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    to.buckets = cell_buckets::of(now.cell, to.mapping, config.value.virtuals, table);
    return bucket_latches::with(lanes, memory, table, to.buckets.at, config.value.virtuals, age, [&] {
      const u32 spilled = left_over<Key>(config, lanes, memory, now, own, to);
      if (spilled > 0 && to.mapping != spilled_mapping(config.value)) return refined::goes_on;
      if (!lanes.once([&] { return take_from_spill(config, memory, table, spilled); })) return refined::refused;
      move_all<State, Key>(config, lanes, memory, table, now, word, own, to, spilled);
      return refined::done;
    });
  }

  // --- The spill, by one lane ---

  // Takes slots of the spill for so many entries. Returns false if there are no more. Of eight and more slots some stay empty, so
  // that searches end soon; in a smaller spill that is full they go through all of it.
  template <class Config, class Memory>
  PIVOTSCOPE_FN static bool take_from_spill(Config config, Memory& memory, const gph_view& table, u32 entries,
                                            typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (entries == 0) return true;
    const u32 all = table.spill * config.value.bucket;
    const u32 was = memory.template fetch_add<u32>(gph_region::counters, counter_spilled, sizeof(u32), 0, entries);
    if (was + entries <= all - all / 8) return true;
    memory.template fetch_add<u32>(gph_region::counters, counter_spilled, sizeof(u32), 0, 0u - entries);
    memory.template fetch_add<u32>(gph_region::counters, counter_refused, sizeof(u32), 0, entries);
    return false;
  }
  PIVOTSCOPE_FN static constexpr u32 next_of_spill(u32 bucket, const gph_view& table) {
    return bucket + 1 < table.buckets + table.spill ? bucket + 1 : table.buckets;
  }
  // Under the cell's latch, so nobody else brings this key; and there is a slot for it.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void put_into_spill(Config config, Memory& memory, const gph_view& table, Key key, u32 row,
                                           typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    for (u32 bucket = spill_of(place_of(key, table).own, table);; bucket = next_of_spill(bucket, table)) {
      for (u32 i = 0; i < config.value.bucket; ++i) {
        const u64 slot = first_cell(config, bucket) + i;
        if (slots::now_in<Key>(config, memory, slot).row == not_found &&
            slots::claim(config, memory, slot, not_found, key, row))
          return;
      }
    }
  }

 private:
  // Finds where each entry goes. Returns how many find no slot there.
  template <class Key, class Config, class Lanes, class Memory, class Own>
  PIVOTSCOPE_FN static u32 left_over(Config config, Lanes& lanes, Memory& memory, const cell_now& now, Own& own,
                                     const tried_value& to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    place_counts come, room;
    come.bytes = lanes.sum([&](u32 lane) {
      place_counts mine;
      auto& list = own[lane];
      for (u32 i = 0; i < list.count; ++i) {
        const u32 v = virtual_of(list.owns[i], to.mapping, virtuals);
        u32 p = (v + to.offset) & (virtuals - 1);
        if (to.mapping == spilled_mapping(config.value)) p = to.buckets.first(p);  // of others no two are one bucket
        const bool stays = !list.is_new(i) && now.buckets.at[list.place(i)] == to.buckets.at[p];
        list.to[i] = static_cast<u8>(stays ? list.stays : p);
        if (!stays) mine.add(p);
      }
      return mine.bytes;
    });
    // Slots that are empty or erased, and those that entries leave.
    room.bytes = lanes.sum([&](u32 lane) {
      place_counts mine;
      for (u32 p = lane; p < virtuals; p += lanes.size()) {
        if (to.mapping == spilled_mapping(config.value) && to.buckets.first(p) != p) continue;
        u32 free = 0;
        slots::each_slot<Key>(config, memory, to.buckets.at[p],
                              [&](u32, Key, u32 row) { free += row == not_found || row == erased_row ? 1 : 0; });
        mine.add(p, free);
      }
      const auto& list = own[lane];
      for (u32 i = 0; i < list.count; ++i) {
        if (list.is_new(i) || list.to[i] == list.stays) continue;
        const u32 left = now.buckets.at[list.place(i)];
        to.buckets.sum_where(left, virtuals, [&](u32 p) {
          if (to.buckets.first(p) == p) mine.add(p);
          return 0u;
        });
      }
      return mine.bytes;
    });
    u32 over = 0;
    for (u32 p = 0; p < virtuals; ++p) over += come.of(p) > room.of(p) ? come.of(p) - room.of(p) : 0;
    return over;
  }
  template <gph_state State, class Key, class Config, class Lanes, class Memory, class Own>
  PIVOTSCOPE_FN static void move_all(Config config, Lanes& lanes, Memory& memory, const gph_view& table,
                                     const cell_now& now, u32 word, Own& own, const tried_value& to, u32 reserved,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    // Who misses one of the cell's entries from now on sees the odd count.
    count_move(lanes, memory, word);
    memory.fence();
    u32 emptied = lanes.sum([&](u32 lane) {
      const auto& list = own[lane];
      for (u32 i = 0; i < list.count; ++i) {
        if (list.is_new(i) || list.to[i] == list.stays) continue;
        const u64 slot = first_cell(config, now.buckets.at[list.place(i)]) + list.slot(i);
        slots::take_out(config, memory, slot, list.keys[i], list.rows[i]);
      }
      return empty_erased<State, Key>(config, memory, table, now, lane, lanes.size());
    });
    lanes.once([&] {
      cell_index::change(config, memory, now.cell, now.value, to.mapping * config.value.virtuals + to.offset);
      return true;
    });
    lanes.meet();                        // what one lane emptied, another may fill
    constexpr u32 a_spilled = 1u << 16;  // over_erased counts below it
    const u32 came = lanes.sum([&](u32 lane) {
      const auto& list = own[lane];
      u32 over_erased = 0, spilled = 0;
      for (u32 i = 0; i < list.count; ++i) {
        if (list.to[i] == list.stays) continue;
        const u32 bucket = to.buckets.at[list.to[i]];
        if (put_in<State>(config, memory, bucket, list.keys[i], list.rows[i], lane, over_erased)) continue;
        put_into_spill(config, memory, table, list.keys[i], list.rows[i]);
        ++spilled;
      }
      return over_erased + spilled * a_spilled;
    });
    emptied += came % a_spilled;
    lanes.once([&] {
      if (emptied > 0) memory.template fetch_add<u32>(gph_region::counters, counter_emptied, sizeof(u32), 0, emptied);
      // Others may have left these buckets meanwhile, so that fewer were spilled than there are slots for.
      if (came / a_spilled != reserved)
        memory.template fetch_add<u32>(gph_region::counters, counter_spilled, sizeof(u32), 0,
                                       came / a_spilled - reserved);
      return true;
    });
    count_move(lanes, memory, word);
  }
  // Of two, the first says that the cell's entries begin to move. What any lane stored before is seen before it.
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static void count_move(Lanes& lanes, Memory& memory, u32 word, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    lanes.meet();
    lanes.once([&] {
      memory.fence();
      memory.template fetch_add<u32>(gph_region::moves, word, sizeof(u32), 0, a_move);
      return true;
    });
    lanes.meet();
  }
  // Empties the slots of the cell's erased keys in a lane's buckets: they would lie where their cell no longer leads to. Returns their
  // number.
  template <gph_state State, class Key, class Config, class Memory>
  PIVOTSCOPE_FN static u32 empty_erased(Config config, Memory& memory, const gph_view& table, const cell_now& now,
                                        u32 lane, u32 lanes, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    u32 emptied = 0;
    if (!may_have_erased<State>(config, table)) return emptied;
    for (u32 p = lane; p < config.value.virtuals; p += lanes) {
      if (now.buckets.first(p) != p) continue;
      const u64 first = first_cell(config, now.buckets.at[p]);
      slots::each_slot<Key>(config, memory, now.buckets.at[p], [&](u32 slot, Key its_key, u32 its_row) {
        if (its_row != erased_row || place_of(its_key, table).cell != now.cell) return;
        // Where another entry comes meanwhile, the slot is its own.
        if (!slots::still(config, memory, first + slot, its_key, its_row)) return;
        emptied += slots::take_out(config, memory, first + slot, its_key, its_row) ? 1 : 0;
      });
    }
    return emptied;
  }

 protected:
  // Whether there may be erased slots. In a second phase nothing is erased, so there are those that were counted.
  template <gph_state State, class Config>
  PIVOTSCOPE_FN static bool may_have_erased(Config config, const gph_view& table) {
    if (State == gph_state::fresh) return false;
    return table.used != table.live || config.value.phases == gph_phases::one;
  }
  // By one lane, under the bucket's latch: puts an entry into an empty slot, or over an erased one (`over_erased` counts). Returns false
  // if there is none. Lanes that fill the same bucket each begin at a slot of their own.
  template <gph_state State, class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool put_in(Config config, Memory& memory, u32 bucket, Key key, u32 row, u32 lane,
                                   u32& over_erased, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 own = ~u32{0} << (lane & (config.value.bucket - 1));
    bool done = false;
    for (bool goes_on = true; goes_on;) {
      u32 empty = 0, erased = 0;
      bool claimed = false;  // by another lane; or by one whose erased entry it was, which empties it
      slots::each_slot<Key>(config, memory, bucket, [&](u32 slot, Key, u32 its_row) {
        empty |= its_row == not_found ? 1u << slot : 0;
        if (State == gph_state::in_use) erased |= its_row == erased_row ? 1u << slot : 0;
        claimed |= its_row == claimed_row;
      });
      goes_on = empty != 0 || erased != 0 || claimed;
      while ((empty | erased) != 0 && !done) {
        u32& rooms = empty != 0 ? empty : erased;
        const u32 slot = trailing_zeros((rooms & own) != 0 ? rooms & own : rooms);
        // In this round of the loop: another lane of a GPU's warp may wait for it.
        const u64 cell = first_cell(config, bucket) + slot;
        done = empty != 0 ? slots::claim(config, memory, cell, not_found, key, row)
                          : slots::put_over(config, memory, cell, key, row);
        over_erased += done && empty == 0 ? 1 : 0;
        rooms &= ~(1u << slot);
      }
      goes_on = goes_on && !done;
      if (goes_on) memory.pause(64);
    }
    return done;
  }
};

}  // namespace pivotscope
