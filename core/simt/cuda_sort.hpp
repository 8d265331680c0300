// Sorts a tile of lookups across a thread block (O3; lightweight, Section 4.3). Includes CUB, which takes NVRTC a
// second or more without a precompiled header, so only kernels that reorder include this.
#pragma once

#include <cub/block/block_radix_sort.cuh>

#include "core/config/index_config.hpp"

namespace pivotscope {

// The sorted tile in shared memory: the keys in order, and for each the place in the tile that it came from. CUB's work
// space overlaps it, since it is used before. The answers that wait to be put back in order ("double") lie behind both.
template <launch_config Launch, class Key>
class sorted_tile {
  static constexpr u32 threads = Launch.threads;
  static constexpr u32 per_thread = Launch.per_thread;
  static constexpr u32 size = threads * per_thread;
  static_assert(size <= 1u << 16, "a place in a tile has 16 bits");
  using radix_sort = cub::BlockRadixSort<Key, static_cast<int>(threads), static_cast<int>(per_thread), u16>;

  PIVOTSCOPE_FN static constexpr u32 round_up(u32 bytes) { return (bytes + 15u) & ~15u; }
  static constexpr u32 work_bytes = sizeof(typename radix_sort::TempStorage);
  static constexpr u32 places_at = size * sizeof(Key);
  static constexpr u32 tile_bytes = places_at + size * sizeof(u16);
  static constexpr u32 answers_at = round_up(work_bytes > tile_bytes ? work_bytes : tile_bytes);

 public:
  static constexpr u32 shared_bytes =
      answers_at + (Launch.reorder == reorder_kind::both ? round_up(size * sizeof(u32)) : 0u);

  PIVOTSCOPE_FN explicit sorted_tile(u8* shared) : shared_(shared) {}

  PIVOTSCOPE_FN Key key(u32 i) const { return reinterpret_cast<const Key*>(shared_)[i]; }
  PIVOTSCOPE_FN u32 place(u32 i) const { return reinterpret_cast<const u16*>(shared_ + places_at)[i]; }
  PIVOTSCOPE_FN u32& answer(u32 place) const { return reinterpret_cast<u32*>(shared_ + answers_at)[place]; }

  // Loads `live` lookups and sorts them by the key bits [begin, end). Places from `live` on hold no lookup.
  PIVOTSCOPE_FN void fill(const Key* lookups, u32 live, u32 begin, u32 end) {
    Key keys[per_thread];
    u16 places[per_thread];
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < per_thread; ++i) {
      const u32 at = i * threads + threadIdx.x;
      keys[i] = at < live ? __ldcs(lookups + at) : greatest_key<Key>();
      places[i] = static_cast<u16>(at);
    }
    __syncthreads();  // the tile before is done with
    if (begin < end) {
      radix_sort(*reinterpret_cast<typename radix_sort::TempStorage*>(shared_))
          .SortBlockedToStriped(keys, places, static_cast<int>(begin), static_cast<int>(end));
      __syncthreads();  // and so is the work space
    }
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < per_thread; ++i) {
      const u32 at = i * threads + threadIdx.x;
      reinterpret_cast<Key*>(shared_)[at] = keys[i];
      reinterpret_cast<u16*>(shared_ + places_at)[at] = places[i];
    }
    // A thread reads back what it wrote itself: no barrier.
  }

 private:
  u8* shared_;
};

}  // namespace pivotscope
