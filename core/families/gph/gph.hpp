// gph: a hash table in which every lookup reads one bucket (the paper gph). A small index says by a few bits for each cell,
// which a dozen keys share, into which buckets they go; where one is full, an insert gives the cell another value, and its keys
// move.
//
//   cell index | 0 3 | 0 0 | 7 1 | 0 0 | ...   mapping and offset; 8 or 16 bits, in a cache or a block's scratch    cell_index.hpp
//                  |     \_____
//                  v           v
//   buckets    | 7 3 . . | 25 . . . | 4 8 9 . | ...  | spill ... |    M slots each: key and row id
//
//   region     cells
//   entries    AoS: {key, row id}, 8 bytes, or 16 with 64-bit keys; SoA: keys. The buckets, then those of the spill
//   cells      words of the cell index, 4 or 2 cells each
//   moves      words that cells share by their numbers: twice how often a cell's keys began or ceased to move; and a bit, their latch
//   latches    words that buckets share: the row id of the insert that has the latch, or not_found    bucket_latches.hpp
//   counters   three: slots of the spill that are taken; inserts that found no room; erased slots that were emptied
//   row ids    SoA only
//
// Invariants
// - A slot's row id tells its state: not_found is empty, erased_row is erased, claimed_row is about to get an entry or to lose its
//   own, any other is live. Every key value is legal. Empty slots have the greatest key.
// - A key, live or erased, has one slot: in the bucket to which its cell's value leads; or, if that has the last mapping, in the spill.
// - In the first phase of a batch nothing moves, no cell changes and no slot is emptied: who takes a bucket's first empty slot has
//   seen other keys in all slots that are taken. An insert whose bucket is full is refused.
// - In the second phase, writes have their cell's latch, and whoever fills a slot its bucket's.
// - The spill fills as an open-addressed table; nothing leaves it.
//
// Operations
//   find      one cell of the index, one bucket. If some keys of its cell were spilled, and it is not there: buckets of the spill
//   insert    first phase: to the key or the first empty slot, by one compare-and-swap. Second: refinement.hpp
//   erase     its slot stays its own, until its bucket's room is needed in a second phase
//   build     empties all, inserts the keys in their order (first phase), then those that were refused (second). If the spill is too
//             small: all again with a larger one
//   clean-up, growth   the live entries go into a new table
// `hashing=in_turn` is for comparison: no index; a full bucket's keys go into the next ones. There are no ranges and no successors.
#pragma once

#include "core/families/gph/refinement.hpp"
#include "core/simt/tile_pass.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct gph : gph_refinement {
  using config = gph_config;
  struct by_group {};  // a group's lookups are one wave (simt/wave.hpp)
  static constexpr region_id entries = gph_region::entries;

  PIVOTSCOPE_FN static constexpr u32 lanes(const gph_config& c) { return c.lanes; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const gph_config& c) { return c.scratch; }
  PIVOTSCOPE_FN static u32 pinned_keys(const state_view& view) { return view.as<gph_view>().pinned; }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static u32 pinned_key(Config, Memory& memory, const state_view&, u32 i) {
    return memory.template load<u32>(gph_region::cells, i);
  }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    if constexpr (Wave::memory_type::others_write) {
      return find_beside_writers(config, wave, view);
    } else {
      return find_one_bucket(config, wave, view);
    }
  }

  // --- Writing ---

  PIVOTSCOPE_FN static constexpr gph_config for_writes(gph_config c) {
    c.lanes = fewest_lanes(c.bucket), c.requests = gph_requests::wide;
    return c.phases == gph_phases::one ? for_refinement(c) : c;
  }

  // A lane for each bucket of a cell: they are looked at together, and entries move together.
  PIVOTSCOPE_FN static constexpr gph_config for_refinement(gph_config c) {
    c.lanes = least(c.virtuals, c.bucket);
    return c;
  }

  // Gives `key` the row id. Returns full, and changes no entry, if there is no room for it, or none in the first phase.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                         u32 row) {
    const gph_view& table = view.as<gph_view>();
    if (is_latched(config.value, table)) return insert_latched(config, lanes, memory, table, key, row);
    const key_place at = place_of(key, table);
    begin_at_index(config, memory, key, row);
    const u32 value = value_beside_writers(config, lanes, memory, key, at);
    return insert_free(config, lanes, memory, table, key, row, at, value);
  }

  // From now on refused inserts go once more, in their second phase. Returns false if they are in it already, or there is none.
  PIVOTSCOPE_FN static bool begin_second_phase(const gph_config& c, gph_view& table) {
    if (!is_perfect(c) || is_latched(c, table)) return false;
    table.refines = 1;
    return true;
  }
  // The same, for a trace.
  static bool once_more(const gph_config& c, state_view& view) {
    return begin_second_phase(c, *reinterpret_cast<gph_view*>(view.state));
  }

  // Removes `key`. Returns absent if it is not there.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key) {
    const gph_view& table = view.as<gph_view>();
    const key_place at = place_of(key, table);
    begin_at_index(config, memory, key, not_found);
    const auto erase_it = [&] {
      for (;;) {
        const u32 value = value_beside_writers(config, lanes, memory, key, at);
        const found_place found = seek<false>(config, lanes, memory, table, key, not_found, at, value);
        if (found.what != slot_is::the_key) return write_done::absent;
        const bool done =
            lanes.once([&] { return gph_slots::replace_row(config, memory, found.slot, key, found.row, erased_row); });
        if (done) return write_done::erased;
      }
    };
    return is_latched(config.value, table) ? with_latch(lanes, memory, moves_of(at, table), erase_it) : erase_it();
  }
  // Where an operation on `key` begins: at its cell of the index.
  template <class Key>
  PIVOTSCOPE_FN static u32 begins_at(const state_view& view, Key key) {
    return place_of(key, view.as<gph_view>()).cell;
  }
  // Tells what it reads there.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void will_begin(Config config, Memory& memory, u32 cell) {
    cell_index::will_read(config, memory, cell);
  }

  // --- Passes of the build, of the clean-up and of growth ---
  struct empty_table {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const auto& table = view.as<gph_view>();
      if (i < (u64{table.buckets} + table.spill) * config.value.bucket)
        gph_slots::put(config, view, i, greatest_key<Key>(), not_found);
      if (i < table.words) view.store(gph_region::cells, i, u32{0});
      if (i < table.moves) view.store(gph_region::moves, i, u32{0});
      if (i < table.latches) view.store(gph_region::latches, i, not_found);
      if (i < gph_counters) view.store(gph_region::counters, i, u32{0});
    }
  };
  // First phase: the keys, and which were refused.
  struct insert_keys {
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      return note(lanes, view, i, insert_first(config, lanes, memory, view, view.template key<Key>(i), view.row(i)));
    }
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static void will(Config config, Memory& memory, const build_view& view, u64 i) {
      will_insert(config, memory, view, view.template key<Key>(i));
    }
  };
  // The same of a table that was there: slot i, if it is live.
  struct insert_live {
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      const entry_cell<Key> cell = gph_slots::entry_before<Key>(config, view, i);
      const bool is_live = is_live_row(cell.row);
      return note(lanes, view, i,
                  is_live ? insert_first(config, lanes, memory, view, cell.key, cell.row) : write_done::absent);
    }
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static void will(Config config, Memory& memory, const build_view& view, u64 i) {
      const entry_cell<Key> cell = gph_slots::entry_before<Key>(config, view, i);
      if (is_live_row(cell.row)) will_insert(config, memory, view, cell.key);
    }
  };
  // Between them: lists those that were refused, so that neighbouring threads have one each. A tile of items.
  struct list_refused {
    static constexpr u32 thread_items = 16;
    template <class Key>
    struct scratch {};
    template <class Key, class Config, class Tile>
    PIVOTSCOPE_FN static void make(Config, Tile& tile, scratch<Key>&, const build_view& view, u64 number) {
      const u64 first = number * thread_items * tile_threads, items = view.as<gph_view>().items;
      auto refused = tile.all(0u);  // a bit an item
      auto places = tile.all(0u);
      tile.each([&](u32 thread) {
        const u64 from = first + thread * thread_items;
        if (from >= items) return;
        const four_of<u32> marks = view.template array<four_of<u32>>(refused_keys)[from / thread_items];
        u32 bits = 0, count = 0;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < thread_items; ++i) {
          const bool is = (marks[i / 4] >> (8 * (i % 4)) & 1) != 0 && from + i < items;
          bits |= u32{is} << i, count += is;
        }
        refused[thread] = bits, places[thread] = count;
      });
      const u64 begin = tile.places(places, unknown_place);
      tile.each([&](u32 thread) {
        u64 place = begin + places[thread];
        for (u32 bits = refused[thread]; bits != 0; bits &= bits - 1)
          view.template array<u32>(refused_list)[place++] =
              static_cast<u32>(first + thread * thread_items + trailing_zeros(bits));
      });
    }
  };
  // Second phase: those that were refused.
  struct refine_keys {
    PIVOTSCOPE_FN static constexpr gph_config knobs(const gph_config& c) { return for_refinement(c); }
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      const u32 item = view.template array<u32>(refused_list)[i];
      return insert_latched(config, lanes, memory, view.as<gph_view>(), view.template key<Key>(item), view.row(item)) ==
             write_done::added;
    }
  };
  struct refine_live {
    PIVOTSCOPE_FN static constexpr gph_config knobs(const gph_config& c) { return for_refinement(c); }
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      const u32 item = view.template array<u32>(refused_list)[i];
      const entry_cell<Key> cell = gph_slots::entry_before<Key>(config, view, item);
      return insert_latched(config, lanes, memory, view.as<gph_view>(), cell.key, cell.row) == write_done::added;
    }
  };

  // Of the inserts that a build refuses: a mark of one byte each; and the list of them.
  static constexpr array_id refused_keys{2}, refused_list{3};

 private:
  static constexpr u64 nowhere = ~u64{0};

  // Where a write ends, or waits.
  struct found_place {
    slot_is what;  // none: no slot of the key's is empty
    u64 slot;
    u32 row;
  };
  // A lookup that goes on beyond its bucket, into so many others at most.
  struct further {
    u32 bucket, left, row;
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

  template <class Lanes>
  PIVOTSCOPE_FN static bool note(Lanes& lanes, const build_view& view, u64 i, write_done done) {
    if (lanes.leads()) view.template array<u8>(refused_keys)[i] = done == write_done::full ? 1 : 0;
    return done == write_done::added;
  }
  // While a table is built all cells are 0 in the first phase.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_first(Config config, Lanes& lanes, Memory& memory, const build_view& view,
                                               Key key, u32 row) {
    const auto& table = view.as<gph_view>();
    return insert_free(config, lanes, memory, table, key, row, place_of(key, table), 0);
  }
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static void will_insert(Config config, Memory& memory, const build_view& view, Key key) {
    const auto& table = view.as<gph_view>();
    gph_slots::will_write<Key>(config, memory, home_of(place_of(key, table), 0, config.value, table));
  }

  // --- Reading while nobody writes ---

  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find_one_bucket(Config config, Wave& wave, const state_view& view) {
    using Key = typename Wave::key;
    const gph_view& table = view.as<gph_view>();
    auto& memory = wave.memory;
    const bool perfect = is_perfect(config.value);
    auto rows = wave.to_keep(not_found);
    auto goes_on = wave.unmarked();
    wave.of_owners([&](u32, Key key) {
      if (perfect) cell_index::will_read(config, memory, place_of(key, table).cell);
      return 0u;
    });
    struct home {
      u32 bucket, spilled;
    };
    const auto homes = wave.of_owners([&](u32, Key key) {
      const key_place at = place_of(key, table);
      u32 value = 0;
      if (perfect) {
        memory.step(index_level);
        value = cell_index::value_of(config, memory, at.cell, table);
        memory.watch("key", key, "at.cell", at.cell, "value", value);
      }
      const u32 bucket = home_of(at, value, config.value, table);
      gph_slots::will_read<Key>(config, memory, bucket);
      return home{bucket, some_spilled(value, config.value) ? 1u : 0u};
    });
    const auto buckets = wave.told_by(homes, [](const home& h) { return h.bucket; });
    wave.fetch([&](u32 i, u32 lane) { return gph_slots::load_share<Key>(config, memory, buckets[i], lane, true); },
               [&](u32 i, auto&& at) {
                 memory.step(level_of_buckets(config.value));
                 const u32 seen = look_through(config, wave.lanes, memory, buckets[i], wave.keys[i], true, at);
                 memory.watch("wave.keys[i]", wave.keys[i], "buckets[i]", buckets[i], "seen", watched_row{seen});
                 const bool more = perfect ? homes[i].spilled != 0 && !is_live_row(seen)
                                           : table.buckets > 1 && seen == on_to_the_next;
                 wave.mark(goes_on, i, more);
                 wave.keep(rows, i, is_live_row(seen) ? seen : not_found);
               });
    wave.again(
        goes_on,
        [&](u32, Key key) {
          const key_place at = place_of(key, table);
          const u32 next = perfect ? spill_of(at.own, table) : next_bucket(home_of(at, 0, config.value, table), table);
          gph_slots::will_read<Key>(config, memory, next);
          return further{next, perfect ? table.spill : table.buckets - 1, not_found};
        },
        [&](Key key, further& here, bool live) {
          if (live) memory.step(level_of_buckets(config.value));
          const auto load = [&](u32 lane) {
            return gph_slots::load_share<Key>(config, memory, here.bucket, lane, live);
          };
          const u32 seen = look_through(config, wave.lanes, memory, here.bucket, key, live, load);
          if (live) memory.watch("key", key, "here.bucket", here.bucket, "seen", watched_row{seen});
          here.row = is_live_row(seen) ? seen : not_found;
          if (!live || seen != on_to_the_next || --here.left == 0) return false;
          here.bucket = perfect ? next_of_spill(here.bucket, table) : next_bucket(here.bucket, table);
          gph_slots::will_read<Key>(config, memory, here.bucket);
          return true;
        },
        [&](u32 i, const further& here) { rows[i] = here.row; });
    return rows;
  }
  PIVOTSCOPE_FN static constexpr u32 next_bucket(u32 bucket, const gph_view& table) {
    return bucket + 1 < table.buckets ? bucket + 1 : 0;
  }

  // at(lane): the lane's share of the bucket. Returns a live row id; or no_such_key, if an empty slot or the key's erased entry was
  // met and the key not; else on_to_the_next.
  template <class Config, class Lanes, class Memory, class Key, class At>
  PIVOTSCOPE_FN static u32 look_through(Config config, Lanes& lanes, Memory& memory, u32 bucket, Key key, bool live,
                                        At&& at) {
    return lanes.min([&](u32 lane) {
      u32 seen = on_to_the_next;
      if (!live) return seen;
      const auto got = at(lane);
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < cells_a_lane(config.value); ++i) {
        const u64 slot = first_cell(config, bucket) + gph_slots::slot_of_share(config, lane, i);
        memory.saw(entries, slot, got.keys[i]);
        seen = least(seen, gph_slots::row_or_end(config, memory, slot, got.keys[i], got.rows[i], key));
      }
      memory.watch_lane(lane, "seen", watched_row{seen});
      return seen;
    });
  }

  // --- Beside writers ---

  // A wave of one.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find_beside_writers(Config config, Wave& wave, const state_view& view) {
    const gph_view& table = view.as<gph_view>();
    auto& memory = wave.memory;
    auto rows = wave.all(not_found);
    const auto key = wave.keys[0];
    const key_place at = place_of(key, table);
    const u32 word = moves_of(at, table);
    for (;;) {
      begin_at_index(config, memory, key, not_found);
      const u32 moves = is_perfect(config.value) ? moves_so_far(wave.lanes, memory, word) : 0;
      const u32 value = value_beside_writers(config, wave.lanes, memory, key, at);
      const found_place found = seek<false>(config, wave.lanes, memory, table, key, not_found, at, value);
      if (found.what != slot_is::the_key) {
        if (!is_perfect(config.value)) return rows;
        if ((moves & a_move) == 0 && none_moved(wave.lanes, memory, word, moves)) return rows;
      } else if (wave.lanes.once([&] { return gph_slots::still(config, memory, found.slot, key, found.row); })) {
        rows[0] = found.row;
        return rows;
      }
    }
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
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static bool put_found(Config config, Memory& memory, const found_place& found, Key key, u32 row,
                                      typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (found.what == slot_is::empty) return gph_slots::claim(config, memory, found.slot, not_found, key, row);
    if (found.what == slot_is::erased) return gph_slots::revive(config, memory, found.slot, key, row);
    return gph_slots::replace_row(config, memory, found.slot, key, found.row, row);
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
      if (!lanes.once([&] { return put_found(config, memory, found, key, row); })) continue;
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
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert_latched(Config config, Lanes& lanes, Memory& memory, const gph_view& table,
                                                 Key key, u32 row, typename Memory::place place = {}) {
    [[maybe_unused]] const auto call = memory.called_from(place);
    const key_place at = place_of(key, table);
    begin_at_index(config, memory, key, row);
    return with_latch(lanes, memory, moves_of(at, table), [&] {
      const u32 value = value_beside_writers(config, lanes, memory, key, at);
      const write_done done = insert_under_latch(config, lanes, memory, table, key, row, at, value);
      if (done != write_done::full || some_spilled(value, config.value)) return done;
      const bool refined = refine(config, lanes, memory, table, key, row, at.cell, value, moves_of(at, table));
      return refined ? write_done::added : write_done::full;
    });
  }
  // Where the cell's value is. Returns full, if there is no room.
  template <class Config, class Lanes, class Memory, class Key>
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
        if (with_home([&] { return put_found(config, memory, found, key, row); })) return done_at(found.what);
        continue;
      }
      // The key is nowhere, and its bucket has no empty slot. Some erased entry's is room as well.
      if (may_have_erased(config, table) && with_home([&] { return put_over_erased(config, memory, home, key, row); }))
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
    if (!put_in(config, memory, bucket, key, row, 0, over_erased)) return false;
    if (over_erased > 0)
      memory.template fetch_add<u32>(gph_region::counters, counter_emptied, sizeof(u32), 0, over_erased);
    return true;
  }
};

}  // namespace pivotscope
