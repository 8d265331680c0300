// A warp's step: what its 32 threads read together when each serves a lookup of its own, or several one lookup. What they
// touch together counts once, as on a GPU. Pure, from the traces of the lookups.
#pragma once

#include <span>
#include <vector>

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// A load of one of the warp's threads.
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

// f(block) for every block of `size` bytes that a load touches; none for one from scratch.
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
  std::vector<thread_load> loads;     // by thread, each thread's in its order
  std::vector<memory_block> sectors;  // distinct, of global memory; ascending
  u64 lines = 0;                      // distinct
  u64 bytes = 0;                      // distinct ones that the threads get from global memory
  u32 level = 0;                      // that is read: of the first thread that takes part
  u32 active = 0;                     // threads whose lookup has this step
  u32 loading = 0;                    // threads that load, from global memory or scratch
  // Times that scratch must be read for the loads from it, and the least it could be, without conflicts of banks.
  u32 scratch_passes = 0, least_scratch_passes = 0;

  u64 loaded_bytes() const { return sectors.size() * 32; }
};

// The steps of lookups that a warp serves at the same time, one a group of `group` threads: lookup i belongs to the threads
// [i * group, (i + 1) * group). At most 32 / group traces. As many steps as the longest of them has.
std::vector<warp_step> steps_of_warp(std::span<const lookup_trace* const> together, u32 group);

// The sectors that a warp's answers of 4 bytes are written to: thread t's goes to places[t].
std::vector<u64> written_sectors(std::span<const u32> places);

}  // namespace pivotscope
