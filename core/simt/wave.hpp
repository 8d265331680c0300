// A wave: the lookups that are served in step with one another. A search is written once, for a wave: each() does a step
// of every lookup in it.
//
//   cuda    one lookup: the warp's threads are in step by themselves
//   cpu     host_wave of them in lockstep, so that as many loads are on the way at once; what a lookup reads next is asked
//           for at the end of its step, and comes while the others do theirs
//   trace   the same, so that what is written down is the warp's steps
//
// All lookups of a wave take the same number of steps, or go along idle: how many there are is told by the shape.
#pragma once

#include "core/simt/run.hpp"

namespace pivotscope {

inline constexpr u32 host_wave = 32;

template <class Lanes, class Memory, class Key, u32 Size>
class wave {
 public:
  // A value that differs from lookup to lookup.
  template <class T>
  struct per_lookup {
    T values[Size];
    PIVOTSCOPE_FN T& operator[](u32 i) { return values[Size == 1 ? 0 : i]; }
    PIVOTSCOPE_FN const T& operator[](u32 i) const { return values[Size == 1 ? 0 : i]; }
  };

  PIVOTSCOPE_FN wave(Lanes& lanes, Memory& memory, u32 count = 1) : lanes(lanes), memory(memory), count_(count) {}

  template <class T>
  PIVOTSCOPE_FN per_lookup<T> all(T value) const {
    per_lookup<T> list;
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < Size; ++i) list.values[i] = value;
    return list;
  }

  // f(i) for every lookup i of the wave.
  template <class F>
  PIVOTSCOPE_FN void each(F&& f) const {
    if constexpr (Size == 1) {
      f(0u);
    } else {
      for (u32 i = 0; i < count_; ++i) memory.serve(i), f(i);
    }
  }

  // May the search end before its last step, as all that is looked for is found?
  PIVOTSCOPE_FN bool may_stop(const per_lookup<bool>& searching) const {
    if constexpr (Size == 1) {
      return lanes.may_stop(!searching[0]);
    } else {
      bool any = false;
      for (u32 i = 0; i < count_; ++i) any |= searching[i];
      return !any;
    }
  }

  // The same lookups over a memory that a family makes of this one.
  template <class Other>
  PIVOTSCOPE_FN wave<Lanes, Other, Key, Size> over(Other& other) const {
    wave<Lanes, Other, Key, Size> same(lanes, other, count_);
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < Size; ++i) same.keys.values[i] = keys.values[i];
    return same;
  }

  using key = Key;
  using memory_type = Memory;
  Lanes& lanes;
  Memory& memory;
  per_lookup<Key> keys;

 private:
  u32 count_;
};

// One lookup.
template <class Lanes, class Memory, class Key>
PIVOTSCOPE_FN wave<Lanes, Memory, Key, 1> wave_of(Lanes& lanes, Memory& memory, Key key) {
  wave<Lanes, Memory, Key, 1> one(lanes, memory);
  one.keys[0] = key;
  return one;
}

}  // namespace pivotscope
