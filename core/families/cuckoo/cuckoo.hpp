// cuckoo: a hash table in which a key lies in one of a few buckets, its homes, each by a hash function of its own (after
// BGHT's bucketed cuckoo hash table). Where all homes are full an entry there moves to another of its own homes. The lanes
// of a lookup read a bucket together, by loads of 16 bytes.
//
//   buckets    | b0              | b1              | b2              | stash           |     of S cells each
//   cells      | 7 0| 23 4|    |    | 8 2| 15 x| 31 5| 6 1|    |   ...   |    |    |        |     key and row id; x: erased; or empty
//                 ^ home 1 of 23           ^ home 0 of 23, full when 23 came
//
//   region     cells
//   entries    AoS: {key, row id}, 8 bytes, or 16 with 64-bit keys; SoA: keys. The buckets, then those of the stash
//   moves      words that keys share by a hash: twice how often one of them was moved, and a bit, their latch
//   counters   two: entries that went into the stash; inserts that found no room
//   row ids    SoA only
//
// Invariants
// - A cell's row id tells its state: not_found is empty, erased_row is erased, claimed_row is about to get an entry, any
//   other is live. Every key value is legal. Empty cells have the greatest key.
// - A bucket fills from its first cell to its last, and a cell that was taken stays taken until the table is built anew.
// - A key lies in a home only if all homes before it are full, and in the stash only if all are. So a search goes from home to
//   home, and ends at its key or at an empty cell, as in open addressing. With placement=lighter or iceberg it lies in another
//   home sooner, and fewer empty cells end a search: by_load.hpp, ends_below().
// - duplicates are not kept: a key has one cell, live or erased. Who takes an empty cell has seen other keys in all before
//   it (evictions.hpp: and no move of its key meanwhile). Who finds all homes full has the key's latch before it makes room.
// - A claimed cell that still has its key is about to lose it: its entry moves. Who searches for that key waits.
//
// Operations
//   find      home by home. At load 0.8 with three homes of 8 cells it reads 1.10 buckets a hit, 1.54 a miss
//   insert    to the key or the first empty cell, and one compare-and-swap. All homes full: evictions.hpp; no way found: into
//             the stash; that full: refused. With another placement: by_load.hpp
//   erase     likewise. The cell stays in use
//   build     empties the cells, then inserts the keys in the order of the input. Inserts that are refused: all again with another
//             seed of the hash functions, and after some of these with more buckets
//   clean-up  before a batch of inserts that would fill the table beyond its load, where an eighth of the cells is erased: the live
//             entries go into a new table. Inserts that were refused: with another seed
//   growth    where inserts found no room: into a table of twice the buckets, or as many as they need
// There are no ranges and no successors, because there is no order.
#pragma once

#include "core/families/cuckoo/by_load.hpp"
#include "core/index/insert_passes.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct cuckoo : cuckoo_by_load, insert_passes<cuckoo, cuckoo_cells> {
  using config = cuckoo_config;
  struct by_group {};  // a group's lookups are one wave (simt/wave.hpp)
  static constexpr region_id entries = cuckoo_region::entries;

  PIVOTSCOPE_FN static constexpr u32 lanes(const cuckoo_config& c) { return c.lanes; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const cuckoo_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    if constexpr (Wave::memory_type::others_write) {
      return find_beside_writers(config, wave, view);
    } else {
      return find_home_by_home(config, wave, view);
    }
  }

  // --- Writing ---

  PIVOTSCOPE_FN static constexpr cuckoo_config for_writes(cuckoo_config c) {
    c.lanes = fewest_lanes(c.bucket);
    return c;
  }
  // Where an operation on `key` begins: in its first home.
  template <class Key>
  PIVOTSCOPE_FN static u32 begins_at(const state_view& view, Key key) {
    return home_of(key, 0, view.as<cuckoo_view>());
  }
  // Tells what it reads there.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void will_begin(Config config, Memory& memory, u32 bucket) {
    cuckoo_cells::will_write<Key>(config, memory, bucket);
  }

  // Gives `key` the row id. Returns full, and changes no entry, if there is no room for it.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                         u32 row) {
    const cuckoo_view& table = view.as<cuckoo_view>();
    if (!evicts(config.value)) return insert_by_load(config, lanes, memory, table, key, row);
    const u32 homes = config.value.homes, word = moves_of(key, table);
    bool latched = false;
    u32 times = 0;
    for (;;) {
      const found_place at = seek<true>(config, lanes, memory, table, key, row, word);
      const bool absent = at.home >= homes && (at.cell == nowhere || at.row == not_found);
      if ((absent || at.row == not_found) && !none_moved_since(lanes, memory, word, at)) continue;
      write_done done = write_done::not_done;
      if (absent) {
        if (!latched) {
          // In a round of this loop: another group of a GPU's warp may have the latch, and wait for this one at the loop's end.
          latched = try_latch(lanes, memory, word);
          if (!latched) memory.pause(64);
          continue;
        }
        done = insert_by_eviction(config, lanes, memory, table, key, row, times++);
        if (done == write_done::full) done = insert_into_stash(config, lanes, memory, table, key, row);
      } else if (lanes.once([&] { return put(config, memory, at, key, row); })) {
        done = at.row == not_found    ? write_done::added
               : at.row == erased_row ? write_done::revived
                                      : write_done::replaced;
      }
      if (done == write_done::not_done) continue;
      if (latched) unlatch(lanes, memory, word);
      return done;
    }
  }

  // Removes `key`. Returns absent if it is not there.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key) {
    const cuckoo_view& table = view.as<cuckoo_view>();
    const u32 word = moves_of(key, table);
    for (;;) {
      const found_place at = find_place(config, lanes, memory, table, key, word);
      if (at.cell == nowhere || at.row == not_found) {
        if (none_moved_since(lanes, memory, word, at)) return write_done::absent;
        continue;
      }
      if (at.row == erased_row) {
        if (lanes.once([&] { return cuckoo_cells::still(config, memory, at.cell, key, at.row); }))
          return write_done::absent;
        continue;
      }
      const bool done =
          lanes.once([&] { return cuckoo_cells::replace_row(config, memory, at.cell, key, at.row, erased_row); });
      if (done) return write_done::erased;
    }
  }

  // --- Passes of the build, of the clean-up and of growth; those that insert are inherited ---
  struct empty_cells {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const auto& table = view.as<cuckoo_view>();
      if (i < (u64{table.buckets} + config.value.stash) * config.value.bucket)
        cuckoo_cells::put(config, view, i, greatest_key<Key>(), not_found);
      if (i < table.moves) view.store(cuckoo_region::moves, i, u32{0});
      if (i < cuckoo_counters) view.store(cuckoo_region::counters, i, u32{0});
    }
  };

 private:
  // Where a search ends: a cell that is empty or has the key, and the row id that was seen in it; or nowhere, when all homes are
  // full of other keys. `moves`: what the key's word said before.
  struct found_place {
    u64 cell;
    u32 row, home, moves;
  };
  // A lookup that goes on beyond its first home.
  struct further {
    u32 bucket, home, row;
  };

  // The bucket that comes after the first ones: another home, or the stash's.
  template <class Config, class Key>
  PIVOTSCOPE_FN static u32 bucket_of(Config config, Key key, u32 home, const cuckoo_view& table) {
    return home < config.value.homes ? home_of(key, home, table) : stash_of(key, config.value.stash, table);
  }

  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find_home_by_home(Config config, Wave& wave, const state_view& view) {
    using Key = typename Wave::key;
    const cuckoo_view& table = view.as<cuckoo_view>();
    auto& memory = wave.memory;
    auto rows = wave.to_keep(not_found);
    auto goes_on = wave.unmarked();
    const u32 buckets = config.value.homes + (table.stashed > 0 ? 1 : 0);
    const auto first = wave.of_keys([&](Key key) { return home_of(key, 0, table); });
    wave.fetch([&](u32 i, u32 lane) { return cuckoo_cells::load<Key>(config, memory, first[i], lane, true); },
               [&](u32 i, auto&& at) {
                 memory.step(0);
                 const u32 seen = look_through(config, wave.lanes, memory, first[i], 0, wave.keys[i], true, at);
                 memory.watch("wave.keys[i]", wave.keys[i], "first[i]", first[i], "table.buckets", table.buckets,
                              "seen", watched_row{seen});
                 wave.mark(goes_on, i, (buckets > 1) & (seen == on_to_the_next));
                 wave.keep(rows, i, is_live_row(seen) ? seen : not_found);
               });
    wave.again(
        goes_on,
        [&](u32, Key key) {
          const u32 second = bucket_of(config, key, 1, table);
          cuckoo_cells::will_read<Key>(config, memory, second);
          return further{second, 1, not_found};
        },
        [&](Key key, further& here, bool live) {
          if (live) memory.step(0);
          const auto load = [&](u32 lane) { return cuckoo_cells::load<Key>(config, memory, here.bucket, lane, live); };
          const u32 seen = look_through(config, wave.lanes, memory, here.bucket, here.home, key, live, load);
          if (live)
            memory.watch("key", key, "here.bucket", here.bucket, "here.home", here.home, "seen", watched_row{seen});
          here.row = is_live_row(seen) ? seen : not_found;
          if (!live || seen != on_to_the_next || ++here.home >= buckets) return false;
          here.bucket = bucket_of(config, key, here.home, table);
          cuckoo_cells::will_read<Key>(config, memory, here.bucket);
          return true;
        },
        [&](u32 i, const further& here) { rows[i] = here.row; });
    return rows;
  }

  // A wave of one.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find_beside_writers(Config config, Wave& wave, const state_view& view) {
    const cuckoo_view& table = view.as<cuckoo_view>();
    auto& memory = wave.memory;
    auto rows = wave.all(not_found);
    const auto key = wave.keys[0];
    const u32 word = moves_of(key, table);
    for (;;) {
      const found_place at = find_place(config, wave.lanes, memory, table, key, word);
      if (at.cell == nowhere || at.row == not_found) {
        if (none_moved_since(wave.lanes, memory, word, at)) return rows;
        continue;
      }
      if (!wave.lanes.once([&] { return cuckoo_cells::still(config, memory, at.cell, key, at.row); })) continue;
      if (is_live_row(at.row)) rows[0] = at.row;
      return rows;
    }
  }

  // at(lane): the lane's share of the bucket.
  template <class Config, class Lanes, class Memory, class Key, class At>
  PIVOTSCOPE_FN static u32 look_through(Config config, Lanes& lanes, Memory& memory, u32 bucket, u32 home, Key key,
                                        bool live, At&& at) {
    const u32 end = ends_below(config.value, home);
    const bool any_ends = end == config.value.bucket;
    return lanes.min([&](u32 lane) {
      u32 seen = on_to_the_next;
      if (!live) return seen;
      // What is no such key may be an empty cell that does not end the search.
      if (cuckoo_cells::row_at_end(config, memory, bucket, lane, key, seen) && (any_ends || seen != no_such_key))
        return seen;
      seen = on_to_the_next;
      const auto got = at(lane);
      const u32 each = cells_a_lane(config.value);
      const u64 first = first_cell(config, bucket) + lane * each;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        memory.saw(entries, first + i, got.keys[i]);
        if (any_ends)
          seen = least(seen, cuckoo_cells::row_or_end(config, memory, first + i, got.keys[i], got.rows[i], key));
        else
          seen = least(seen, cuckoo_cells::row_or_on(config, memory, first + i, got.keys[i], got.rows[i], key,
                                                     lane * each + i < end));
      }
      memory.watch_lane(lane, "seen", watched_row{seen});
      return seen;
    });
  }

  // Where a find or an erase ends. Where entries do not move, one that ends at no cell has no reason to ask whether its key did.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static found_place find_place(Config config, Lanes& lanes, Memory& memory, const cuckoo_view& table,
                                              Key key, u32 word, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    if (evicts(config.value)) return seek<false>(config, lanes, memory, table, key, not_found, word);
    const homes_seen seen = look_at_homes<false>(config, lanes, memory, table, key, not_found);
    return {seen.cell, seen.row, 0, 0};
  }
  // Beside writers: goes from home to home, and waits where the key's entry moves; for an insert (`Inserts`) where any may come.
  template <bool Inserts, class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static found_place seek(Config config, Lanes& lanes, Memory& memory, const cuckoo_view& table, Key key,
                                        u32 row, u32 word, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    const u32 homes = config.value.homes;
    u32 moves = 0;
    for (u32 home = 0; home <= homes; ++home) {
      if (home == homes && !has_stashed(config, lanes, memory)) break;
      memory.step(0);
      if (Inserts) memory.hold("entry", key, row);
      if (home == 0) moves = moves_so_far(lanes, memory, word);
      const u32 bucket = bucket_of(config, key, home, table);
      for (;;) {
        const end_of_node end = cuckoo_cells::look<Inserts>(config, lanes, memory, bucket, key);
        memory.watch("key", key, "bucket", bucket, "home", home, "table.buckets", table.buckets);
        if (end.cell == no_cell) break;
        if (end.row == claimed_row) continue;
        return {first_cell(config, bucket) + end.cell, end.row, home, moves};
      }
    }
    return {nowhere, not_found, homes, moves};
  }
  // Where the first home has an empty cell, nothing was ever moved out of it, nor does the key lie in another.
  template <class Lanes, class Memory>
  PIVOTSCOPE_FN static bool none_moved_since(Lanes& lanes, Memory& memory, u32 word, const found_place& at,
                                             typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    return at.home == 0 || none_moved(lanes, memory, word, at.moves);
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool put(Config config, Memory& memory, const found_place& at, Key key, u32 row,
                                typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    if (at.row == not_found) return cuckoo_cells::claim(config, memory, at.cell, not_found, key, row);
    if (at.row == erased_row) return cuckoo_cells::revive(config, memory, at.cell, key, row);
    return cuckoo_cells::give_row(config, memory, at.cell, key, at.row, row);
  }
};

}  // namespace pivotscope
