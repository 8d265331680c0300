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

#include "core/families/gph/inserts.hpp"
#include "core/simt/tile_pass.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

struct gph : gph_inserts {
  using config = gph_config;
  struct by_group {};  // a group's lookups are one wave (simt/wave.hpp)
  static constexpr region_id entries = gph_region::entries;

  PIVOTSCOPE_FN static constexpr u32 lanes(const gph_config& c) { return c.lanes; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const gph_config& c) { return c.scratch; }
  PIVOTSCOPE_FN static u32 pinned_keys(const state_view& view) { return view.as<gph_view>().pinned; }
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static u32 pinned_key(Config, Memory& memory, const state_view& view, u32 i) {
    return memory.template load<u32>(gph_region::cells, view.as<gph_view>().first_pinned + i);
  }

  // Routed lookups (batch/routed.hpp): as many words of the index are a part as a block's scratch has room for.
  PIVOTSCOPE_FN static constexpr bool is_routed(const gph_config& c) { return pivotscope::is_routed(c); }
  PIVOTSCOPE_FN static u32 parts(const gph_config& c, const state_view& view) {
    return ceil_div(view.as<gph_view>().words, words_in_scratch(c));
  }
  template <class Key>
  PIVOTSCOPE_FN static u32 part_of(const gph_config& c, const state_view& view, Key key) {
    return part_of_cell(place_of(key, view.as<gph_view>()).cell, c);
  }
  // From now on the view is that of a block that has this part.
  PIVOTSCOPE_FN static void take_part(const gph_config& c, state_view& view, u32 part) {
    gph_view& table = *reinterpret_cast<gph_view*>(view.state);
    const u32 words = words_in_scratch(c);
    table.first_pinned = part * words;
    table.pinned = least(words, table.words - table.first_pinned);
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
    return c;
  }

  // Gives `key` the row id. Returns full, and changes no entry, if there is no room for it, or none in the first phase.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                         u32 row) {
    const gph_view& table = view.as<gph_view>();
    if (is_latched(config.value, table))
      return insert_latched<gph_state::in_use>(config, lanes, memory, table, key, row);
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
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      const u32 item = view.template array<u32>(refused_list)[i];
      return insert_latched<gph_state::fresh>(config, lanes, memory, view.as<gph_view>(), view.template key<Key>(item),
                                              view.row(item)) == write_done::added;
    }
  };
  struct refine_live {
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      const u32 item = view.template array<u32>(refused_list)[i];
      const entry_cell<Key> cell = gph_slots::entry_before<Key>(config, view, item);
      return insert_latched<gph_state::fresh>(config, lanes, memory, view.as<gph_view>(), cell.key, cell.row) ==
             write_done::added;
    }
  };

  // Of the inserts that a build refuses: a mark of one byte each; and the list of them.
  static constexpr array_id refused_keys{2}, refused_list{3};

 private:
  // A lookup that goes on beyond its bucket, into so many others at most.
  struct further {
    u32 bucket, left, row;
  };

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
};

}  // namespace pivotscope
