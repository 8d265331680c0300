// How an insert makes room in its bucket: it gives its cell of the index another value, so that the cell's keys go to other buckets
// (the paper's Extended Move, Section 6).
//
//   cell {mapping 0, offset 1}: key 69 belongs to bucket 3, which is full
//
//   its buckets    3: 7 25 69!   5: 1        6: 48 4        other cells' keys fill the rest
//   offset 2       3: 1          5: 48 4 .   6: 7 25 69!    does not fit: 6 has room for two
//   mapping 1      2: 1 69       4: 25 48    9: 7 4         fits: they move, and the cell says so
//
// - The cell's latch is held from begin to end (move_words). So its keys stay where they are, and values are tried by reads alone.
// - Once one seems to fit, the latches of its buckets are taken (bucket_latches), and it is looked at again. Then the entries leave
//   their slots, which are claimed, and when all have, each is stored in its new one. Meanwhile the cell's word says so by an odd
//   count: who searches for one of its keys and finds nothing looks again.
// - Slots that are left need no latch: who fills a bucket counts on empty and erased slots alone, and never on fewer later.
// - Where no value has room for all, the cell gets the last mapping, which says that some of its keys are in the spill.
#pragma once

#include "core/families/gph/bucket_latches.hpp"
#include "core/families/gph/slots.hpp"
#include "core/index/move_words.hpp"

namespace pivotscope {

inline constexpr u32 most_own_keys = 96;  // of a cell that moves; on average it has `per_cell`

// The entries of a cell, the last of which is about to come in: in a thread's own memory.
template <class Key>
struct own_entries {
  Key keys[most_own_keys];
  u32 rows[most_own_keys];
  u16 where[most_own_keys];  // the place of its bucket, and 16 bits behind it the slot there
  u32 count = 0;
  u32 buckets[most_virtuals] = {};  // as the cell's value is
};

// A number of 8 bits for each of a cell's R places.
struct place_counts {
  u64 bytes = 0;
  PIVOTSCOPE_FN static constexpr u64 all(u32 virtuals, u64 byte) {
    return byte * (virtuals == 8 ? 0x0101010101010101ull : (u64{1} << (8 * virtuals)) / 255);
  }
  PIVOTSCOPE_FN constexpr void add(u32 place, u32 n = 1) { bytes += u64{n} << (8 * place); }
  PIVOTSCOPE_FN constexpr u32 of(u32 place) const { return static_cast<u32>(bytes >> (8 * place)) & 255; }
  // Whether none is more than its fellow in `most`, where all of these are below 128.
  PIVOTSCOPE_FN constexpr bool fit(place_counts most, u32 virtuals) const {
    const u64 high = all(virtuals, 128);
    return (((most.bytes | high) - bytes) & high) == high;
  }
  // Those of the virtual buckets, by the places to which an offset puts them.
  PIVOTSCOPE_FN constexpr place_counts moved_by(u32 offset, u32 virtuals) const {
    if (offset == 0) return *this;
    const u32 bits = 8 * virtuals;
    const u64 mask = virtuals == 8 ? ~u64{0} : (u64{1} << bits) - 1;
    return {((bytes << (8 * offset)) | (bytes >> (bits - 8 * offset))) & mask};
  }
};

// What a step of it comes to.
enum class refined : u32 { goes_on, done, refused };

struct gph_refinement : move_words<gph_region::moves> {
 protected:
  using slots = gph_slots;
  static constexpr u32 index_level = 0, bucket_level = 1;  // steps, where hashing is perfect

  // Makes room for an entry whose bucket is full, and puts it in. The cell's latch is held. Returns false if there was no place for
  // it; then nothing has changed.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static bool refine(Config config, Lanes& lanes, Memory& memory, const gph_view& table, Key key, u32 row,
                                   u32 cell, u32 value, u32 word, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 last = spilled_mapping(config.value), now = parts_of(value, config.value).mapping;
    own_entries<Key> own;  // the first lane's
    refined so_far = lanes.once([&] { return gather(config, memory, table, key, row, cell, now, own); });
    for (u32 tried = 0; so_far == refined::goes_on && tried < last; ++tried) {
      const u32 mapping = (now + tried) % last;
      if (!lanes.once([&] { return may_fit(config, table, cell, mapping, own); })) continue;
      memory.step(bucket_level);
      memory.hold("entry", key, row);
      so_far = lanes.once([&] {
        const place_counts rooms = rooms_of<Key>(config, memory, table, cell, mapping);
        const u32 offset = offset_that_fits(config, table, mapping, own, rooms);
        if (offset == no_offset) return refined::goes_on;
        return move(config, memory, table, cell, mapping, offset, word, own);
      });
      memory.watch("key", key, "cell", cell, "mapping", mapping);
    }
    if (so_far == refined::goes_on) {
      memory.step(bucket_level);
      memory.hold("entry", key, row);
      so_far = lanes.once([&] {
        const place_counts rooms = rooms_of<Key>(config, memory, table, cell, last);
        const u32 offset = offset_that_spills_least(config, table, last, own, rooms);
        return move(config, memory, table, cell, last, offset, word, own);
      });
      memory.watch("key", key, "cell", cell, "mapping", last);
    }
    return so_far == refined::done;
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
  static constexpr u32 no_offset = ~0u;

  // Lists the cell's entries, which lie in its buckets.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static refined gather(Config config, Memory& memory, const gph_view& table, Key key, u32 row, u32 cell,
                                      u32 mapping, own_entries<Key>& own, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    for (u32 p = 0; p < virtuals; ++p) own.buckets[p] = bucket_at(cell, p, mapping, virtuals, table);
    bool too_many = false;
    for (u32 p = 0; p < virtuals; ++p) {
      if (first_place_of(own.buckets, p) != p) continue;
      slots::each_slot<Key>(config, memory, own.buckets[p], [&](u32 slot, Key its_key, u32 its_row) {
        if (!is_live_row(its_row) || place_of(its_key, table).cell != cell) return;
        too_many = too_many || own.count + 1 >= most_own_keys;
        if (too_many) return;
        own.keys[own.count] = its_key, own.rows[own.count] = its_row;
        own.where[own.count++] = static_cast<u16>(p << 8 | slot);
      });
    }
    own.keys[own.count] = key, own.rows[own.count++] = row;
    if (!too_many) return refined::goes_on;
    memory.template fetch_add<u32>(gph_region::counters, counter_refused, sizeof(u32), 0, 1u);
    return refined::refused;
  }
  // The first place that has the same bucket.
  PIVOTSCOPE_FN static u32 first_place_of(const u32 (&buckets)[most_virtuals], u32 place) {
    u32 first = 0;
    while (buckets[first] != buckets[place]) ++first;
    return first;
  }

  // Without a look at memory: no virtual bucket has more keys than a bucket has slots, and no two are one bucket.
  template <class Config, class Key>
  PIVOTSCOPE_FN static bool may_fit(Config config, const gph_view& table, u32 cell, u32 mapping,
                                    const own_entries<Key>& own) {
    const u32 virtuals = config.value.virtuals;
    const place_counts slots_each{place_counts::all(virtuals, config.value.bucket)};
    if (!counts_of(config, table, mapping, own).fit(slots_each, virtuals)) return false;
    u32 buckets[most_virtuals];
    for (u32 p = 0; p < virtuals; ++p) {
      buckets[p] = bucket_at(cell, p, mapping, virtuals, table);
      for (u32 q = 0; q < p; ++q)
        if (buckets[q] == buckets[p]) return false;
    }
    return true;
  }
  // How many of the cell's keys each virtual bucket has.
  template <class Config, class Key>
  PIVOTSCOPE_FN static place_counts counts_of(Config config, const gph_view& table, u32 mapping,
                                              const own_entries<Key>& own) {
    place_counts counts;
    for (u32 i = 0; i < own.count; ++i)
      counts.add(virtual_of(place_of(own.keys[i], table).own, mapping, config.value.virtuals));
    return counts;
  }
  // How many keys of the cell each of its buckets has room for: in empty slots, erased ones, and those of the cell's own keys.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static place_counts rooms_of(Config config, Memory& memory, const gph_view& table, u32 cell,
                                             u32 mapping, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    place_counts rooms;
    for (u32 p = 0; p < config.value.virtuals; ++p) {
      const u32 bucket = bucket_at(cell, p, mapping, config.value.virtuals, table);
      slots::each_slot<Key>(config, memory, bucket, [&](u32 slot, Key its_key, u32 its_row) {
        memory.saw(gph_region::entries, first_cell(config, bucket) + slot, its_key);
        if (!is_live_row(its_row) || place_of(its_key, table).cell == cell) rooms.add(p);
      });
    }
    return rooms;
  }
  template <class Config, class Key>
  PIVOTSCOPE_FN static u32 offset_that_fits(Config config, const gph_view& table, u32 mapping,
                                            const own_entries<Key>& own, place_counts rooms) {
    const u32 virtuals = config.value.virtuals;
    const place_counts counts = counts_of(config, table, mapping, own);
    for (u32 offset = 0; offset < virtuals; ++offset)
      if (counts.moved_by(offset, virtuals).fit(rooms, virtuals)) return offset;
    return no_offset;
  }
  template <class Config, class Key>
  PIVOTSCOPE_FN static u32 offset_that_spills_least(Config config, const gph_view& table, u32 mapping,
                                                    const own_entries<Key>& own, place_counts rooms) {
    const u32 virtuals = config.value.virtuals;
    const place_counts counts = counts_of(config, table, mapping, own);
    u32 best = 0, least_spilled = ~0u;
    for (u32 offset = 0; offset < virtuals; ++offset) {
      const place_counts wanted = counts.moved_by(offset, virtuals);
      u32 spilled = 0;
      for (u32 p = 0; p < virtuals; ++p) spilled += wanted.of(p) > rooms.of(p) ? wanted.of(p) - rooms.of(p) : 0;
      if (spilled < least_spilled) least_spilled = spilled, best = offset;
    }
    return best;
  }

  // --- What moves ---

  // The buckets to which a cell's entries go. Of places that are one bucket the first one's slots count.
  struct new_buckets {
    u32 bucket[most_virtuals];
    u32 free[most_virtuals];  // a bit for each slot that may be taken
    u32 left[most_virtuals];  // and of these for each that an entry of the cell leaves
  };

  // Takes the latches of the buckets of a value, looks once more, and moves the cell's entries there. Returns goes_on if they fit
  // no more; then nothing has changed.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static refined move(Config config, Memory& memory, const gph_view& table, u32 cell, u32 mapping,
                                    u32 offset, u32 word, const own_entries<Key>& own, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals, age = own.rows[own.count - 1];
    new_buckets to{};
    for (u32 p = 0; p < virtuals; ++p) to.bucket[p] = bucket_at(cell, p, mapping, virtuals, table);
    bucket_latches::take(memory, table, to.bucket, virtuals, age);
    refined done = refined::done;
    const u32 spilled = left_over(config, memory, table, cell, mapping, offset, own, to);
    if (spilled > 0 && mapping != spilled_mapping(config.value))
      done = refined::goes_on;
    else if (!take_from_spill(config, memory, table, spilled))
      done = refined::refused;
    else
      move_all(config, memory, table, cell, mapping, offset, word, own, to);
    bucket_latches::let_go(memory, table, to.bucket, virtuals, age);
    return done;
  }
  // Where an entry goes: the first place with that bucket.
  template <class Key>
  PIVOTSCOPE_FN static u32 place_for(const gph_view& table, Key key, u32 mapping, u32 offset, u32 virtuals,
                                     const new_buckets& to) {
    return first_place_of(to.bucket,
                          (virtual_of(place_of(key, table).own, mapping, virtuals) + offset) & (virtuals - 1));
  }
  template <class Key>
  PIVOTSCOPE_FN static bool stays(const own_entries<Key>& own, u32 i, u32 bucket) {
    return i + 1 < own.count && own.buckets[own.where[i] >> 8] == bucket;
  }
  // Finds the free slots. Returns how many entries find none.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static u32 left_over(Config config, Memory& memory, const gph_view& table, u32 cell, u32 mapping,
                                     u32 offset, const own_entries<Key>& own, new_buckets& to,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    place_counts come, free;
    for (u32 p = 0; p < virtuals; ++p) {
      to.free[p] = to.left[p] = 0;
      if (first_place_of(to.bucket, p) != p) continue;
      slots::each_slot<Key>(config, memory, to.bucket[p], [&](u32 slot, Key its_key, u32 its_row) {
        const bool leaves = is_live_row(its_row) && place_of(its_key, table).cell == cell &&
                            place_for(table, its_key, mapping, offset, virtuals, to) != p;
        if (!leaves && its_row != not_found && its_row != erased_row) return;
        to.free[p] |= 1u << slot, free.add(p);
        if (leaves) to.left[p] |= 1u << slot;
      });
    }
    for (u32 i = 0; i < own.count; ++i) {
      const u32 p = place_for(table, own.keys[i], mapping, offset, virtuals, to);
      if (!stays(own, i, to.bucket[p])) come.add(p);
    }
    u32 over = 0;
    for (u32 p = 0; p < virtuals; ++p) over += come.of(p) > free.of(p) ? come.of(p) - free.of(p) : 0;
    return over;
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void move_all(Config config, Memory& memory, const gph_view& table, u32 cell, u32 mapping,
                                     u32 offset, u32 word, const own_entries<Key>& own, new_buckets& to,
                                     typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals, old = own.count - 1;
    u32 emptied = 0;
    // They leave. Who misses one of them from now on sees the odd count.
    memory.template fetch_add<u32>(gph_region::moves, word, sizeof(u32), 0, a_move);
    memory.fence();
    for (u32 i = 0; i < old; ++i)
      if (leaves(config, table, mapping, offset, own, i, to))
        slots::freeze(config, memory, slot_of(config, own, i), own.keys[i], own.rows[i]);
    // An erased key of the cell would lie where its cell no longer leads to.
    for (u32 p = 0; p < virtuals; ++p) {
      if (first_place_of(own.buckets, p) != p) continue;
      slots::each_slot<Key>(config, memory, own.buckets[p], [&](u32 slot, Key its_key, u32 its_row) {
        if (its_row != erased_row || place_of(its_key, table).cell != cell) return;
        const u64 there = first_cell(config, own.buckets[p]) + slot;
        if (!slots::freeze(config, memory, there, its_key, its_row)) return;  // another entry comes there
        slots::template empty_claimed<Key>(config, memory, there);
        ++emptied;
      });
    }
    cell_index::change(config, memory, cell, mapping * virtuals + offset);
    // And come.
    for (u32 i = 0; i < own.count; ++i) {
      const u32 p = place_for(table, own.keys[i], mapping, offset, virtuals, to);
      if (stays(own, i, to.bucket[p])) continue;
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
    for (u32 i = 0; i < old; ++i) {
      if (!leaves(config, table, mapping, offset, own, i, to) || !is_left(own, i, to, virtuals)) continue;
      slots::template empty_claimed<Key>(config, memory, slot_of(config, own, i));
    }
    if (emptied > 0) memory.template fetch_add<u32>(gph_region::counters, counter_emptied, sizeof(u32), 0, emptied);
    memory.fence();
    memory.template fetch_add<u32>(gph_region::moves, word, sizeof(u32), 0, a_move);
  }
  template <class Config, class Key>
  PIVOTSCOPE_FN static u64 slot_of(Config config, const own_entries<Key>& own, u32 i) {
    return first_cell(config, own.buckets[own.where[i] >> 8]) + (own.where[i] & 255);
  }
  template <class Config, class Key>
  PIVOTSCOPE_FN static bool leaves(Config config, const gph_view& table, u32 mapping, u32 offset,
                                   const own_entries<Key>& own, u32 i, const new_buckets& to) {
    return !stays(own, i, to.bucket[place_for(table, own.keys[i], mapping, offset, config.value.virtuals, to)]);
  }
  // Whether no entry has come into the slot that entry i has left.
  template <class Key>
  PIVOTSCOPE_FN static bool is_left(const own_entries<Key>& own, u32 i, const new_buckets& to, u32 virtuals) {
    const u32 bucket = own.buckets[own.where[i] >> 8];
    for (u32 p = 0; p < virtuals; ++p)
      if (to.bucket[p] == bucket && first_place_of(to.bucket, p) == p)
        return (to.left[p] >> (own.where[i] & 255) & 1) != 0;
    return true;
  }
};

}  // namespace pivotscope
