// How the entries of a cell move when it gets another value: under the latches of the buckets to which they go. By one lane.
#pragma once

#include "core/families/gph/bucket_latches.hpp"
#include "core/families/gph/own_entries.hpp"
#include "core/index/move_words.hpp"

namespace pivotscope {

// What a step towards room comes to.
enum class refined : u32 { goes_on, done, refused };

struct gph_relocation : move_words<gph_region::moves> {
 protected:
  using slots = gph_slots;

  // Takes the latches, looks once more, and moves the entries. Returns goes_on if they fit no more; then nothing has changed.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static refined relocate(Config config, Memory& memory, const gph_view& table, u32 cell, u32 word,
                                        own_entries<Key>& own, tried_value& to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    bucket_latches::take(memory, table, to.bucket, virtuals, own.age());
    refined done = refined::done;
    const u32 spilled = left_over(config, memory, table, own, to);
    if (spilled > 0 && to.mapping != spilled_mapping(config.value))
      done = refined::goes_on;
    else if (!take_from_spill(config, memory, table, spilled))
      done = refined::refused;
    else
      move_all(config, memory, table, cell, word, own, to);
    bucket_latches::let_go(memory, table, to.bucket, virtuals, own.age());
    return done;
  }

  // --- The spill, by one lane ---

  // Takes slots of the spill for so many entries. Returns false if there are no more; it is never filled, so that searches end.
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
  // Finds where each entry goes, and the free slots there. Returns how many entries find none.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static u32 left_over(Config config, Memory& memory, const gph_view& table, own_entries<Key>& own,
                                     tried_value& to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    for (u32 p = 0; p < virtuals; ++p) {
      u32 free = 0;
      if (first_place_of(to.bucket, p) == p)
        slots::each_slot<Key>(config, memory, to.bucket[p], [&](u32 slot, Key, u32 row) {
          if (row == not_found || row == erased_row) free |= 1u << slot;
        });
      to.free[p] = free, to.left[p] = 0;
    }
    place_counts come;
    for (u32 i = 0; i < own.count; ++i) {
      const u32 v = virtual_of(place_of(own.keys[i], table).own, to.mapping, virtuals);
      const u32 p = first_place_of(to.bucket, (v + to.offset) & (virtuals - 1));
      const u32 was = i < own.old() ? to.of_old[own.place(i)] : tried_value::none;
      const bool stays = was == p;
      own.to[i] = static_cast<u8>(stays ? own.stays : p);
      if (stays) continue;
      come.add(p);
      if (was != tried_value::none) to.free[was] |= 1u << own.slot(i), to.left[was] |= 1u << own.slot(i);
    }
    u32 over = 0;
    for (u32 p = 0; p < virtuals; ++p) {
      u32 free = 0;
      for (u32 bits = to.free[p]; bits != 0; bits &= bits - 1) ++free;
      over += come.of(p) > free ? come.of(p) - free : 0;
    }
    return over;
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void move_all(Config config, Memory& memory, const gph_view& table, u32 cell, u32 word,
                                     const own_entries<Key>& own, tried_value& to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const auto slot_of = [&](u32 i) { return first_cell(config, own.buckets[own.place(i)]) + own.slot(i); };
    // They leave. Who misses one of them from now on sees the odd count.
    memory.template fetch_add<u32>(gph_region::moves, word, sizeof(u32), 0, a_move);
    memory.fence();
    for (u32 i = 0; i < own.old(); ++i)
      if (own.to[i] != own.stays) slots::freeze(config, memory, slot_of(i), own.keys[i], own.rows[i]);
    u32 emptied = empty_erased(config, memory, table, cell, own);
    cell_index::change(config, memory, cell, to.mapping * config.value.virtuals + to.offset);
    // And come.
    for (u32 i = 0; i < own.count; ++i) {
      const u32 p = own.to[i];
      if (p == own.stays) continue;
      if (to.free[p] == 0) {
        put_into_spill(config, memory, table, own.keys[i], own.rows[i]);
        continue;
      }
      const u32 bit = to.free[p] & (~to.free[p] + 1);
      const u64 slot = first_cell(config, to.bucket[p]) + trailing_zeros(bit);
      to.free[p] &= ~bit;
      if ((to.left[p] & bit) == 0) {
        u32 had = claimed_row;
        while (had == claimed_row) had = slots::template claim_room<Key>(config, memory, slot);
        if (had == erased_row) ++emptied;
      }
      to.left[p] &= ~bit;
      slots::store(config, memory, slot, own.keys[i], own.rows[i]);
    }
    // Where no other has come.
    for (u32 i = 0; i < own.old(); ++i) {
      if (own.to[i] == own.stays) continue;
      const u32 p = to.of_old[own.place(i)];
      if (p == tried_value::none || (to.left[p] >> own.slot(i) & 1) != 0)
        slots::template empty_claimed<Key>(config, memory, slot_of(i));
    }
    if (emptied > 0) memory.template fetch_add<u32>(gph_region::counters, counter_emptied, sizeof(u32), 0, emptied);
    memory.fence();
    memory.template fetch_add<u32>(gph_region::moves, word, sizeof(u32), 0, a_move);
  }
  // Empties the slots of the cell's erased keys, which would lie where their cell no longer leads to. Returns their number.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static u32 empty_erased(Config config, Memory& memory, const gph_view& table, u32 cell,
                                        const own_entries<Key>& own, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    u32 emptied = 0;
    // In a second phase nothing is erased, so there are those that were counted.
    if (table.used == table.live && config.value.phases == gph_phases::two) return emptied;
    for (u32 p = 0; p < config.value.virtuals; ++p) {
      if (first_place_of(own.buckets, p) != p) continue;
      slots::each_slot<Key>(config, memory, own.buckets[p], [&](u32 slot, Key its_key, u32 its_row) {
        if (its_row != erased_row || place_of(its_key, table).cell != cell) return;
        const u64 there = first_cell(config, own.buckets[p]) + slot;
        if (!slots::freeze(config, memory, there, its_key, its_row)) return;  // another entry comes there
        slots::template empty_claimed<Key>(config, memory, there);
        ++emptied;
      });
    }
    return emptied;
  }
};

}  // namespace pivotscope
