// A wave: the lookups that are served in step with one another. A search is written once, for a wave: each() does a step
// of every lookup in it.
//
//   cuda    one lookup: the warp's threads are in step by themselves; of a family that says so (`by_group`) those of a
//           group's threads, so that all their loads are on the way before the first is looked at
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
    } else if constexpr (Lanes::are_threads) {
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < Size; ++i) f(i);
    } else {
      for (u32 i = 0; i < count_; ++i) memory.serve(i), f(i);
    }
  }

  // f(key) of every lookup, which on a GPU the thread that holds the lookup works out for its group.
  template <class F>
  PIVOTSCOPE_FN auto of_keys(F&& f) const {
    per_lookup<decltype(f(keys[0]))> list;
    if constexpr (Size > 1 && Lanes::are_threads) {
      const auto own = f(own_of(keys));
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < Size; ++i) list.values[i] = lanes.from(i, own);
    } else {
      each([&](u32 i) { list.values[i] = f(keys[i]); });
    }
    return list;
  }

  // load(i, lane) for every lookup i by every lane, and then use(i, at) for each, where at(lane) is what it brought: on a
  // GPU no load waits for another's use.
  template <class Load, class Use>
  PIVOTSCOPE_FN void fetch(Load&& load, Use&& use) const {
    if constexpr (Lanes::are_threads) {
      decltype(load(0u, 0u)) got[Size];
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < Size; ++i) got[i] = load(i, lanes.lane());
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < Size; ++i) use(i, [&](u32) { return got[i]; });
    } else {
      each([&](u32 i) { use(i, [&](u32 lane) { return load(i, lane); }); });
    }
  }

  // The few lookups that go on once the others are done: begin(key) is what such a one keeps, more(key, kept, live) does a
  // step of one by a group's lanes and says whether another follows, end(i, kept) hands it over. On a GPU the groups of the
  // warp share them out, whosever they are; a group without one goes along with `live` false.
  template <class Begin, class More, class End>
  PIVOTSCOPE_FN void again(const per_lookup<bool>& wanted, Begin&& begin, More&& more, End&& end) const {
    using kept_type = decltype(begin(keys[0]));
    if constexpr (Lanes::are_threads && Size > 1) {
      const Key key = own_of(keys);
      const bool mine = own_of(wanted);
      kept_type kept = begin(key);
      lanes.share_out(mine, key, kept, more);
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < Size; ++i)
        if (mine && lanes.lane() == i) end(i, kept);
    } else if constexpr (Size == 1) {
      if (!wanted[0]) return;
      kept_type kept = begin(keys[0]);
      while (more(keys[0], kept, true)) {
      }
      end(0u, kept);
    } else {
      per_lookup<kept_type> kept;
      per_lookup<bool> going = wanted;
      each([&](u32 i) { kept[i] = begin(keys[i]); });
      for (bool any = true; any;) {
        any = false;
        each([&](u32 i) { any |= going[i] && (going[i] = more(keys[i], kept[i], true)); });
      }
      each([&](u32 i) {
        if (wanted[i]) end(i, kept[i]);
      });
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
  // On a GPU: that of the lookup which this thread holds.
  template <class T>
  PIVOTSCOPE_FN T own_of(const per_lookup<T>& list) const {
    T own = list.values[0];
    PIVOTSCOPE_UNROLL
    for (u32 i = 1; i < Size; ++i)
      if (lanes.lane() == i) own = list.values[i];
    return own;
  }

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
