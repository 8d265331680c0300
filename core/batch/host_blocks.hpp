// Runs the blocks of a batch as TBB tasks.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "core/common/expect.hpp"
#include "core/common/job_control.hpp"
#include "core/common/parallel.hpp"
#include "core/simt/host_block.hpp"

namespace pivotscope {

// Asked before each tile of a block: counts the tiles, and stops the blocks when the job is cancelled.
class tile_watch {
 public:
  tile_watch(u64 tiles, const job_control& control) : tiles_(tiles), control_(control) {}
  bool go_on() {
    if (control_.cancelled()) return false;
    const u64 begun = begun_.fetch_add(1, std::memory_order_relaxed);
    if (begun % 64 == 0) control_.progress("looking up", static_cast<double>(begun) / static_cast<double>(tiles_));
    return true;
  }

 private:
  u64 tiles_;
  const job_control& control_;
  std::atomic<u64> begun_{0};
};

// Calls f(block) for every block of a batch except `forgotten`, in parallel; a block serves its own tiles.
// Returns false if cancelled.
template <class Key, class Lanes, class F>
bool each_block(Lanes lanes, const launch_config& launch, const index_view& view, u64 lookups, u64 forgotten,
                const job_control& control, F&& f) {
  const u64 tiles = ceil_div<u64>(lookups, tile_lookups(launch));
  const bool fixed = launch.schedule == schedule_kind::fixed;
  // As on the GPU: one block per tile; or as many blocks as the processors run, where every block
  // takes each blocks-th tile.
  const u64 processors = static_cast<u64>(tbb::this_task_arena::max_concurrency());
  const u64 blocks = fixed ? std::min(tiles, processors * launch.blocks_per_sm) : tiles;
  PIVOTSCOPE_EXPECT(lookups == 0 || blocks > 0);
  tile_watch watch(tiles, control);
  parallel_parts(blocks, 1, [&](const index_part& range) {
    host_block<Lanes, Key> block(lanes, launch, view);
    for (u64 b = range.begin(); b < range.end() && !control.cancelled(); ++b) {
      if (b == forgotten) continue;
      block.take(b, blocks, [&] { return watch.go_on(); });
      f(block);
    }
  });
  return !control.cancelled();
}

}  // namespace pivotscope
