// warp_step: what the 32 threads of a warp read together in one step, if each serves a lookup of its own, or several
// serve one. What they touch together counts once, as on a GPU. Pure: it follows from the traces of the lookups.
#pragma once

#include <span>
#include <vector>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// A load of one thread of the warp.
struct thread_load {
  u32 thread = 0;  // 0 to 31
  memory_access access;
};

// A piece of 32 or 128 bytes of an array.
struct memory_block {
  region_id array{};
  u64 number = 0;
  bool operator==(const memory_block&) const = default;
  bool operator<(const memory_block& other) const {
    return array != other.array ? array < other.array : number < other.number;
  }
};

// Calls f(block) for every block of `size` bytes that a load touches; for none if it loads from scratch.
template <class F>
void each_block(const memory_access& a, u64 size, F&& f) {
  if (a.space != memory_space::global) return;
  for (u64 b = a.byte_offset / size; b <= (a.byte_offset + a.bytes - 1) / size; ++b) f(memory_block{a.array, b});
}
inline bool touches(const memory_access& a, memory_block sector) {
  bool any = false;
  each_block(a, 32, [&](memory_block touched) { any |= touched == sector; });
  return any;
}

struct warp_step {
  std::vector<thread_load> loads;     // by thread; the loads of a thread in their order
  std::vector<memory_block> sectors;  // distinct, of global memory; ascending
  u64 lines = 0;                      // distinct 128-byte lines
  u64 bytes = 0;                      // distinct bytes that the threads get from global memory
  u32 level = 0;                      // of the first active thread
  u32 active = 0;                     // threads whose lookup has this step
  u32 loading = 0;                    // threads that load, from global memory or scratch
  // How often scratch must be read for the loads from it; and the least number of times, without bank conflicts.
  u32 scratch_passes = 0, least_scratch_passes = 0;

  u64 loaded_bytes() const { return sectors.size() * 32; }
};

// Returns the steps of lookups that a warp serves at the same time, one per group of `group` threads: lookup i belongs
// to threads [i * group, (i + 1) * group). Takes at most 32 / group traces; returns as many steps as the longest has.
std::vector<warp_step> steps_of_warp(std::span<const lookup_trace* const> together, u32 group);

// Returns the sectors to which a warp's answers of 4 bytes are written: the answer of thread t goes to places[t].
std::vector<u64> written_sectors(std::span<const u32> places);

}  // namespace pivotscope
