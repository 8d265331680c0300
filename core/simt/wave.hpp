// wave: the lookups that are served in step with one another. A search is written once, for a wave; each() does one
// step of every lookup in it.
//
//   cuda    One lookup, or as many as the config keeps in flight: the threads of a warp run in step anyway. If the
//           family is `by_group`, the lookups of all threads of a group: all their loads are under way before the first
//           result is used.
//   cpu     host_wave lookups in lockstep, so that as many loads are under way at once. A lookup prefetches its next
//           read at the end of its step; the data comes while the others do theirs.
//   trace   As on cpu, so that the recorded steps are those of a warp.
//
// All lookups of a wave take the same number of steps, which follows from the index's shape; one that is done idles.
#pragma once

#include "core/simt/lane_run.hpp"

namespace pivotscope {

inline constexpr u32 host_wave = 32;

// What one lane finds of one lookup: the number that it sees, and whether it notes something (least_seen()).
struct seen_and_noted {
  u32 seen;
  bool noted;
};

// Shared, on a GPU: the wave is the lookups of a group's threads, which serve each other's. Otherwise it is the lookups
// that the group has in flight.
template <class Lanes, class Memory, class Key, u32 Size, bool Shared = (Size > 1 && Lanes::are_threads)>
class wave {
  static_assert(Size <= 32);
  static constexpr bool shared = Shared;
  // In a shared wave each thread owns `owned` lookups: lookup i belongs to lane i modulo the group.
  static constexpr u32 group = [] {
    if constexpr (Shared) {
      return Lanes::group;
    } else {
      return 1u;
    }
  }();
  static constexpr u32 owned = Size / group;

 public:
  // A value that differs from lookup to lookup.
  template <class T>
  struct per_lookup {
    T values[Size];
    PIVOTSCOPE_FN T& operator[](u32 i) { return values[Size == 1 ? 0 : i]; }
    PIVOTSCOPE_FN const T& operator[](u32 i) const { return values[Size == 1 ? 0 : i]; }
  };

  // A value that only the owner of a lookup keeps, where the wave is shared. i is one of the thread's own lookups.
  template <class T>
  struct per_owner {
    T values[owned];
    PIVOTSCOPE_FN T& operator[](u32 i) { return values[owned == 1 ? 0 : i / group]; }
    PIVOTSCOPE_FN const T& operator[](u32 i) const { return values[owned == 1 ? 0 : i / group]; }
  };

  PIVOTSCOPE_FN wave(Lanes& lanes, Memory& memory, u32 count = 1) : lanes(lanes), memory(memory), count_(count) {}
  // Makes the shared wave of a group's lookups. `own`: the keys of this thread.
  PIVOTSCOPE_FN static wave of_group(Lanes& lanes, Memory& memory, const Key (&own)[owned]) {
    wave all(lanes, memory, Size);
    PIVOTSCOPE_UNROLL
    for (u32 r = 0; r < owned; ++r) {
      all.own_[r] = own[r];
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < group; ++i) all.keys.values[r * group + i] = lanes.from(i, own[r]);
    }
    return all;
  }

  template <class T>
  PIVOTSCOPE_FN per_lookup<T> all(T value) const {
    per_lookup<T> list;
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < Size; ++i) list.values[i] = value;
    return list;
  }

  template <class T>
  PIVOTSCOPE_FN per_owner<T> to_keep(T value) const {
    per_owner<T> list;
    PIVOTSCOPE_UNROLL
    for (u32 r = 0; r < owned; ++r) list.values[r] = value;
    return list;
  }
  // Stores a value for lookup i, at the thread that owns it.
  template <class T>
  PIVOTSCOPE_FN void keep(per_owner<T>& list, u32 i, T value) const {
    if constexpr (shared) {
      if (lanes.lane() == i % group) list[i] = value;
    } else {
      list[i] = value;
    }
  }

  // Which lookups are marked. On a GPU the owner of a lookup knows; on the host they are bits, and no branch sets them.
  struct mark_bits {
    u32 bits;
  };
  static constexpr bool marks_are_bits = Size > 1 && !Lanes::are_threads;
  PIVOTSCOPE_FN auto unmarked() const {
    if constexpr (marks_are_bits)
      return mark_bits{0};
    else
      return to_keep(false);
  }
  PIVOTSCOPE_FN void mark(mark_bits& marks, u32 i, bool value) const { marks.bits |= u32{value} << i; }
  PIVOTSCOPE_FN void mark(per_owner<bool>& marks, u32 i, bool value) const { keep(marks, i, value); }

  // Calls f(i) for every lookup i of the wave.
  template <class F>
  PIVOTSCOPE_FN void each(F&& f) const {
    if constexpr (Size == 1) {
      f(0u);
    } else if constexpr (Lanes::are_threads) {
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < Size; ++i) f(i);
    } else {
      const u32 count = count_;
      for (u32 i = 0; i < count; ++i) memory.serve(i), f(i);
    }
  }

  // Returns f(key) of every lookup. On a GPU the lookup's owner computes it for its group.
  template <class F>
  PIVOTSCOPE_FN auto of_keys(F&& f) const {
    const auto own = of_owners([&](u32, Key key) { return f(key); });
    if constexpr (shared)
      return told_by(own, [](const auto& told) { return told; });
    else
      return own;
  }

  // Returns f(i, key) of every lookup, which only the lookup's owner gets.
  template <class F>
  PIVOTSCOPE_FN auto of_owners(F&& f) const {
    per_owner<decltype(f(0u, keys[0]))> list;
    each_own([&](u32 i, Key key) { list[i] = f(i, key); });
    return list;
  }
  // Returns part(the owner's value) of every lookup, to all threads of the group.
  template <class T, class Part>
  PIVOTSCOPE_FN auto told_by(const per_owner<T>& list, Part&& part) const {
    per_lookup<decltype(part(list[0]))> all;
    if constexpr (shared) {
      PIVOTSCOPE_UNROLL
      for (u32 r = 0; r < owned; ++r) {
        const auto own = part(list.values[r]);
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < group; ++i) all.values[r * group + i] = lanes.from(i, own);
      }
    } else {
      for (u32 i = 0; i < (Size == 1 ? 1 : count_); ++i) all[i] = part(list[i]);
    }
    return all;
  }

  // Calls load(i, lane) for every lookup i in every lane, and then use(i, at) for each lookup, where at(lane) is what
  // the lane loaded. On a GPU all loads are under way before the first use.
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

  // Finds, for the owner of each lookup, the least number that the lanes see, and what the first lane notes. Calls, in
  // this order: begin(i); load(i, lane) in every lane; see(i, lane, loaded), which returns a seen_and_noted; if it
  // `mends`, mend(loaded, seen), which corrects the number; told(i, the least). On a GPU all loads are under way
  // before the first use, a lane learns the results of its own lookups alone, and begin() and told(), which are for
  // the trace, are not called. Without `notes` nothing is noted. Hardly any index needs mend(), and it would cost the
  // others a branch per wave.
  struct least_and_noted {
    per_owner<u32> least;
    per_owner<bool> noted;
  };
  template <class Begin, class Load, class See, class Mend, class Told>
  PIVOTSCOPE_FN least_and_noted least_seen(bool notes, bool mends, Begin&& begin, Load&& load, See&& see, Mend&& mend,
                                           Told&& told) const {
    least_and_noted list;
    if constexpr (Lanes::are_threads) {
      decltype(load(0u, 0u)) got[Size];
      u32 seen[Size], noted = 0;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < Size; ++i) got[i] = load(i, lanes.lane());
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < Size; ++i) {
        const seen_and_noted by_lane = see(i, lanes.lane(), got[i]);
        seen[i] = by_lane.seen, noted |= by_lane.noted ? 1u << i : 0u;
      }
      if (mends) {
        PIVOTSCOPE_UNROLL
        for (u32 i = 0; i < Size; ++i) seen[i] = mend(got[i], seen[i]);
      }
      lanes.least_to_owners(seen, list.least.values);
      const u32 by_first = notes ? lanes.from(0, noted) : 0;
      PIVOTSCOPE_UNROLL
      for (u32 r = 0; r < owned; ++r) list.noted.values[r] = (by_first >> (r * group + lanes.lane()) & 1) != 0;
    } else {
      each([&](u32 i) {
        begin(i);
        bool noted = false;
        const u32 seen = lanes.min([&](u32 lane) {
          const auto got = load(i, lane);
          const seen_and_noted by_lane = see(i, lane, got);
          if (lane == 0) noted = by_lane.noted;
          return mends ? mend(got, by_lane.seen) : by_lane.seen;
        });
        list.least[i] = seen, list.noted[i] = noted;
        told(i, seen);
      });
    }
    return list;
  }

  // Goes on with the few `wanted` lookups once the others are done. begin(i, key) returns what such a lookup keeps;
  // more(key, kept, live) does one step of it with the group's lanes, and returns true if another step follows;
  // end(i, kept) takes the result. On a GPU the groups of the warp share these lookups out. A group without one
  // takes part with `live` false.
  template <class Wanted, class Begin, class More, class End>
  PIVOTSCOPE_FN void again(const Wanted& wanted, Begin&& begin, More&& more, End&& end) const {
    using kept_type = decltype(begin(0u, keys[0]));
    if constexpr (shared) {
      u32 left = 0;  // of this thread's own, by bits; the lowest is its next
      PIVOTSCOPE_UNROLL
      for (u32 r = 0; r < owned; ++r) left |= wanted.values[r] ? 1u << r : 0u;
      const auto with_next = [&](auto&& f) {
        PIVOTSCOPE_UNROLL
        for (u32 r = 0; r < owned; ++r) {
          if ((left & ((2u << r) - 1)) == 1u << r) f(r, r * group + lanes.lane());
        }
      };
      Key key{};
      kept_type kept{};
      const auto begin_next = [&] {
        with_next([&](u32 r, u32 i) { key = own_[r], kept = begin(i, own_[r]); });
        return left != 0;
      };
      lanes.share_out(begin_next(), key, kept, more, [&] {
        with_next([&](u32, u32 i) { end(i, kept); });
        left &= left - 1;
        return begin_next();
      });
    } else if constexpr (Size == 1) {
      if (!wanted[0]) return;
      kept_type kept = begin(0u, keys[0]);
      while (more(keys[0], kept, true)) {
      }
      end(0u, kept);
    } else {
      per_lookup<kept_type> kept;
      const u32 all = bits_of(wanted);
      const auto each_of = [&](u32 some, auto&& f) {
        for (; some != 0; some &= some - 1) {
          const u32 i = trailing_zeros(some);
          memory.serve(i), f(i);
        }
      };
      each_of(all, [&](u32 i) { kept[i] = begin(i, keys[i]); });
      lanes.meanwhile();
      for (u32 going = all; going != 0;) {
        each_of(going, [&](u32 i) {
          if (more(keys[i], kept[i], true)) return;
          going &= ~(1u << i);
          end(i, kept[i]);
        });
      }
    }
  }

  // Returns true if the search may end before its last step because every lookup is done.
  PIVOTSCOPE_FN bool may_stop(const per_lookup<bool>& searching) const {
    if constexpr (Size == 1) {
      return lanes.may_stop(!searching[0]);
    } else if constexpr (Lanes::are_threads) {
      return lanes.may_stop(false);
    } else {
      bool any = false;
      for (u32 i = 0; i < count_; ++i) any |= searching[i];
      return !any;
    }
  }

  // Returns true if no lookup of the wave is searching, nor one of the warp's other waves. Unlike may_stop(), it also asks
  // the other threads of a GPU's warp: worth it before a part of the search that has many steps.
  PIVOTSCOPE_FN bool all_done(const per_lookup<bool>& searching) const {
    bool any = false;
    each([&](u32 i) { any |= searching[i]; });
    return lanes.all_done(!any);
  }

  // Returns the same lookups over a memory that a family makes of this one.
  template <class Other>
  PIVOTSCOPE_FN wave<Lanes, Other, Key, Size, Shared> over(Other& other) const {
    wave<Lanes, Other, Key, Size, Shared> same(lanes, other, count_);
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < Size; ++i) same.keys.values[i] = keys.values[i];
    PIVOTSCOPE_UNROLL
    for (u32 r = 0; r < (shared ? owned : 1); ++r) same.own_[r] = own_[r];
    return same;
  }

  using key = Key;
  using memory_type = Memory;
  Lanes& lanes;
  Memory& memory;
  per_lookup<Key> keys;

 private:
  template <class, class, class, u32, bool>
  friend class wave;

  static u32 bits_of(const mark_bits& marks) { return marks.bits; }
  u32 bits_of(const per_owner<bool>& marks) const {
    u32 bits = 0;
    each([&](u32 i) { bits |= u32{marks[i]} << i; });
    return bits;
  }

  // Calls f(i, key) for every lookup, in the thread that owns it.
  template <class F>
  PIVOTSCOPE_FN void each_own(F&& f) const {
    if constexpr (shared) {
      PIVOTSCOPE_UNROLL
      for (u32 r = 0; r < owned; ++r) f(r * group + lanes.lane(), own_[r]);
    } else {
      each([&](u32 i) { f(i, keys[i]); });
    }
  }

  u32 count_;
  Key own_[shared ? owned : 1]{};  // of a shared wave
};

// Makes a wave of one lookup.
template <class Lanes, class Memory, class Key>
PIVOTSCOPE_FN wave<Lanes, Memory, Key, 1> wave_of(Lanes& lanes, Memory& memory, Key key) {
  wave<Lanes, Memory, Key, 1> one(lanes, memory);
  one.keys[0] = key;
  return one;
}

}  // namespace pivotscope
