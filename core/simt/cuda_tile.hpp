// A tile of a pass by tiles (simt/tile_pass.hpp) on a GPU: a block.
#pragma once

#include "core/simt/cuda.hpp"
#include "core/simt/tile_pass.hpp"

namespace pivotscope {

class cuda_tile {
 public:
  static constexpr bool are_threads = true;
  static constexpr u32 warps = tile_threads / 32;
  // In shared memory.
  struct block_sums {
    u64 number, before;
    u32 of_warps[warps];
  };
  // The thread's own.
  template <class T>
  struct per_thread {
    T value;
    PIVOTSCOPE_FN T& operator[](u32) { return value; }
  };

  PIVOTSCOPE_FN cuda_tile(u64* words, u64 number, block_sums& sums) : words_(words), number_(number), sums_(sums) {}

  // Takes the next tile of a chain, for the block. Blocks need not begin in the order of their numbers, but tiles do.
  PIVOTSCOPE_FN static u64 take_next(u64* chain, block_sums& sums) {
    if (threadIdx.x == 0) sums.number = atomicAdd(reinterpret_cast<unsigned long long*>(chain), 1ull);
    __syncthreads();
    return sums.number;
  }

  template <class T>
  PIVOTSCOPE_FN static per_thread<T> all(T value) {
    return {value};
  }
  template <class F>
  PIVOTSCOPE_FN static void each(F&& f) {
    f(threadIdx.x);
    __syncthreads();
  }
  template <class Get, class Put>
  PIVOTSCOPE_FN static void each_of(u32 n, Get&& get, Put&& put) {
    constexpr u32 at_once = 64 / sizeof(get(0u));  // in 16 registers
    for (u32 from = threadIdx.x; from < n; from += at_once * tile_threads) {
      decltype(get(0u)) got[at_once];
      PIVOTSCOPE_UNROLL
      for (u32 a = 0; a < at_once; ++a)
        if (from + a * tile_threads < n) got[a] = get(from + a * tile_threads);
      PIVOTSCOPE_UNROLL
      for (u32 a = 0; a < at_once; ++a)
        if (from + a * tile_threads < n) put(from + a * tile_threads, got[a]);
    }
    __syncthreads();
  }
  PIVOTSCOPE_FN u64 places(per_thread<u32>& counts, u64 known) {
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = counts.value;
    const u32 up_to_it = sum_up_to(own);
    if (lane == 31) sums_.of_warps[warp] = up_to_it;
    __syncthreads();
    u32 before_warp = 0;
    PIVOTSCOPE_UNROLL
    for (u32 w = 0; w < warps; ++w) {
      if (w == warp) before_warp = made_;
      made_ += sums_.of_warps[w];
    }
    counts.value = before_warp + up_to_it - own;
    if (warp == 0) {
      const u64 before = known != unknown_place ? known : cells_before();
      if (lane == 0) sums_.before = before;
    }
    __syncthreads();
    return sums_.before;
  }
  PIVOTSCOPE_FN u32 made() const { return made_; }

 private:
  // Returns the sum over the lanes of a warp up to this one.
  PIVOTSCOPE_FN static u32 sum_up_to(u32 sum) {
    PIVOTSCOPE_UNROLL
    for (u32 distance = 1; distance < 32; distance *= 2) {
      const u32 other = __shfl_up_sync(full_warp, sum, distance);
      if (threadIdx.x % 32 >= distance) sum += other;
    }
    return sum;
  }
  // Tells the chain of this tile, and returns what all tiles before it make: the first warp does it.
  PIVOTSCOPE_FN u64 cells_before() {
    const u32 lane = threadIdx.x;
    if (number_ > 0 && lane == 0) tell(tile_word::own_only | made_);
    u64 before = 0;
    // 32 tiles at a time, the nearest first, as far as one that says what all up to it make. (More at a time is slower.)
    for (u64 behind = number_; behind > 0;) {
      u64 word = tile_word::up_to_it;  // nothing is made before the first tile
      do {
        if (lane < behind) word = look_at(behind - 1 - lane);
      } while (__any_sync(full_warp, word == tile_word::unknown));
      const u32 all_known = __ballot_sync(full_warp, (word & tile_word::up_to_it) != 0);
      const bool wanted = all_known == 0 || lane <= trailing_zeros(all_known);
      before += sum_of_warp(wanted ? tile_word::cells(word) : 0);
      behind = all_known == 0 ? behind - 32 : 0;
    }
    if (lane == 0) tell(tile_word::up_to_it | (before + made_));
    return before;
  }
  PIVOTSCOPE_FN static u64 sum_of_warp(u64 sum) {
    PIVOTSCOPE_UNROLL
    for (u32 distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(full_warp, sum, distance);
    return sum;
  }
  // A word holds all that is told, so nothing else has to be in order with it.
  PIVOTSCOPE_FN void tell(u64 word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(words_ + number_), "l"(word) : "memory");
  }
  PIVOTSCOPE_FN u64 look_at(u64 tile) const {
    u64 word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(words_ + tile) : "memory");
    return word;
  }

  u64* words_;  // of the chain, one a tile
  u64 number_;
  block_sums& sums_;
  u32 made_ = 0;
};

}  // namespace pivotscope
