// The pass that puts groups of keys in order (group_plan.hpp), for who stores them: an array of sorted keys
// (group_sort.cu), or an index that is built of them (kernels.hpp). For CUDA's compilers alone.
#pragma once

#include "core/machine/cuda/group_window.hpp"

namespace pivotscope {

inline constexpr u32 warp_size = 32, whole_warp = ~0u;

// A warp takes a window of the keys, and puts those groups in order that begin in its first part; the rest is there so
// that these end in it. What its threads compare are cells of scratch:
//
//   cell    | where the key's group begins | its low bits | its place |     of the window; one word of a key's width
//
// So the cells of a window differ, and ascend from group to group. A key's new place is the one where its group begins
// and as many more as there are smaller cells behind that: it is counted from the last load's bound before, whose other
// cells are smaller, too.
template <class Key>
struct group_window {
  static constexpr u32 keys = keys_a_window(sizeof(Key)), own = keys_a_group_warp(sizeof(Key)), rows = keys / warp_size;
  static constexpr u32 place_bits = 9, most_low = most_low_bits(sizeof(Key) * 8);
  static constexpr u32 a_load = 16 / sizeof(Key);
  static_assert(keys <= 1u << place_bits && most_low + 2 * place_bits < sizeof(Key) * 8 - 1);
};

// How many of a load's cells are smaller. Of 32 bits by the sign of what they differ by as floating-point numbers,
// which keep the order of such patterns: half of the instructions then go to a pipe that the others leave alone.
__device__ inline u32 smaller(const uint4& cells, u32 own) {
  const auto one = [&](u32 cell) { return __float_as_uint(__uint_as_float(cell) - __uint_as_float(own)) >> 31; };
  return one(cells.x) + one(cells.y) + one(cells.z) + one(cells.w);
}
__device__ inline u32 smaller(const ulonglong2& cells, u64 own) {
  return (cells.x < own ? 1u : 0u) + (cells.y < own ? 1u : 0u);
}
__device__ inline u32 last_of(const uint4& cells) { return cells.w; }
__device__ inline u64 last_of(const ulonglong2& cells) { return cells.y; }

template <class Key>
struct cells_of_load;
template <>
struct cells_of_load<u32> {
  using type = uint4;
};
template <>
struct cells_of_load<u64> {
  using type = ulonglong2;
};

// One warp's part of it, all threads of a block together: `from`, keys and row ids in the order of the keys' bits from
// `any_low` on; `sink`: sink.from(begin) comes to what takes (place, key, row), of which begin + place is the rank. If it
// has a true counts_repeats, it is told how many keys are like the one before, by and by: sink.count_repeats(n).
// Plain: keys are not in doubt, and `low` is the most that it can be: both is known to the compiler then, and not
// asked. *failed as put_groups_in_order() says.
template <class Key, bool Plain, class Sink>
__device__ __forceinline__ void group_pass(const Key* __restrict__ keys, const u32* __restrict__ rows, u32 n,
                                           u32 any_low, u32* failed, const Sink& sink) {
  using shape = group_window<Key>;
  using load = typename cells_of_load<Key>::type;
  __shared__ __align__(16) Key cells[group_warps][shape::keys + shape::a_load];
  // The keys' cells in their new order, where anybody asks for repeats.
  constexpr bool counts_repeats = requires { requires Sink::counts_repeats; };
  __shared__ Key in_order[counts_repeats ? group_warps : 1][counts_repeats ? shape::keys : 1];
  const u32 low = Plain ? shape::most_low : any_low;
  const u32 lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
  Key* const cell = cells[warp];
  const u64 begin = (u64{blockIdx.x} * group_warps + warp) * shape::own;
  if (begin >= n) return;  // a warp as a whole
  const u32 here = n - begin < shape::keys ? static_cast<u32>(n - begin) : shape::keys;
  const bool whole = here == shape::keys && begin != 0;
  const u32 begin_bit = low + shape::place_bits;  // of where a group begins
  const Key upper = ~Key{0} << low, low_bits = ~upper << shape::place_bits;

  const Key* const from = keys + begin + lane;
  const u32* const rows_from = rows + begin + lane;
  Key key[shape::rows], before[shape::rows];
  u32 row[shape::rows];
  // All of a window's loads are on the way at once.
  if (whole) {
#pragma unroll
    for (u32 r = 0; r < shape::rows; ++r) key[r] = from[r * warp_size];
#pragma unroll
    for (u32 r = 0; r < shape::rows; ++r) before[r] = from[static_cast<int>(r * warp_size) - 1];
#pragma unroll
    for (u32 r = 0; r < shape::rows; ++r) row[r] = r * warp_size < shape::own ? __ldcs(rows_from + r * warp_size) : 0;
  } else {
#pragma unroll
    for (u32 r = 0; r < shape::rows; ++r) {
      const u32 i = r * warp_size + lane;
      key[r] = i < here ? from[r * warp_size] : ~Key{0};
      row[r] = i < here ? rows_from[r * warp_size] : 0;
      before[r] = i < here && begin + i > 0 ? from[static_cast<int>(r * warp_size) - 1] : key[r];
    }
  }
  // Behind the last cell there is one greater than all.
  if (lane < shape::a_load) cell[shape::keys + lane] = Key{1} << (sizeof(Key) * 8 - 2);

  const u32 up_to_me = whole_warp >> (warp_size - 1 - lane);
  u32 begins = 0, first = shape::keys;  // the group that goes on, and the first that begins here
  bool descends = false;
#pragma unroll
  for (u32 r = 0; r < shape::rows; ++r) {
    const u32 i = r * warp_size + lane;
    bool begins_here = ((key[r] ^ before[r]) & upper) != 0;
    if (!Plain) descends |= begins_here && key[r] < before[r];
    if (!whole)
      begins_here |= i >= here || begin + i == 0;  // nothing is before the first, and something else behind the last
    const u32 heads = __ballot_sync(whole_warp, begins_here), mine = heads & up_to_me;
    const u32 at = mine != 0 ? r * warp_size + 31 - static_cast<u32>(__clz(static_cast<int>(mine))) : begins;
    if (heads != 0) {
      begins = r * warp_size + 31 - static_cast<u32>(__clz(static_cast<int>(heads)));
      if (first == shape::keys) first = r * warp_size + static_cast<u32>(__ffs(static_cast<int>(heads))) - 1;
    }
    cell[i] = Key{at} << begin_bit | (key[r] << shape::place_bits & low_bits) | Key{i};
    if constexpr (counts_repeats) in_order[warp][i] = ~Key{0};
  }
  __syncwarp();

  const auto put = sink.from(static_cast<u32>(begin));
  const Key own_end = Key{shape::own} << begin_bit, within = (Key{1} << begin_bit) - 1;
#pragma unroll
  for (u32 r = 0; r < shape::rows; ++r) {
    const u32 i = r * warp_size + lane;
    const Key own = cell[i];
    if (own >= own_end || i < first || (!whole && i >= here)) continue;
    u32 place = static_cast<u32>(own >> begin_bit) & ~(shape::a_load - 1);
    const Key* next = cell + place;
    load some;
    do {
      some = *reinterpret_cast<const load*>(next);
      next += shape::a_load;
      place += smaller(some, own);
    } while (last_of(some) <= (own | within));
    put(place, key[r], r * warp_size < shape::own ? row[r] : rows_from[r * warp_size]);
    if constexpr (counts_repeats) in_order[warp][place] = own >> shape::place_bits;
  }
  if constexpr (counts_repeats) {
    __syncwarp();
    u32 repeats = 0;
#pragma unroll
    for (u32 r = 0; r < shape::rows; ++r) {
      const u32 i = r * warp_size + lane;
      if (i > 0) repeats += in_order[warp][i] == in_order[warp][i - 1] && in_order[warp][i] != ~Key{0};
    }
    repeats = __reduce_add_sync(whole_warp, repeats);
    if (repeats > 0 && lane == 0) sink.count_repeats(repeats);
  }
  // A group that begins in the first part and ends in no other: where it ends is not known.
  const bool too_long = begins < shape::own && here == shape::keys && begin + shape::keys < n;
  if (descends || too_long) *failed = 1;
}

}  // namespace pivotscope
