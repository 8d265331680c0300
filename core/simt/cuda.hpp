// Lanes, memory and block for the cuda machine. Compiled by NVRTC with a static config, so that what is asked of
// `Config::value` is gone from the machine code.
//
// A warp's 32 threads load 32 lookups, one each. A group of G = ceil_pow2(lanes) threads serves its G lookups one after
// another, all groups in step: no thread leaves, and every shuffle has the constant full mask (a mask known at run time
// only costs up to 1.7x, MEASURED.md). Threads past the end of the batch look a dummy key up.
#pragma once

#include "core/config/index_config.hpp"
#include "core/index/ordered/shape.hpp"
#include "core/simt/run.hpp"
#include "core/simt/wave.hpp"
#if defined(PIVOTSCOPE_REORDER)  // only kernels that sort wait for CUB to compile
#include "core/simt/cuda_sort.hpp"
#endif

namespace pivotscope {

inline constexpr u32 full_warp = 0xFFFFFFFFu;

// So many threads of a warp that serve one lookup together.
template <u32 Count>
class cuda_lanes {
 public:
  static constexpr u32 count = Count;
  static constexpr u32 group = ceil_pow2(Count);

  template <class T>
  struct per_lane {
    T value;
    PIVOTSCOPE_FN T& operator[](u32) { return value; }
  };
  template <class T>
  PIVOTSCOPE_FN per_lane<T> each(T value) const {
    return {value};
  }

  // The least row id that the lanes take, each what it sees.
  struct row_of_lanes {
    u32 row = not_found;
    PIVOTSCOPE_FN void take(u32 seen) { row = least(row, seen); }
    PIVOTSCOPE_FN u32 of_all(cuda_lanes& lanes) const {
      return lanes.min([this](u32) { return row; });
    }
  };
  PIVOTSCOPE_FN row_of_lanes least_row() const { return {}; }

  PIVOTSCOPE_FN u32 lane() const { return threadIdx.x & (group - 1); }

  template <class F>
  PIVOTSCOPE_FN auto sum(F&& f) {
    decltype(f(0u)) value{};
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
  PIVOTSCOPE_FN static bool all_done(bool done) { return __all_sync(full_warp, done); }
  PIVOTSCOPE_FN static constexpr u32 size() { return count; }
  PIVOTSCOPE_FN bool leads() const { return lane() == 0; }

  // body(lanes of the whole warp, what a lookup hands over) for every lookup of the warp that wants it, in turn; each
  // gets what its own came to. `wanted` and `rest` are the same in all threads of a group.
  template <class Rest, class F>
  PIVOTSCOPE_FN auto take_turns(bool wanted, const Rest& rest, F&& body) {
    static_assert(sizeof(Rest) % 4 == 0);
    cuda_lanes<32> warp;
    decltype(body(warp, rest)) mine{};
    u32 waiting = __ballot_sync(full_warp, wanted && leads());
    while (waiting != 0) {
      const int from = __ffs(static_cast<int>(waiting)) - 1;
      waiting &= waiting - 1;
      Rest turn;
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < sizeof(Rest) / 4; ++i) {
        reinterpret_cast<u32*>(&turn)[i] = __shfl_sync(full_warp, reinterpret_cast<const u32*>(&rest)[i], from);
      }
      const auto answer = body(warp, turn);
      if ((threadIdx.x & 31u & ~(group - 1)) == static_cast<u32>(from)) mine = answer;
    }
    return mine;
  }
};

// Adjacent keys as one load of scratch.
template <class Key, u32 Slots>
PIVOTSCOPE_FN void load_scratch(const Key* from, Key (&to)[Slots]) {
  struct alignas(sizeof(Key) * Slots) pack {
    Key keys[Slots];
  };
  const pack v = *reinterpret_cast<const pack*>(from);
  PIVOTSCOPE_UNROLL
  for (u32 i = 0; i < Slots; ++i) to[i] = v.keys[i];
}

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
  PIVOTSCOPE_FN cuda_memory(const index_view& view, const Key* scratch)
      : entries_(static_cast<const Key*>(view.entries)),
        rows_(static_cast<const u32*>(view.rows)),
        pivots_(static_cast<const Key*>(view.pivots)),
        scratch_(scratch) {}

  PIVOTSCOPE_FN static void step(u32) {}
  PIVOTSCOPE_FN static void scan_step(u32, bool) {}
  PIVOTSCOPE_FN static void will_read(region_id, u64, u32) {}  // the warp's other lookups fill the wait

  PIVOTSCOPE_FN probe probe_entries(u32 first, node_run run, u32 lane, Key key, bool pinned,
                                    bool want_row = true) const {
    const u64 begin = static_cast<u64>(first) + run.offset(lane);
    probe result{0, not_found};
    if (pinned) {
      // Scratch holds keys only: a match in it fetches its row id.
      bool equal = false;
      compare_keys<true>(scratch_ + begin, run, lane, [&](Key k) {
        result.less += k < key;
        equal |= k == key;
      });
      if (equal && want_row) result.row = entry_row(begin + result.less);
    } else if constexpr (Config::value.layout == entry_layout::aos) {
      const u32 slots = slots_a_load(run.align, entry_bytes(Config::value));
      PIVOTSCOPE_UNROLL
      for (u32 i = 0; i < run.per_lane; i += slots) {
        if (i < run.live(lane)) compare_structs(entries_ + 2 * (begin + i), slots, key, result);
      }
    } else {
      bool equal = false;
      compare_keys<false>(entries_ + begin, run, lane, [&](Key k) {
        result.less += k < key;
        equal |= k == key;
      });
      if (equal && want_row) result.row = entry_row(begin + result.less);
    }
    return result;
  }

  PIVOTSCOPE_FN u32 count_less_pivots(u32 first, node_run run, u32 lane, Key key, bool pinned) const {
    const u64 begin = static_cast<u64>(first) + run.offset(lane);
    u32 less = 0;
    const auto count = [&](Key k) { less += k < key; };
    if (pinned) {
      compare_keys<true>(scratch_ + begin, run, lane, count);
    } else {
      compare_keys<false>(pivots_ + begin, run, lane, count);
    }
    return less;
  }

  // Key and row id both, whether the key turns out to be in the range or not: waiting for the key before the row id is
  // asked for takes a scan of two arrays twice as long, and only its last entries are read in vain.
  PIVOTSCOPE_FN scanned_entry<Key> scan_entry(u64 slot) const {
    if constexpr (Config::value.layout == entry_layout::aos) {
      Key entry[2];
      keys_load<Key>::load(entries_ + 2 * slot, entry);
      return {entry[0], static_cast<u32>(entry[1])};
    } else {
      return {__ldg(entries_ + slot), __ldg(rows_ + slot)};
    }
  }

  PIVOTSCOPE_FN Key entry_key(u32 slot) const {
    return __ldg(entries_ + static_cast<u64>(slot) * (entry_bytes(Config::value) / sizeof(Key)));
  }
  PIVOTSCOPE_FN Key scratch_key(u32 index) const { return scratch_[index]; }

  // A key that is to be pinned.
  PIVOTSCOPE_FN Key pin_key(pinned_slot from) const {
    return from.array == ordered_region::pivots ? __ldg(pivots_ + from.slot) : entry_key(static_cast<u32>(from.slot));
  }

 private:
  PIVOTSCOPE_FN u32 entry_row(u64 slot) const {
    if constexpr (Config::value.layout == entry_layout::soa) return __ldg(rows_ + slot);
    return static_cast<u32>(__ldg(entries_ + 2 * slot + 1));
  }

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

  // f(key) for a lane's share of a node, in loads as wide as its alignment allows.
  template <bool Scratch, class F>
  PIVOTSCOPE_FN static void compare_keys(const Key* from, node_run run, u32 lane, F&& f) {
    const u32 slots = slots_a_load(run.align, sizeof(Key));
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < run.per_lane; i += slots) {
      if (i < run.live(lane)) compare_load<Scratch>(from + i, slots, f);
    }
  }
  template <bool Scratch, class F>
  PIVOTSCOPE_FN static void compare_load(const Key* from, u32 slots, F&& f) {
    if constexpr (sizeof(Key) == 4) {
      if (slots == 4) return compare_fixed<Scratch, 4>(from, f);
    }
    if (slots == 2) return compare_fixed<Scratch, 2>(from, f);
    compare_fixed<Scratch, 1>(from, f);
  }
  template <bool Scratch, u32 Slots, class F>
  PIVOTSCOPE_FN static void compare_fixed(const Key* from, F&& f) {
    Key keys[Slots];
    if constexpr (Scratch) {
      load_scratch(from, keys);
    } else {
      keys_load<Key>::load(from, keys);
    }
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < Slots; ++i) f(keys[i]);
  }

  const Key* entries_;
  const u32* rows_;
  const Key* pivots_;
  const Key* scratch_;
};

// A thread block's tile: thread t holds lookups t, t + threads, ... of it, so that loads and stores coalesce. Its
// shared memory, all dynamic: the pinned keys, then what sorting takes, which the answers on their way home reuse.
template <class Config, class Key>
class cuda_block {
 public:
  static constexpr u32 threads = Config::value.threads;
  static constexpr u32 per_thread = Config::value.per_thread;
  static constexpr u32 pin_bytes = Config::value.pin == pin_kind::none ? 0 : Config::value.scratch;  // 16 divides it
#if defined(PIVOTSCOPE_REORDER)
  static constexpr u32 shared_bytes = pin_bytes + sorted_tile<Config, Key>::shared_bytes;
#else
  static constexpr u32 shared_bytes = pin_bytes;
#endif

  PIVOTSCOPE_FN cuda_block(Config, const index_view& view, u8* shared)
      : shared_(shared), memory_(view, reinterpret_cast<const Key*>(shared)) {}

  // source(i) says which key is pinned as the i-th.
  template <class F>
  PIVOTSCOPE_FN void fill_scratch(u32 count, F&& source) {
    Key* const scratch = reinterpret_cast<Key*>(shared_);
    for (u32 i = threadIdx.x; i < count; i += threads) scratch[i] = memory_.pin_key(source(i));
    __syncthreads();
  }

  // Dynamic schedule (O1): one tile a block, and the hardware hands out blocks. Static: a fixed grid, and every block
  // takes each gridDim-th tile.
  template <class F>
  PIVOTSCOPE_FN void each_tile(u64 count, F&& f) {
    constexpr u64 size = tile_lookups(Config::value);
    const auto serve = [&](u64 first) { f(first, static_cast<u32>(count - first < size ? count - first : size)); };
    if constexpr (Config::value.schedule == schedule_kind::dynamic) {
      serve(blockIdx.x * size);
    } else {
      for (u64 first = blockIdx.x * size; first < count; first += gridDim.x * size) serve(first);
    }
  }

  // A tile in the order it comes in. One search in the code, whatever the lookups a thread: unrolled 16 times it would
  // take NVRTC most of a second.
  template <class F>
  PIVOTSCOPE_FN void map_as_it_comes(const Key* lookups, u32* answers, u32 size, F&& f) {
    _Pragma("unroll 1") for (u32 i = 0; i < per_thread; ++i) {
      const u32 at = i * threads + threadIdx.x;
      const u32 row = serve(at < size ? __ldcs(lookups + at) : Key{0}, f);
      if (at < size) __stcs(answers + at, row);
    }
  }

  // f(lanes, memory, place in the tile, key, is it a lookup?) for a tile, by a group's lanes together.
  template <class F>
  PIVOTSCOPE_FN void each_as_it_comes(const Key* keys, u32 size, F&& f) {
    _Pragma("unroll 1") for (u32 i = 0; i < per_thread; ++i) {
      const u32 at = i * threads + threadIdx.x;
      serve_each(at, at < size ? __ldcs(keys + at) : Key{0}, size, f);
    }
  }
  template <class F>
  PIVOTSCOPE_FN void each_sorted(const Key* keys, u32 size, u32 begin, u32 end, F&& f) {
#if defined(PIVOTSCOPE_REORDER)
    sorted_tile<Config, Key> tile(shared_ + pin_bytes);
    tile.fill(keys, size, begin, end);
    _Pragma("unroll 1") for (u32 i = threadIdx.x; i < threads * per_thread; i += threads) {
      serve_each(tile.place(i), tile.key(i), size, f);
    }
#endif
  }

  // A tile sorted by the bits [begin, end) of its keys (O3), so that neighbouring threads walk the same way: item i of
  // thread t is the (i * threads + t)-th of that order. Answers are written where their lookups came from, or first put
  // back in order in shared memory ("double").
  template <class F>
  PIVOTSCOPE_FN void map_sorted(const Key* lookups, u32* answers, u32 size, u32 begin, u32 end, F&& f) {
#if defined(PIVOTSCOPE_REORDER)
    sorted_tile<Config, Key> tile(shared_ + pin_bytes);
    tile.fill(lookups, size, begin, end);
    _Pragma("unroll 1") for (u32 i = threadIdx.x; i < threads * per_thread; i += threads) {
      const u32 row = serve(tile.key(i), f), place = tile.place(i);
      if constexpr (Config::value.reorder == reorder_kind::both) {
        tile.answer(place) = row;
      } else {
        if (place < size) __stcs(answers + place, row);
      }
    }
    if constexpr (Config::value.reorder == reorder_kind::both) {
      __syncthreads();
      for (u32 i = threadIdx.x; i < size; i += threads) __stcs(answers + i, tile.answer(i));
    }
#endif
  }

 private:
  // Every thread's lookup: alone, or the lookups of a group's threads one after another by all of them.
  template <class F>
  PIVOTSCOPE_FN u32 serve(Key key, F&& f) {
    cuda_lanes<Config::value.lanes> lanes;
    constexpr u32 group = cuda_lanes<Config::value.lanes>::group;
    if constexpr (group == 1) {
      auto one = wave_of(lanes, memory_, key);
      return f(one)[0];
    } else {
      u32 answer = not_found;
      _Pragma("unroll 1") for (u32 member = 0; member < group; ++member) {
        auto one = wave_of(lanes, memory_, __shfl_sync(full_warp, key, static_cast<int>(member), group));
        const u32 row = f(one)[0];
        if (lanes.lane() == member) answer = row;
      }
      return answer;
    }
  }

  template <class F>
  PIVOTSCOPE_FN void serve_each(u32 place, Key key, u32 size, F&& f) {
    cuda_lanes<Config::value.lanes> lanes;
    constexpr u32 group = cuda_lanes<Config::value.lanes>::group;
    _Pragma("unroll 1") for (u32 member = 0; member < group; ++member) {
      const u32 its_place = __shfl_sync(full_warp, place, static_cast<int>(member), group);
      const Key its_key = __shfl_sync(full_warp, key, static_cast<int>(member), group);
      f(lanes, memory_, its_place, its_key, its_place < size);
    }
  }

  u8* shared_;
  cuda_memory<Config, Key> memory_;
};

}  // namespace pivotscope
