// buckets: a hash table of buckets, each a chain of slabs (after SlabHash). The key's hash selects its bucket. The
// entries of a bucket fill its first slab; where that is full, a slab of the pool is linked behind it. The lanes of a
// lookup read a slab together, by loads of 16 bytes.
//
//   buckets    | s0                       | s1                       |     S cells each, one line of 128 bytes or more
//   cells      | 7 0 | 23 4 | 15 x | -> s2 | 8 2 | 6 1 |     | none   |   key and row id; x: erased; the last: the link
//                                     |
//   pool       | s2                   <+   | s3                       |
//              | 31 5|      |      | none  |     |      |     | unused |       in no chain
//
//   region     cells
//   entries    AoS: {key, row id}, 8 bytes, or 16 with 64-bit keys; SoA: keys. The buckets' first slabs, then the pool
//   free       numbers of slabs of the pool that are in no chain: a list, of which a batch takes from the front
//   pool       two counters: taken from that list; entries that erases removed beyond the first of their key
//   row ids    SoA only
//
// Invariants
// - A cell's row id tells its state: not_found is empty, erased_row is erased, claimed_row is about to get its entry,
//   any other is live. Every key value is legal. Empty cells have the greatest key.
// - The cells of a chain fill from its first to its last, and are not emptied while a batch runs. So a search ends at
//   an empty cell. The last slab's link is none. A link has no row id, so no search takes it for an entry.
// - duplicates=off: a cell keeps its key, erased or not, until the clean-up. So a key has one cell at most, however
//   many threads insert it at once: who finds a cell empty has seen all cells before it with other keys.
//   duplicates=on: an erased cell is taken by the next insert into its bucket. Reads beside writers then make sure
//   that a key and a row id belong together (row_cells::holds).
// - A link goes from none to busy to a slab's number. Who made it busy alone takes a slab from the list, puts its
//   entry in, and then links it: no slab is taken in vain, and who sees the link sees the entry.
// - A slab of the pool whose link is unused is in no chain, and all its cells are empty.
//
// Operations                                                   slabs read, of 15 entries, at loads of 100 and 150
//   find      a hit                                            1.1 and 1.3
//             a miss: to an empty cell or the chain's end      1.4 and 2.0
//   matches   the whole chain
//   insert    to the key or the first empty cell (duplicates=on: the first empty or erased one), and one
//             compare-and-swap. A full chain takes a slab: two more atomics.
//   erase     to the key; duplicates=on: the whole chain, for all entries of the key
//   build     empties the cells, lists the pool, then inserts the keys in the order of the input
//   clean-up  before a batch of inserts, where an eighth of the used cells, 64 at least, are erased, and where inserts
//             found no slab: each chain moves its live entries to its front, and gives the slabs that are left back to
//             the pool
//   growth    of the pool, where a batch is likely to need more slabs or found none: it gets longer, no slab moves. Of
//             the buckets, beyond twice the load: all live entries go into a table of more buckets
// There are no ranges of several keys and no successors, because there is no order.
#pragma once

#include "core/families/buckets/slab.hpp"
#include "core/index/insert_passes.hpp"

namespace pivotscope {

struct buckets : insert_passes<buckets, slab_cells> {
  using config = buckets_config;
  struct by_group {};  // a group's lookups are one wave (simt/wave.hpp)
  static constexpr region_id entries = buckets_region::entries;

  PIVOTSCOPE_FN static constexpr u32 lanes(const buckets_config& c) { return c.lanes; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const buckets_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found. Most lookups end in their first slab; the first slabs of all
  // lookups of a group are loaded at once.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    using Key = typename Wave::key;
    const buckets_view& table = view.as<buckets_view>();
    auto& memory = wave.memory;
    auto rows = wave.to_keep(not_found);
    auto goes_on = wave.unmarked();
    const auto first = wave.of_keys([&](Key key) { return bucket_of(key, table); });
    wave.fetch([&](u32 i, u32 lane) { return slab_cells::load<Key>(config, memory, first[i], lane, true); },
               [&](u32 i, auto&& at) {
                 memory.step(0);
                 const u32 seen = look_through(config, wave.lanes, memory, first[i], wave.keys[i], true, at);
                 memory.watch("wave.keys[i]", wave.keys[i], "first[i]", first[i], "table.buckets", table.buckets,
                              "seen", watched_row{seen});
                 wave.mark(goes_on, i, seen == on_to_the_next);
                 wave.keep(rows, i, is_live_row(seen) ? seen : not_found);
               });
    wave.again(
        goes_on,
        [&](u32, Key key) {
          const u32 slab =
              static_cast<u32>(slab_cells::next_of<Key>(config, wave.lanes, memory, bucket_of(key, table)));
          slab_cells::will_read<Key>(config, memory, slab);
          return further{slab, not_found};
        },
        [&](Key key, further& here, bool live) {
          if (live) memory.step(1);
          const auto load = [&](u32 lane) { return slab_cells::load<Key>(config, memory, here.slab, lane, live); };
          const u32 seen = look_through(config, wave.lanes, memory, here.slab, key, live, load);
          if (live) memory.watch("key", key, "here.slab", here.slab, "seen", watched_row{seen});
          here.row = is_live_row(seen) ? seen : not_found;
          if (!live || seen != on_to_the_next) return false;
          here.slab = static_cast<u32>(slab_cells::next_of<Key>(config, wave.lanes, memory, here.slab));
          slab_cells::will_read<Key>(config, memory, here.slab);
          return true;
        },
        [&](u32 i, const further& here) { rows[i] = here.row; });
    return rows;
  }

  // The matches of a key: low == high, or low > high in a thread without a lookup. Counts the entries and sums their
  // row ids. Calls output.row(place, row id) for each, from `place` on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    const u32 each = cells_a_lane(config.value);
    range_answer answer{};
    u64 slab = bucket_of(low, view.as<buckets_view>());
    bool done = low > high, first = true;
    while (!lanes.all_done(done)) {
      if (!done) memory.scan_step(first ? 0 : 1, false);
      auto rows = lanes.each(lane_rows{});
      // Bit i: cell i has the key. So each lane knows where its own row ids go.
      u32 ends = 0;
      const u32 inside = lanes.sum([&](u32 lane) {
        if (done) return 0u;
        auto got = slab_cells::load<Key>(config, memory, slab, lane, true);
        u32 bits = 0;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < each; ++i) {
          const u32 in_slab = lane * each + i;
          if (in_slab == link_cell(config.value)) continue;
          const u64 cell = first_cell(config, slab) + in_slab;
          slab_cells::complete(config, memory, cell, got.keys[i], got.rows[i], low);
          memory.saw(entries, cell, got.keys[i]);
          ends |= got.rows[i] == not_found;
          if (got.keys[i] != low || !is_live_row(got.rows[i])) continue;
          if (!slab_cells::holds(config, memory, cell, low, got.rows[i])) continue;
          bits |= 1u << in_slab;
          rows[lane].rows[i] = got.rows[i];
        }
        return bits;
      });
      answer.row_sum += lanes.sum([&](u32 lane) {
        u64 sum = 0;
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < each; ++i) {
          const u32 in_slab = lane * each + i;
          if ((inside >> in_slab & 1) == 0) continue;
          output.row(place + answer.count + ones(inside & ((1u << in_slab) - 1)), rows[lane].rows[i]);
          sum += rows[lane].rows[i];
        }
        return sum;
      });
      answer.count += ones(inside);
      const bool ended = lanes.sum([&](u32) { return ends; }) != 0;
      if (!done) {
        memory.hold("found so far", answer.count);
        memory.watch("low", low, "slab", slab, "ones(inside)", ones(inside), "answer.count", answer.count,
                     "answer.row_sum", answer.row_sum);
        const Key next = ended ? slab_link<Key>::none : slab_cells::next_of<Key>(config, lanes, memory, slab);
        done = slab_link<Key>::ends(next);
        slab = next, first = false;
      }
    }
    return answer;
  }

  // --- Writing ---

  PIVOTSCOPE_FN static constexpr buckets_config for_writes(buckets_config c) {
    c.lanes = fewest_lanes(c.slab);
    return c;
  }
  // Where an operation on `key` begins: in its bucket.
  template <class Key>
  PIVOTSCOPE_FN static u32 begins_at(const state_view& view, Key key) {
    return bucket_of(key, view.as<buckets_view>());
  }
  // Tells what it reads there.
  template <class Key, class Config, class Memory>
  PIVOTSCOPE_FN static void will_begin(Config config, Memory& memory, u32 bucket) {
    slab_cells::will_write<Key>(config, memory, bucket);
  }

  // Gives `key` the row id. Returns full, and changes nothing, if its chain is full and no slab is free.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key,
                                         u32 row) {
    const buckets_view& table = view.as<buckets_view>();
    u32 slab = bucket_of(key, table), level = 0;
    for (;;) {
      memory.step(level);
      memory.hold("entry", key, row);
      // Again where another was quicker, perhaps with this very key.
      for (;;) {
        const end_of_node end = slab_cells::end_in<true>(config, lanes, memory, slab, key);
        memory.watch("key", key, "slab", slab, "table.buckets", table.buckets);
        if (end.cell == no_cell) break;
        if (end.row == claimed_row) continue;
        const u64 cell = first_cell(config, slab) + end.cell;
        const bool is_free = end.row == not_found || (keeps_all(config.value) && end.row == erased_row);
        const bool done = lanes.once([&] {
          return is_free ? slab_cells::claim(config, memory, cell, end.row, key, row)
                         : slab_cells::change_row(config, memory, cell, key, end.row, row);
        });
        // A live entry that another write changed first: this one counts as done just before that.
        if (done || is_live_row(end.row))
          return end.row == not_found    ? write_done::added
                 : end.row == erased_row ? write_done::revived
                                         : write_done::replaced;
      }
      Key next = slab_cells::next_of<Key>(config, lanes, memory, slab);
      if (next == slab_link<Key>::none) {
        const linking linked = lanes.once([&] { return link_slab(config, memory, table, slab, key, row); });
        if (linked != linking::lost) return linked == linking::done ? write_done::added : write_done::full;
        next = slab_link<Key>::busy;
      }
      // Another links a slab, perhaps with this very key. If it finds none free, this one asks again.
      if (next == slab_link<Key>::busy) continue;
      slab = static_cast<u32>(next), level = 1;
    }
  }

  // Removes `key`: all of its entries. Returns absent if it is not there.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key) {
    const buckets_view& table = view.as<buckets_view>();
    u32 slab = bucket_of(key, table), level = 0, removed = 0;
    for (;;) {
      memory.step(level);
      bool ended = false;
      if (keeps_all(config.value)) {
        removed += erase_all_in(config, lanes, memory, slab, key, ended);
        memory.watch("key", key, "slab", slab, "table.buckets", table.buckets, "removed", removed);
      } else {
        for (;;) {
          const end_of_node end = slab_cells::end_in<false>(config, lanes, memory, slab, key);
          memory.watch("key", key, "slab", slab, "table.buckets", table.buckets);
          if (end.cell == no_cell) break;
          if (end.row == not_found || end.row == erased_row) return write_done::absent;
          const u64 cell = first_cell(config, slab) + end.cell;
          const bool done =
              lanes.once([&] { return slab_cells::change_row(config, memory, cell, key, end.row, erased_row); });
          if (done) return write_done::erased;
        }
      }
      const Key next = ended ? slab_link<Key>::none : slab_cells::next_of<Key>(config, lanes, memory, slab);
      if (slab_link<Key>::ends(next)) break;
      slab = static_cast<u32>(next), level = 1;
    }
    if (removed > 1) lanes.once([&] { return count_more(memory, removed - 1); });
    return removed > 0 ? write_done::erased : write_done::absent;
  }

  // --- Passes of the build, of the clean-up and of growth; those that insert are inherited ---

  // Cell i, from the first new one on. A slab of the pool is in no chain.
  struct empty_cells {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const auto& table = view.as<buckets_view>();
      const u64 cell = table.first_new + i;
      const bool is_link = cell % config.value.slab == link_cell(config.value);
      const bool in_pool = cell >= first_cell(config, table.buckets);
      empty_cell(config, view, cell, is_link && in_pool ? slab_link<Key>::unused : slab_link<Key>::none);
      if (cell < pool_counters) view.store(buckets_region::pool, cell, u32{0});
    }
  };
  // Lists slab i of the pool if it is free. Behind it the list is whole, and nothing is taken of it.
  struct list_free {
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Memory& memory, const build_view& view, u64 i) {
      const auto& table = view.as<buckets_view>();
      const u32 slab = table.buckets + static_cast<u32>(i);
      if (slab_cells::next_of<Key>(config, memory, slab) != slab_link<Key>::unused) return false;
      const u32 place =
          memory.template fetch_add<u32>(buckets_region::pool, pool_taken, sizeof(u32), 0, 1u) - table.taken;
      view.store(buckets_region::free, place, slab);
      return true;
    }
  };
  // Moves the live entries of bucket i to the front of its chain, and gives back the slabs that are left. A thread does
  // a whole chain, and no chain has a slab of another.
  struct clean_up {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config config, const build_view& view, u64 i) {
      const u32 slots = link_cell(config.value);
      u64 to_slab = i;  // where the next live entry goes
      u32 to = 0;
      for (u64 slab = i;;) {
        const Key next = slab_cells::link_in<Key>(config, view, slab);
        for (u32 from = 0; from < slots; ++from) {
          const u64 cell = first_cell(config, slab) + from;
          const entry_cell<Key> entry = slab_cells::entry_in<Key>(config, view, cell);
          if (!is_live_row(entry.row)) continue;
          if (to == slots) to_slab = slab_cells::link_in<Key>(config, view, to_slab), to = 0;
          const u64 target = first_cell(config, to_slab) + to++;
          if (target != cell) slab_cells::put(config, view, target, entry.key, entry.row);
        }
        if (slab_link<Key>::ends(next)) break;
        slab = next;
      }
      // The cells behind the last entry become empty, and the slabs behind its own free.
      u64 slab = to_slab;
      u32 from = to;
      for (Key left = slab_link<Key>::none;; left = slab_link<Key>::unused) {
        const Key next = slab_cells::link_in<Key>(config, view, slab);
        for (; from < slots; ++from) empty_cell(config, view, first_cell(config, slab) + from, slab_link<Key>::none);
        empty_cell(config, view, first_cell(config, slab) + slots, left);
        if (slab_link<Key>::ends(next)) break;
        slab = next, from = 0;
      }
    }
  };

 private:
  static constexpr u32 pool_counters = 2;

  // A lookup that goes on beyond its first slab.
  struct further {
    u32 slab, row;
  };
  struct lane_rows {
    u32 rows[most_cells_a_lane] = {};
  };

  PIVOTSCOPE_FN static u32 ones(u32 bits) {
    u32 count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
  }

  // at(lane): the lane's share of the slab.
  template <class Config, class Lanes, class Memory, class Key, class At>
  PIVOTSCOPE_FN static u32 look_through(Config config, Lanes& lanes, Memory& memory, u64 slab, Key key, bool live,
                                        At&& at) {
    return lanes.min([&](u32 lane) {
      u32 seen = on_to_the_next;
      if (!live) return seen;
      const u32 each = cells_a_lane(config.value);
      if (slab_cells::row_at_end(config, memory, slab, lane, key, seen)) {
        const bool has_link = lane == config.value.lanes - 1;
        const bool ends = has_link && slab_link<Key>::ends(slab_cells::next_of<Key>(config, memory, slab));
        return ends ? least(seen, no_such_key) : seen;
      }
      const auto got = at(lane);
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_slab = lane * each + i;
        const u64 cell = first_cell(config, slab) + in_slab;
        if (in_slab == link_cell(config.value)) {
          if (slab_link<Key>::ends(got.keys[i])) seen = least(seen, no_such_key);
          continue;
        }
        memory.saw(entries, cell, got.keys[i]);
        seen = least(seen, slab_cells::row_or_end(config, memory, cell, got.keys[i], got.rows[i], key));
      }
      memory.watch_lane(lane, "seen", watched_row{seen});
      return seen;
    });
  }

  // --- Of a write ---

  // Erases all entries with the key in a slab. Returns how many; `ended`: whether a cell is empty.
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static u32 erase_all_in(Config config, Lanes& lanes, Memory& memory, u64 slab, Key key, bool& ended) {
    const u32 each = cells_a_lane(config.value);
    // The high half counts empty cells, the low half entries that this erase removed.
    const u32 both = lanes.sum([&](u32 lane) {
      auto got = slab_cells::load<Key>(config, memory, slab, lane, true);
      u32 own = 0;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < each; ++i) {
        const u32 in_slab = lane * each + i;
        if (in_slab == link_cell(config.value)) continue;
        const u64 cell = first_cell(config, slab) + in_slab;
        slab_cells::complete(config, memory, cell, got.keys[i], got.rows[i], key);
        memory.saw(entries, cell, got.keys[i]);
        if (got.rows[i] == not_found) own += 1u << 16;
        if (got.keys[i] != key || !is_live_row(got.rows[i])) continue;
        if (!slab_cells::holds(config, memory, cell, key, got.rows[i])) continue;
        own += slab_cells::change_row(config, memory, cell, key, got.rows[i], erased_row);  // else another came first
      }
      return own;
    });
    ended = both >> 16 != 0;
    return both & 0xFFFFu;
  }

  template <class Memory>
  PIVOTSCOPE_FN static bool count_more(Memory& memory, u32 count) {
    memory.template fetch_add<u32>(buckets_region::pool, pool_more, sizeof(u32), 0, count);
    return true;
  }

  enum class linking : u8 { lost, done, none_free };
  // Links a free slab behind a chain's last one, with an entry in its first cell. `lost`: another was quicker.
  template <class Config, class Memory, class Key>
  PIVOTSCOPE_FN static linking link_slab(Config config, Memory& memory, const buckets_view& table, u64 last, Key key,
                                         u32 row, typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    if (!slab_cells::swap_link(config, memory, last, slab_link<Key>::none, slab_link<Key>::busy)) return linking::lost;
    const u32 taken =
        memory.template fetch_add<u32>(buckets_region::pool, pool_taken, sizeof(u32), 0, 1u) - table.taken;
    if (taken >= table.left()) {
      slab_cells::set_link(config, memory, last, slab_link<Key>::none);
      return linking::none_free;
    }
    const u32 slab = memory.template load<u32>(buckets_region::free, table.free_begin + taken);
    slab_cells::set_link(config, memory, slab, slab_link<Key>::none);
    slab_cells::store(config, memory, first_cell(config, slab), key, row);
    memory.fence();  // no link before what it leads to
    slab_cells::set_link(config, memory, last, static_cast<Key>(slab));
    return linking::done;
  }

  // --- Of a pass ---

  template <class Config, class Key>
  PIVOTSCOPE_FN static void empty_cell(Config config, const build_view& view, u64 cell, Key link) {
    slab_cells::put(config, view, cell, link, not_found);
  }
};

}  // namespace pivotscope
