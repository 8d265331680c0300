// Sorting a tile of lookups across a thread block, and undoing it (O3; lightweight, Section 4.3). Includes CUB, which
// takes NVRTC a second or more without a precompiled header: only kernels that reorder include this.
#pragma once

#include <cub/block/block_radix_sort.cuh>

#include "core/config/index_config.hpp"

namespace pivotscope {

template <class Config, class Key>
class tile_sorter {
  static constexpr u32 threads = Config::value.threads;
  static constexpr u32 per_thread = Config::value.per_thread;
  using radix_sort = cub::BlockRadixSort<Key, static_cast<int>(threads), static_cast<int>(per_thread), u32>;

 public:
  static constexpr u32 answer_bytes = Config::value.reorder == reorder_kind::both ? threads * per_thread * 4 : 0;
  static constexpr u32 sort_bytes = sizeof(typename radix_sort::TempStorage);
  static constexpr u32 shared_bytes = ((sort_bytes > answer_bytes ? sort_bytes : answer_bytes) + 15u) & ~15u;

  // By the bits [begin, end) of the keys. Keys and places come and go striped: item i of thread t is number
  // i * threads + t.
  PIVOTSCOPE_FN static void sort(u8* shared, Key (&keys)[per_thread], u32 (&places)[per_thread], u32 begin, u32 end) {
    __syncthreads();  // the tile before may still read its answers here
    radix_sort(*reinterpret_cast<typename radix_sort::TempStorage*>(shared))
        .SortBlockedToStriped(keys, places, static_cast<int>(begin), static_cast<int>(end));
  }

  // Answers back to where their lookups came from, and places to what they were before the sort.
  PIVOTSCOPE_FN static void bring_home(u8* shared, u32 (&rows)[per_thread], u32 (&places)[per_thread]) {
    u32* const answers = reinterpret_cast<u32*>(shared);
    __syncthreads();  // everyone is done with the sort
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < per_thread; ++i) answers[places[i]] = rows[i];
    __syncthreads();
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < per_thread; ++i) {
      places[i] = i * threads + threadIdx.x;
      rows[i] = answers[places[i]];
    }
  }
};

}  // namespace pivotscope
