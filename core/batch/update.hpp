// A batch that changes an index, one operation at a time: the same code on every machine and for every family that
// changes. The operations of a batch are concurrent (docs/updates.md).
//
// The lanes of an operation are a group that goes alone: it may wait for another, also of its own warp, and its shuffles
// have its own mask. Reads of a mixed batch are the family's own, over memory that others write.
#pragma once

#include "core/batch/ranges.hpp"
#include "core/common/answers.hpp"
#include "core/common/operation.hpp"
#include "core/config/index_config.hpp"
#include "core/simt/looked_ahead.hpp"
#include "core/simt/region.hpp"
#include "core/simt/wave.hpp"

namespace pivotscope {

// The operations of a batch. Pointers are to the machine's memory, with one item per operation. Passed to a
// GPU kernel as an argument.
struct update_work {
  u64 count = 0;
  const void* keys = nullptr;
  const void* highs = nullptr;       // null where no operation is a range
  const operation* kinds = nullptr;  // null: all are `kind`
  const u32* begins = nullptr;       // of a batch that looked ahead: where each operation begins, in the family's terms
  const u32* rows = nullptr;         // row ids of the inserts; null: operation i gives first_row + i
  write_done* done = nullptr;
  script_answer* answers = nullptr;  // mixed batches only
  operation kind = operation::insert;
  u32 first_row = 0;

  PIVOTSCOPE_FN u32 row(u64 i) const { return rows == nullptr ? first_row + static_cast<u32>(i) : rows[i]; }
  template <class Key>
  PIVOTSCOPE_FN Key key(u64 i) const {
    return static_cast<const Key*>(keys)[i];
  }
  template <class Key>
  PIVOTSCOPE_FN Key high(u64 i) const {
    return static_cast<const Key*>(highs)[i];
  }
};

// True if batches of a family may look ahead.
template <class Family>
concept can_look_ahead = requires(const typename Family::config& config) {
  Family::looks_ahead(config);
};

// Calls f(the lanes that operation i of a batch has).
template <class Family, class Lanes, class F>
PIVOTSCOPE_FN void with_begin(Lanes& lanes, const update_work& work, u64 i, F&& f) {
  if constexpr (can_look_ahead<Family>) {
    lanes_that_looked<Lanes> looked(lanes, work.begins == nullptr ? begins_nowhere : work.begins[i]);
    f(looked);
  } else {
    f(lanes);
  }
}

// The config by which an operation of an update goes: a family may let other lanes write than read.
template <class Family, class Config>
PIVOTSCOPE_FN constexpr Config for_writes(const Config& config) {
  if constexpr (requires { Family::for_writes(config); }) {
    return Family::for_writes(config);
  } else {
    return config;
  }
}

// Does a read beside writers.
template <class Family, class Config, class Lanes, class Memory, class Key>
PIVOTSCOPE_FN script_answer read_beside_writers(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                                                operation kind, Key key, [[maybe_unused]] Key high) {
  range_totals nobody{nullptr};
  const bool all_rows = kind == operation::matches;
  if constexpr (requires { Family::range(config, lanes, memory, view, key, high, u64{0}, nobody); }) {
    if (all_rows || kind == operation::range)
      return script_answer::counted(
          Family::range(config, lanes, memory, view, key, all_rows ? key : high, u64{0}, nobody));
  }
  if constexpr (requires { Family::next_key(config, lanes, memory, view, key, false); }) {
    const bool itself = kind == operation::lower_bound;
    if (itself || kind == operation::successor) {
      const successor_answer next = Family::next_key(config, lanes, memory, view, key, itself);
      return script_answer::next(next.key, next.row);
    }
  }
  auto one = wave_of(lanes, memory, key);
  const u32 row = Family::find(config, one, view)[0];
  // Without ranges a key has one entry at most.
  if (all_rows) return row == not_found ? script_answer::counted({}) : script_answer::counted({1, row});
  return script_answer::found(row);
}

// Does one operation; a read sets `answer`. `row`: the row id that an insert gives.
template <class Family, class Config, class Lanes, class Memory, class Key>
PIVOTSCOPE_FN write_done perform(Config config, Lanes& lanes, Memory& memory, const state_view& view, operation kind,
                                 Key key, Key high, u32 row, script_answer& answer) {
  if constexpr (requires { Family::insert(config, lanes, memory, view, key, row); }) {
    if (kind == operation::insert) return Family::insert(config, lanes, memory, view, key, row);
  }
  if constexpr (requires { Family::erase(config, lanes, memory, view, key); }) {
    if (kind == operation::erase) return Family::erase(config, lanes, memory, view, key);
  }
  answer = read_beside_writers<Family>(config, lanes, memory, view, kind, key, high);
  return write_done::read;
}

// Does operation i of a batch in which all are `Kind`.
template <class Family, operation Kind, class Key, class Config, class Lanes, class Memory>
PIVOTSCOPE_FN void update_one(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                              const update_work& work, u64 i) {
  with_begin<Family>(lanes, work, i, [&](auto& looked) {
    script_answer none;
    const write_done done =
        perform<Family>(config, looked, memory, view, Kind, work.key<Key>(i), Key{}, work.row(i), none);
    if (lanes.leads()) work.done[i] = done;
  });
}
// Does operation i of a mixed batch.
template <class Family, class Key, class Config, class Lanes, class Memory>
PIVOTSCOPE_FN void update_mixed(Config config, Lanes& lanes, Memory& memory, const state_view& view,
                                const update_work& work, u64 i) {
  with_begin<Family>(lanes, work, i, [&](auto& looked) {
    const Key high = work.highs == nullptr ? Key{} : work.high<Key>(i);
    script_answer answer;
    const write_done done =
        perform<Family>(config, looked, memory, view, work.kinds[i], work.key<Key>(i), high, work.row(i), answer);
    if (!lanes.leads()) return;
    work.done[i] = done;
    work.answers[i] = answer;
  });
}

}  // namespace pivotscope
