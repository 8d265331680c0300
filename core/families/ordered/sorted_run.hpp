// A step of K-ary search among sorted keys that do not lie together (lightweight, Section 3.1, Listing 1, generalised
// from 2 to K as in Section 3.4): offset-based, back to front. For the whole array in ascending order, for its pinned
// keys, and for the leaf partitions of a trimmed pivot buffer.
#pragma once

#include "core/common/portable.hpp"
#include "core/families/ordered/shape.hpp"

namespace pivotscope {

// The greatest power of K up to `count`, and how many steps a search from there takes, down to 1. count 0: none.
struct step_ladder {
  u32 longest = 0;
  u32 steps = 0;
};
template <class Config>
PIVOTSCOPE_FN step_ladder ladder_for(Config config, u64 count) {
  step_ladder ladder;
  for (u64 step = 1; step <= count; step *= config.value.fanout) ladder = {static_cast<u32>(step), ladder.steps + 1};
  return ladder;
}

// How many of the K - 1 keys i = 1 ... K - 1 are there and not smaller than `key`; they are ascending in -i, so these
// are the first ones. test(i) is asked by the lane whose share i is.
template <class Config, class Lanes, class Test>
PIVOTSCOPE_FN u32 count_not_less(Config config, Lanes& lanes, Test&& test) {
  const u32 compares = config.value.fanout - 1, per_lane = ceil_div(compares, config.value.lanes);
  return lanes.sum([&](u32 lane) {
    u32 count = 0;
    PIVOTSCOPE_UNROLL
    for (u32 j = 0; j < per_lane; ++j) {
      const u32 i = lane * per_lane + j + 1;
      if (i <= compares && test(i)) ++count;
    }
    return count;
  });
}

// One step of length `step` back from `offset`, where the key is not smaller than the one looked for (or is the last):
// goes back over all keys at step, 2 step ... that are not smaller either. read(i, offset of the i-th) reads one.
template <class Config, class Lanes, class Key, class Read>
PIVOTSCOPE_FN u32 step_back(Config config, Lanes& lanes, u32 offset, u32 step, Key key, Read&& read) {
  const u32 steps = count_not_less(config, lanes, [&](u32 i) {
    const u64 back = static_cast<u64>(i) * step;
    return back <= offset && read(i, offset - static_cast<u32>(back)) >= key;
  });
  return offset - steps * step;
}

// Asks for what a step back of length `step` reads; offsets count from slot `base`.
template <class Config, class Memory>
PIVOTSCOPE_FN void will_step_back(Config config, Memory& memory, u32 base, u32 offset, u32 step,
                                  typename Memory::place at = {}) {
  [[maybe_unused]] const auto call = memory.called_from(at);
  for (u32 i = 1; step > 0 && i < config.value.fanout; ++i) {
    const u64 back = static_cast<u64>(i) * step;
    if (back <= offset) memory.will_read(ordered_region::entries, u64{base} + offset - back, 1);
  }
}

// The same among `count` keys that are numbered from the last one: forth means to smaller keys.
template <class Config, class Lanes, class Key, class Read>
PIVOTSCOPE_FN u32 step_forth(Config config, Lanes& lanes, u32 distance, u32 count, u32 step, Key key, Read&& read) {
  const u32 steps = count_not_less(config, lanes, [&](u32 i) {
    const u64 to = distance + static_cast<u64>(i) * step;
    return to < count && read(i, static_cast<u32>(to)) >= key;
  });
  return distance + steps * step;
}

}  // namespace pivotscope
