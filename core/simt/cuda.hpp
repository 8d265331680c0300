// Lanes, memory and block for the cuda machine. Compiled by NVRTC with a static config, so that what is asked of
// `Config::value` is gone from the machine code.
//
// A warp's 32 threads load 32 lookups, one each. A group of G = ceil_pow2(lanes) threads serves its G lookups one after
// another, all groups in step: no thread leaves, and every shuffle has the constant full mask (a mask known at run time
// only costs up to 1.7x, MEASURED.md). Threads past the end of the batch look a dummy key up.
#pragma once

#include "core/config/index_config.hpp"
#include "core/order/shape.hpp"
#include "core/simt/run.hpp"

namespace pivotscope {

inline constexpr u32 full_warp = 0xFFFFFFFFu;

template <class Config>
class cuda_lanes {
 public:
  static constexpr u32 count = Config::value.lanes;
  static constexpr u32 group = group_threads(Config::value);

  template <class T>
  struct per_lane {
    T value;
    PIVOTSCOPE_FN T& operator[](u32) { return value; }
  };
  template <class T>
  PIVOTSCOPE_FN per_lane<T> each(T value) const {
    return {value};
  }

  PIVOTSCOPE_FN u32 lane() const { return threadIdx.x & (group - 1); }

  template <class F>
  PIVOTSCOPE_FN u32 sum(F&& f) {
    u32 value = 0;
    if (count == group || lane() < count) value = f(lane());
    PIVOTSCOPE_UNROLL
    for (u32 distance = group / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(full_warp, value, distance);
    return value;
  }
  template <class F>
  PIVOTSCOPE_FN u32 min(F&& f) {
    u32 value = ~0u;
    if (count == group || lane() < count) value = f(lane());
    PIVOTSCOPE_UNROLL
    for (u32 distance = group / 2; distance > 0; distance /= 2) {
      value = least(value, __shfl_xor_sync(full_warp, value, distance));
    }
    return value;
  }
  PIVOTSCOPE_FN static constexpr bool may_stop(bool) { return false; }
};

// Adjacent keys as one load, read through the read-only path: an index does not change while it is searched.
template <class Key>
struct keys_load;
template <>
struct keys_load<u32> {
  PIVOTSCOPE_FN static void load(const u32* from, u32 (&to)[1]) { to[0] = __ldg(from); }
  PIVOTSCOPE_FN static void load(const u32* from, u32 (&to)[2]) {
    const uint2 v = __ldg(reinterpret_cast<const uint2*>(from));
    to[0] = v.x, to[1] = v.y;
  }
  PIVOTSCOPE_FN static void load(const u32* from, u32 (&to)[4]) {
    const uint4 v = __ldg(reinterpret_cast<const uint4*>(from));
    to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
  }
};
template <>
struct keys_load<u64> {
  PIVOTSCOPE_FN static void load(const u64* from, u64 (&to)[1]) { to[0] = __ldg(from); }
  PIVOTSCOPE_FN static void load(const u64* from, u64 (&to)[2]) {
    const ulonglong2 v = __ldg(reinterpret_cast<const ulonglong2*>(from));
    to[0] = v.x, to[1] = v.y;
  }
};

template <class Config, class Key>
class cuda_memory {
 public:
  PIVOTSCOPE_FN explicit cuda_memory(const index_view& view)
      : entries_(static_cast<const Key*>(view.entries)),
        rows_(static_cast<const u32*>(view.rows)),
        pivots_(static_cast<const Key*>(view.pivots)) {}

  PIVOTSCOPE_FN static void step(u32) {}

  PIVOTSCOPE_FN probe probe_entries(u64 first, u32 live, u32 per_lane, u32 align, Key key) const {
    probe result{0, not_found};
    if constexpr (Config::value.layout == entry_layout::aos) {
      const u32 slots = slots_a_load(align, entry_bytes(Config::value));
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < per_lane; i += slots) {
        if (i < live) compare_structs(entries_ + 2 * (first + i), slots, key, result);
      }
    } else {
      bool equal = false;
      compare_keys(entries_ + first, live, per_lane, align, [&](Key k) {
        result.less += k < key;
        equal |= k == key;
      });
      if (equal) result.row = __ldg(rows_ + first + result.less);
    }
    return result;
  }

  PIVOTSCOPE_FN u32 count_less_pivots(u64 first, u32 live, u32 per_lane, u32 align, Key key) const {
    u32 less = 0;
    compare_keys(pivots_ + first, live, per_lane, align, [&](Key k) { less += k < key; });
    return less;
  }

  PIVOTSCOPE_FN Key entry_key(u64 slot) const {
    return __ldg(entries_ + slot * (entry_bytes(Config::value) / sizeof(Key)));
  }

 private:
  // Entries {key, row id} at `from`: two of 8 bytes in a load where they are aligned to it, else one of 8 or 16.
  PIVOTSCOPE_FN static void compare_structs(const Key* from, u32 slots, Key key, probe& result) {
    const auto take = [&](Key k, u32 row) {
      result.less += k < key;
      if (k == key) result.row = least(result.row, row);
    };
    if constexpr (sizeof(Key) == 8) {
      Key entry[2];
      keys_load<Key>::load(from, entry);
      take(entry[0], static_cast<u32>(entry[1]));
    } else if (slots == 2) {
      Key entry[4];
      keys_load<Key>::load(from, entry);
      take(entry[0], entry[1]);
      take(entry[2], entry[3]);
    } else {
      Key entry[2];
      keys_load<Key>::load(from, entry);
      take(entry[0], entry[1]);
    }
  }

  template <class F>
  PIVOTSCOPE_FN static void compare_keys(const Key* from, u32 live, u32 per_lane, u32 align, F&& f) {
    const u32 slots = slots_a_load(align, sizeof(Key));
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < per_lane; i += slots) {
      if (i < live) compare_load(from + i, slots, f);
    }
  }
  template <class F>
  PIVOTSCOPE_FN static void compare_load(const Key* from, u32 slots, F&& f) {
    if constexpr (sizeof(Key) == 4) {
      if (slots == 4) return compare_fixed<4>(from, f);
    }
    if (slots == 2) return compare_fixed<2>(from, f);
    compare_fixed<1>(from, f);
  }
  template <u32 Slots, class F>
  PIVOTSCOPE_FN static void compare_fixed(const Key* from, F&& f) {
    Key keys[Slots];
    keys_load<Key>::load(from, keys);
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < Slots; ++i) f(keys[i]);
  }

  const Key* entries_;
  const u32* rows_;
  const Key* pivots_;
};

// A thread block's tile: thread t holds lookups t, t + threads, ... of it, so that loads and stores coalesce.
template <class Config, class Key>
class cuda_block {
 public:
  static constexpr u32 threads = Config::value.threads;
  static constexpr u32 per_thread = Config::value.per_thread;

  PIVOTSCOPE_FN cuda_block(Config, const index_view& view) : memory_(view) {}

  // Dynamic schedule (O1): one tile a block, and the hardware hands out blocks.
  template <class F>
  PIVOTSCOPE_FN void each_tile(u64 count, F&& f) {
    const u64 size = static_cast<u64>(threads) * per_thread;
    const u64 first = static_cast<u64>(blockIdx.x) * size;
    f(first, static_cast<u32>(count - first < size ? count - first : size));
  }

  PIVOTSCOPE_FN void load(const Key* lookups, u32 size) { lookups_ = lookups, size_ = size; }

  // One search in the code, whatever the lookups a thread: unrolled 16 times it would take NVRTC most of a second.
  template <class F>
  PIVOTSCOPE_FN void map_to(u32* answers, F&& f) {
    cuda_lanes<Config> lanes;
    constexpr u32 group = cuda_lanes<Config>::group;
    _Pragma("unroll 1") for (u32 i = 0; i < per_thread; ++i) {
      const u32 at = i * threads + threadIdx.x;
      const Key key = at < size_ ? __ldcs(lookups_ + at) : Key{0};
      u32 answer = not_found;
      if constexpr (group == 1) {
        answer = f(lanes, memory_, key);
      } else {
        _Pragma("unroll 1") for (u32 member = 0; member < group; ++member) {
          const u32 row = f(lanes, memory_, __shfl_sync(full_warp, key, static_cast<int>(member), group));
          if (lanes.lane() == member) answer = row;
        }
      }
      if (at < size_) __stcs(answers + at, answer);
    }
  }

 private:
  cuda_memory<Config, Key> memory_;
  const Key* lookups_ = nullptr;
  u32 size_ = 0;
};

}  // namespace pivotscope
