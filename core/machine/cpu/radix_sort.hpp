// A parallel stable sort of (key, row id) pairs: least significant digit first, 8 bits a pass, like the GPU's
// cub::DeviceRadixSort. Cancellable between chunks, and its progress is a count of bytes moved, not a guess.
#pragma once

#include <tbb/task_arena.h>

#include <array>
#include <atomic>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/job_control.hpp"
#include "core/common/parallel.hpp"
#include "core/machine/cpu/host_pages.hpp"

namespace pivotscope {

// Sorts `n` pairs in place by key, equal keys in their former order. False: cancelled; all pairs are then still there,
// in an order from which the next sort comes to the same, as every pass is stable.
// Needs as much memory again; throws std::bad_alloc.
template <class Key>
bool radix_sort_pairs(host_array<Key>& keys, host_array<u32>& rows, u64 n, const job_control& control) {
  constexpr u32 radix = 256, passes = sizeof(Key);
  if (n < 2) return !control.cancelled();
  const u64 most_chunks = static_cast<u64>(tbb::this_task_arena::max_concurrency()) * 4;
  const u64 chunk = ceil_div<u64>(n, std::min<u64>(most_chunks, ceil_div<u64>(n, 1u << 14)));
  const u64 chunks = ceil_div(n, chunk);
  auto other_keys = make_host_array<Key>(n);
  auto other_rows = make_host_array<u32>(n);
  std::vector<std::array<u64, radix>> starts(chunks);
  std::atomic<u64> done{0};
  const auto each_chunk = [&](auto&& f) {
    parallel_each(chunks, [&](u64 c) {
      if (control.cancelled()) return;
      f(c, c * chunk, std::min(n, (c + 1) * chunk));
      control.progress("sorting", static_cast<double>(++done) / static_cast<double>(2 * passes * chunks));
    });
    return !control.cancelled();
  };
  for (u32 pass = 0; pass < passes; ++pass) {
    const u32 shift = 8 * pass;
    const auto digit = [&](u64 i) { return static_cast<u32>(keys[i] >> shift) & (radix - 1); };
    const bool counted = each_chunk([&](u64 c, u64 begin, u64 end) {
      starts[c].fill(0);
      for (u64 i = begin; i < end; ++i) ++starts[c][digit(i)];
    });
    if (!counted) return false;
    u64 sum = 0;  // where each chunk's keys of each digit begin: digits first, then chunks, hence stable
    for (u32 d = 0; d < radix; ++d) {
      for (u64 c = 0; c < chunks; ++c) {
        const u64 count = starts[c][d];
        starts[c][d] = sum;
        sum += count;
      }
    }
    PIVOTSCOPE_EXPECT(sum == n);
    const bool moved = each_chunk([&](u64 c, u64 begin, u64 end) {
      for (u64 i = begin; i < end; ++i) {
        const u64 to = starts[c][digit(i)]++;
        PIVOTSCOPE_EXPECT(to < n);
        other_keys[to] = keys[i];
        other_rows[to] = rows[i];
      }
    });
    if (!moved) return false;
    keys.swap(other_keys);
    rows.swap(other_rows);
  }
  return true;
}

}  // namespace pivotscope
