// A batch that changes an index, one operation per thread: the same code on every machine and for every family that
// changes. The operations of a batch are concurrent (docs/updates.md).
//
// One thread does a write from begin to end. It waits for another thread only while that one stores its key beside a
// row id that it has claimed. So no warp needs to stay together, and no thread shuffles.
#pragma once

#include "core/common/answers.hpp"
#include "core/common/operation.hpp"
#include "core/config/index_config.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

// The operations of a batch. Pointers are to the machine's memory, with one item per operation. Passed to a
// GPU kernel as an argument.
struct update_work {
  u64 count = 0;
  const void* keys = nullptr;
  const void* highs = nullptr;       // null where no operation is a range
  const operation* kinds = nullptr;  // null: all are `kind`
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

// Does a read while others write, by the family's own `..._now`. A family has one for each read that it serves.
template <class Family, class Config, class Memory, class Key>
PIVOTSCOPE_FN script_answer read_now(Config config, Memory& memory, const build_view& view, operation kind, Key key,
                                     [[maybe_unused]] Key high) {
  if constexpr (requires { Family::range_now(config, memory, view, key, high); }) {
    if (kind == operation::range) return script_answer::counted(Family::range_now(config, memory, view, key, high));
    if (kind == operation::matches) return script_answer::counted(Family::range_now(config, memory, view, key, key));
  }
  const u32 row = Family::find_now(config, memory, view, key);
  // Without ranges a key has one entry at most.
  if (kind == operation::matches)
    return row == not_found ? script_answer::counted({}) : script_answer::counted({1, row});
  return script_answer::found(row);
}

// Does one operation; a read sets `answer`. `row`: the row id that an insert gives.
template <class Family, class Config, class Memory, class Key>
PIVOTSCOPE_FN write_done perform(Config config, Memory& memory, const build_view& view, operation kind, Key key,
                                 Key high, u32 row, script_answer& answer) {
  if (kind == operation::insert) return Family::insert(config, memory, view, key, row);
  if (kind == operation::erase) return Family::erase(config, memory, view, key);
  answer = read_now<Family>(config, memory, view, kind, key, high);
  return write_done::read;
}

// Does operation i of a batch in which all are `Kind`.
template <class Family, operation Kind, class Key, class Config, class Memory>
PIVOTSCOPE_FN void update_one(Config config, Memory& memory, const build_view& view, const update_work& work, u64 i) {
  script_answer none;
  work.done[i] = perform<Family>(config, memory, view, Kind, work.key<Key>(i), Key{}, work.row(i), none);
}
// Does operation i of a mixed batch.
template <class Family, class Key, class Config, class Memory>
PIVOTSCOPE_FN void update_mixed(Config config, Memory& memory, const build_view& view, const update_work& work, u64 i) {
  const Key high = work.highs == nullptr ? Key{} : work.high<Key>(i);
  script_answer answer;
  work.done[i] = perform<Family>(config, memory, view, work.kinds[i], work.key<Key>(i), high, work.row(i), answer);
  work.answers[i] = answer;
}

}  // namespace pivotscope
