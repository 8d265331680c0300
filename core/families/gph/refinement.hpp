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

#include "core/families/gph/relocation.hpp"

namespace pivotscope {

struct gph_refinement : gph_relocation {
 protected:
  static constexpr u32 index_level = 0, bucket_level = 1;  // steps, where hashing is perfect

  // Makes room for an entry whose bucket is full, and puts it in. The cell's latch is held. Returns false if there was no place for
  // it; then nothing has changed.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static bool refine(Config config, Lanes& lanes, Memory& memory, const gph_view& table, Key key, u32 row,
                                   u32 cell, u32 value, u32 word, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 last = spilled_mapping(config.value), now = parts_of(value, config.value).mapping;
    own_entries<Key> own;  // the first lane's, as what it tries
    refined so_far = lanes.once([&] { return gather(config, memory, table, key, row, cell, now, own); });
    for (u32 tried = 0; so_far == refined::goes_on && tried <= last;) {
      // A value is found first, and then all moves: so the threads of a GPU's warp, which find theirs after a few tries or many, move
      // their entries together.
      tried_value to{.mapping = last};
      for (bool found = false; !found && tried <= last; ++tried) {
        to = {.mapping = tried < last ? (now + tried) % last : last};
        if (!lanes.once([&] { return may_fit(config, table, cell, own, to); })) continue;
        memory.step(bucket_level);
        memory.hold("entry", key, row);
        found = lanes.once([&] { return choose_offset(config, rooms_of(config, memory, own, to), to); });
        memory.watch("key", key, "cell", cell, "to.mapping", to.mapping);
      }
      so_far = lanes.once([&] { return relocate(config, memory, table, cell, word, own, to); });
    }
    return so_far == refined::done;
  }

 private:
  // Lists the cell's entries, which lie in its buckets.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static refined gather(Config config, Memory& memory, const gph_view& table, Key key, u32 row, u32 cell,
                                      u32 mapping, own_entries<Key>& own, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    for (u32 p = 0; p < virtuals; ++p) {
      own.buckets[p] = bucket_at(cell, p, mapping, virtuals, table);
      slots::will_read<Key>(config, memory, own.buckets[p]);
    }
    bool too_many = false;
    for (u32 p = 0; p < virtuals; ++p) {
      if (first_place_of(own.buckets, p) != p) continue;
      slots::each_slot<Key>(config, memory, own.buckets[p], [&](u32 slot, Key its_key, u32 its_row) {
        if (!is_live_row(its_row) || place_of(its_key, table).cell != cell) return;
        too_many = too_many || own.count + 1 >= most_own_keys;
        if (too_many) return;
        own.keys[own.count] = its_key, own.rows[own.count] = its_row;
        own.where[own.count++] = static_cast<u16>(p << 8 | slot);
        own.there.add(p);
      });
    }
    own.keys[own.count] = key, own.rows[own.count++] = row;
    if (!too_many) return refined::goes_on;
    memory.template fetch_add<u32>(gph_region::counters, counter_refused, sizeof(u32), 0, 1u);
    return refined::refused;
  }

  // Finds a mapping's buckets. Without a look at memory: no virtual bucket may have more keys than a bucket has slots, and no two
  // may be one bucket; of the last mapping both may.
  template <class Config, class Key>
  PIVOTSCOPE_FN static bool may_fit(Config config, const gph_view& table, u32 cell, const own_entries<Key>& own,
                                    tried_value& to) {
    const u32 virtuals = config.value.virtuals;
    const bool is_last = to.mapping == spilled_mapping(config.value);
    for (u32 i = 0; i < own.count; ++i)
      to.wanted.add(virtual_of(place_of(own.keys[i], table).own, to.mapping, virtuals));
    const place_counts slots_each{place_counts::all(virtuals, config.value.bucket)};
    if (!is_last && !to.wanted.fit(slots_each, virtuals)) return false;
    for (u32 p = 0; p < virtuals; ++p) {
      to.bucket[p] = bucket_at(cell, p, to.mapping, virtuals, table);
      for (u32 q = 0; q < p; ++q)
        if (!is_last && to.bucket[q] == to.bucket[p]) return false;
    }
    for (u32 old = 0; old < virtuals; ++old) {
      to.of_old[old] = tried_value::none;
      for (u32 p = virtuals; p-- > 0;)
        if (to.bucket[p] == own.buckets[old]) to.of_old[old] = static_cast<u8>(p);
    }
    return true;
  }
  // How many keys of the cell each of the buckets has room for: in empty slots, erased ones, and those of the cell's own keys.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static place_counts rooms_of(Config config, Memory& memory, const own_entries<Key>& own,
                                             const tried_value& to, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    place_counts rooms;
    for (u32 p = 0; p < virtuals; ++p) slots::will_read<Key>(config, memory, to.bucket[p]);
    for (u32 p = 0; p < virtuals; ++p) {
      u32 room = 0;
      slots::each_slot<Key>(config, memory, to.bucket[p], [&](u32 slot, Key its_key, u32 its_row) {
        memory.saw(gph_region::entries, first_cell(config, to.bucket[p]) + slot, its_key);
        room += is_live_row(its_row) ? 0 : 1;
      });
      rooms.add(p, room);
    }
    for (u32 old = 0; old < virtuals; ++old)
      if (to.of_old[old] != tried_value::none) rooms.add(to.of_old[old], own.there.of(old));
    return rooms;
  }
  // Chooses the first offset with which all fit; with the last mapping the one with which fewest do not.
  template <class Config>
  PIVOTSCOPE_FN static bool choose_offset(Config config, place_counts rooms, tried_value& to) {
    const u32 virtuals = config.value.virtuals;
    u32 least_spilled = ~0u;
    for (u32 offset = 0; offset < virtuals; ++offset) {
      const place_counts wanted = to.wanted.moved_by(offset, virtuals);
      if (wanted.fit(rooms, virtuals)) {
        to.offset = offset;
        return true;
      }
      u32 spilled = 0;
      for (u32 p = 0; p < virtuals; ++p) spilled += wanted.of(p) > rooms.of(p) ? wanted.of(p) - rooms.of(p) : 0;
      if (spilled < least_spilled) least_spilled = spilled, to.offset = offset;
    }
    return to.mapping == spilled_mapping(config.value);
  }
};

}  // namespace pivotscope
