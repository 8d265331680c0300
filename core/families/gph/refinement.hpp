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
  template <gph_state State, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static bool refine(Config config, Lanes& lanes, Memory& memory, const gph_view& table, Key key, u32 row,
                                   u32 cell, u32 value, u32 word, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals, last = spilled_mapping(config.value);
    const u32 mapping = parts_of(value, config.value).mapping;
    cell_now now{cell, value, cell_buckets::of(cell, mapping, virtuals, table), {}};
    auto own = lanes.each(own_entries<Key, own_capacity<Config>::entries>{});
    if (!gather(config, lanes, memory, table, key, row, now, own)) return false;
    refined so_far = refined::goes_on;
    u32 tried =
        now.there.total(virtuals) < virtuals * config.value.bucket ? 0 : last;  // or more than any value has room for
    while (so_far == refined::goes_on && tried <= last) {
      // Groups of a warp try more or fewer. They move entries when all have found a value: else each would move by itself, while the
      // others wait.
      tried_value to;
      bool fits = false;
      for (; !fits && tried <= last; ++tried) {
        to = tried_value{.mapping = tried < last ? (mapping + tried) % last : last};
        if (!may_fit(config, lanes, table, now, own, to)) continue;
        memory.step(bucket_level);
        memory.hold("entry", key, row);
        const place_counts rooms = rooms_of<Key>(config, lanes, memory, table, now, to);
        fits = choose_offset(config, lanes, rooms, to);
        memory.watch("key", key, "cell", cell, "to.mapping", to.mapping, "to.offset", to.offset);
      }
      if (fits) so_far = relocate<State, Key>(config, lanes, memory, table, now, word, row, own, to);
    }
    return so_far == refined::done;
  }

 private:
  template <class Config>
  PIVOTSCOPE_FN static u32 bucket_of(Config config, const gph_view& table, const cell_now& now, const tried_value& to,
                                     u32 place) {
    return bucket_at(now.cell, place, to.mapping, config.value.virtuals, table);
  }
  // Lists the cell's entries, which lie in its buckets. Returns false, if they are too many.
  template <class Config, class Lanes, class Memory, class Key, class Own>
  PIVOTSCOPE_FN static bool gather(Config config, Lanes& lanes, Memory& memory, const gph_view& table, Key key, u32 row,
                                   cell_now& now, Own& own, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    // All at once, as a lane has several.
    for (u32 p = 0; p < virtuals; ++p) slots::will_read<Key>(config, memory, now.buckets.at[p]);
    now.there.bytes = lanes.sum([&](u32 lane) {
      place_counts mine;
      for (u32 p = lane; p < virtuals; p += lanes.size()) {
        if (now.buckets.first(p) != p) continue;
        slots::each_slot<Key>(config, memory, now.buckets.at[p], [&](u32 slot, Key its_key, u32 its_row) {
          if (!is_live_row(its_row)) return;
          const key_place its_place = place_of(its_key, table);
          if (its_place.cell != now.cell) return;
          // Of two words that are no entry, as others fill the bucket: the cell's own stay as they are.
          if (!slots::still(config, memory, first_cell(config, now.buckets.at[p]) + slot, its_key, its_row)) return;
          own[lane].add(its_key, its_row, its_place.own, p << 8 | slot), mine.add(p);
        });
      }
      if (lane == 0) own[lane].add(key, row, place_of(key, table).own, own[lane].comes);
      return mine.bytes;
    });
    const bool too_many = lanes.sum([&](u32 lane) { return own[lane].too_many ? 1u : 0u; }) > 0;
    if (!too_many) return true;
    lanes.once([&] {
      memory.template fetch_add<u32>(gph_region::counters, counter_refused, sizeof(u32), 0, 1u);
      return true;
    });
    return false;
  }

  // Finds a mapping's buckets. Without a look at memory: no virtual bucket may have more keys than a bucket has slots, and no two
  // may be one bucket; of the last mapping both may.
  template <class Config, class Lanes, class Own>
  PIVOTSCOPE_FN static bool may_fit(Config config, Lanes& lanes, const gph_view& table, const cell_now& now, Own& own,
                                    tried_value& to) {
    const u32 virtuals = config.value.virtuals;
    const bool is_last = to.mapping == spilled_mapping(config.value);
    to.wanted.bytes = lanes.sum([&](u32 lane) {
      place_counts mine;
      for (u32 i = 0; i < own[lane].count; ++i) mine.add(virtual_of(own[lane].owns[i], to.mapping, virtuals));
      return mine.bytes;
    });
    const place_counts slots_each{place_counts::all(virtuals, config.value.bucket)};
    if (!is_last && !to.wanted.fit(slots_each, virtuals)) return false;
    return is_last || cell_buckets::of(now.cell, to.mapping, virtuals, table).all_differ(virtuals);
  }
  // How many keys of the cell each of the buckets has room for: in empty slots, erased ones, and those of the cell's own keys.
  template <class Key, class Config, class Lanes, class Memory>
  PIVOTSCOPE_FN static place_counts rooms_of(Config config, Lanes& lanes, Memory& memory, const gph_view& table,
                                             const cell_now& now, const tried_value& to,
                                             typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    const u32 virtuals = config.value.virtuals;
    for (u32 p = 0; p < virtuals; ++p) slots::will_read<Key>(config, memory, bucket_of(config, table, now, to, p));
    place_counts rooms;
    rooms.bytes = lanes.sum([&](u32 lane) {
      place_counts mine;
      for (u32 p = lane; p < virtuals; p += lanes.size()) {
        const u32 bucket = bucket_of(config, table, now, to, p);
        u32 room = now.buckets.sum_where(bucket, virtuals, [&](u32 old) { return now.there.of(old); });
        slots::each_slot<Key>(config, memory, bucket, [&](u32 slot, Key its_key, u32 its_row) {
          memory.saw(gph_region::entries, first_cell(config, bucket) + slot, its_key);
          room += is_live_row(its_row) ? 0 : 1;
        });
        mine.add(p, room);
      }
      return mine.bytes;
    });
    return rooms;
  }
  // Chooses the first offset with which all fit; with the last mapping the one with which fewest do not.
  template <class Config, class Lanes>
  PIVOTSCOPE_FN static bool choose_offset(Config config, Lanes& lanes, place_counts rooms, tried_value& to) {
    const u32 virtuals = config.value.virtuals;
    to.offset = lanes.min([&](u32 lane) {
      for (u32 offset = lane; offset < virtuals; offset += lanes.size())
        if (to.wanted.moved_by(offset, virtuals).fit(rooms, virtuals)) return offset;
      return virtuals;
    });
    if (to.offset < virtuals) return true;
    if (to.mapping != spilled_mapping(config.value)) return false;
    u32 least_spilled = ~0u;
    for (u32 offset = 0; offset < virtuals; ++offset) {
      const place_counts wanted = to.wanted.moved_by(offset, virtuals);
      u32 spilled = 0;
      for (u32 p = 0; p < virtuals; ++p) spilled += wanted.of(p) > rooms.of(p) ? wanted.of(p) - rooms.of(p) : 0;
      if (spilled < least_spilled) least_spilled = spilled, to.offset = offset;
    }
    return true;
  }
};

}  // namespace pivotscope
