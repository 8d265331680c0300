// plain: the entries in the order of the input, without an index. It shows what an index saves, and how small a family
// can be. The code here runs on all machines.
//
//   keys came as   10  7  1 ...                       n = 3
//   entries      | 10 0 |  7 1 |  1 2 | empty | ... | empty |     32 cells of {key, row id}
//   slot             0      1      2       3              31
//
//   region         cells
//   entries        {key, row id}, 8 bytes, or 16 with 64-bit keys
//
// Invariants
// - Slot s holds row id s, or erased_row if its entry was erased.
// - Slots behind the last entry, up to a whole step, are empty: they hold the greatest key and the row id not_found,
//   which is no answer. There are at most 31.
// - Who sees a row id sees its key: a load beside writers reads the row id first, or both at once.
//
// Operations
//   find     looks through all entries, 32 per step: n / 32 steps. It stops at its key where one lookup can stop alone.
//            A hit returns the least row id.
//   range    looks through all entries, 32 per step.
//   insert   appends, at the slot of its row id, by one lane. No two inserts take the same slot, so none waits.
//            Duplicates are kept.
//   erase    looks through all entries, 32 per step, and puts erased_row in place of the row ids of its key. The slots
//            stay in use.
//   build    one pass, one slot per thread.
// This is the smallest family that writes.
#pragma once

#include "core/common/answers.hpp"
#include "core/config/index_config.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

inline constexpr u32 plain_step = 32;  // entries that a step reads

inline constexpr family_id plain_id = family_named("plain");

struct plain_config {
  key_width keys = key_width::u32;
  u32 lanes = 1;  // threads that serve one lookup together, 1 to 32
  launch_config launch = {};

  constexpr bool operator==(const plain_config&) const = default;
  PIVOTSCOPE_FN static constexpr plain_config of(const index_config& c) { return {c.keys, c.knobs[0], c.launch}; }
  PIVOTSCOPE_FN constexpr operator index_config() const { return {plain_id, keys, launch, {lanes}}; }
};

struct plain_view {
  u64 rows = 0, cells = 0;  // slots below `rows` have had an entry
  u64 live = 0;             // of these slots, those whose entry was not erased
};

struct plain {
  using config = plain_config;
  static constexpr region_id entries{0};

  PIVOTSCOPE_FN static constexpr u32 lanes(const plain_config& c) { return c.lanes; }
  PIVOTSCOPE_FN static constexpr u32 pinned_bytes(const plain_config&) { return 0; }

  // Returns the row ids of the wave's keys, or not_found.
  template <class Config, class Wave>
  PIVOTSCOPE_FN static auto find(Config config, Wave& wave, const state_view& view) {
    const u64 cells = view.as<plain_view>().cells;
    const node_run run = share_node(config.value.lanes, plain_step);
    auto rows = wave.all(not_found);
    auto searching = wave.all(true);
    for (u64 first = 0; first < cells && !wave.may_stop(searching); first += plain_step) {
      wave.each([&](u32 i) {
        if (searching[i]) wave.memory.step(0);
        const u32 seen = wave.lanes.min([&](u32 lane) {
          u32 row = not_found;
          if (searching[i]) {
            each_entry<typename Wave::key>(wave.memory, first, run, lane, [&](u32, const auto& entry) {
              if (entry.key == wave.keys[i] && is_live_row(entry.row)) row = least(row, entry.row);
            });
            wave.memory.watch_lane(lane, "row", watched_row{row});
          }
          return row;
        });
        if (searching[i]) {
          wave.memory.watch("wave.keys[i]", wave.keys[i], "first", first, "cells", cells, "seen", watched_row{seen});
        }
        rows[i] = least(rows[i], seen);
        searching[i] = rows[i] == not_found;
      });
    }
    return rows;
  }

  // Counts the entries of [low, high] and sums their row ids. Calls output.row(place, row id)
  // for each, from `place` on.
  template <class Config, class Lanes, class Memory, class Key, class Output>
  PIVOTSCOPE_FN static range_answer range(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key low,
                                          Key high, u64 place, Output& output) {
    range_answer answer{};
    const u64 cells = lanes.all_done(low > high) ? 0 : view.as<plain_view>().cells;
    const node_run run = share_node(config.value.lanes, plain_step);
    for (u64 first = 0; first < cells; first += plain_step) {
      memory.scan_step(0, false);
      // Bit i: entry i of the step is in the range. So each lane knows where its own row ids go.
      const u32 inside = lanes.sum([&](u32 lane) {
        u32 bits = 0;
        each_entry<Key>(memory, first, run, lane, [&](u32 i, const auto& entry) {
          if (is_live_row(entry.row) && low <= entry.key && entry.key <= high) bits |= 1u << (run.offset(lane) + i);
        });
        return bits;
      });
      answer.row_sum += lanes.sum([&](u32 lane) {
        u64 sum = 0;
        for (u32 i = run.offset(lane), end = i + run.live(lane); i < end; ++i) {
          if ((inside >> i & 1) == 0) continue;
          const u32 row = static_cast<u32>(first + i);
          output.row(place + answer.count + ones(inside & ((1u << i) - 1)), row);
          sum += row;
        }
        return sum;
      });
      answer.count += ones(inside);
      memory.hold("found so far", answer.count);
      memory.watch("low", low, "high", high, "first", first, "cells", cells, "ones(inside)", ones(inside),
                   "answer.count", answer.count, "answer.row_sum", answer.row_sum);
    }
    return answer;
  }

  // --- Writes. The reads beside them are those above ---
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done insert(Config, Lanes& lanes, Memory& memory, const state_view&, Key key, u32 row) {
    memory.step(0);
    memory.hold("entry", key, row);
    return lanes.once([&] {
      memory.template store_part<Key>(entries, row, sizeof(entry_cell<Key>), 0, key);
      memory.fence();  // no row id before its key
      memory.template store_part<u32>(entries, row, sizeof(entry_cell<Key>), sizeof(Key), row);
      return write_done::added;
    });
  }
  template <class Config, class Lanes, class Memory, class Key>
  PIVOTSCOPE_FN static write_done erase(Config config, Lanes& lanes, Memory& memory, const state_view& view, Key key) {
    const node_run run = share_node(config.value.lanes, plain_step);
    u32 erased = 0;
    for (u64 first = 0; first < view.as<plain_view>().cells; first += plain_step) {
      memory.step(0);
      erased += lanes.sum([&](u32 lane) {
        u32 own = 0;
        each_entry<Key>(memory, first, run, lane, [&](u32 i, const auto& entry) {
          if (entry.key != key || !is_live_row(entry.row)) return;
          const u64 slot = first + run.offset(lane) + i;
          const u32 was = memory.template compare_exchange<u32>(entries, slot, sizeof(entry_cell<Key>), sizeof(Key),
                                                                entry.row, erased_row);
          own += was == entry.row;  // else another erase came first
        });
        return own;
      });
    }
    return erased > 0 ? write_done::erased : write_done::absent;
  }

  // --- The pass of the build: entry i of the input goes to the slot of its row id; the slots behind become empty ---
  struct build_entries {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      if (i < view.as<plain_view>().rows) {
        view.store(entries, view.row(i), make_entry(view.template key<Key>(i), view.row(i)));
      } else {
        view.store(entries, i, make_entry(greatest_key<Key>(), not_found));
      }
    }
  };
  // --- The pass that makes room: copies the entries that were there; the slots behind become empty ---
  struct move_entries {
    template <class Key, class Config>
    PIVOTSCOPE_FN static void at(Config, const build_view& view, u64 i) {
      view.store(entries, i,
                 i < view.as<plain_view>().rows ? view.load_before<entry_cell<Key>>(entries, i)
                                                : make_entry(greatest_key<Key>(), not_found));
    }
  };
  // --- The pass after erases: counts the entries. An erase may remove several ---
  struct count_live {
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static bool at(Config, Memory& memory, const build_view&, u64 i) {
      return is_live_row(memory.template load_acquire<u32>(entries, i, sizeof(entry_cell<Key>), sizeof(Key)));
    }
  };
  // --- The pass that clears: erases what is in slot i. A slot is a row id, so it is not used again ---
  struct erase_slots {
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static void at(Config, Memory& memory, const build_view&, u64 i) {
      memory.template store_part<u32>(entries, i, sizeof(entry_cell<Key>), sizeof(Key), erased_row);
    }
  };

 private:
  PIVOTSCOPE_FN static u32 ones(u32 bits) {
    u32 count = 0;
    for (; bits != 0; bits &= bits - 1) ++count;
    return count;
  }

  // Calls f(i, entry) for a lane's share of the step that begins at cell `first`.
  template <class Key, class Memory, class F>
  PIVOTSCOPE_FN static void each_entry(Memory& memory, u64 first, node_run run, u32 lane, F&& f,
                                       typename Memory::place at = {}) {
    [[maybe_unused]] const auto call = memory.called_from(at);
    memory.template each_of_run<entry_cell<Key>>(entries, first, run, lane, [&](u32 i, const entry_cell<Key>& entry) {
      memory.saw(entries, first + run.offset(lane) + i, entry.key);
      f(i, entry);
    });
  }
};

}  // namespace pivotscope
