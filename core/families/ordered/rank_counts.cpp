#include "core/families/ordered/rank_counts.hpp"

#include <algorithm>

#include "core/families/ordered/mapping.hpp"

namespace pivotscope {

u64 ranks_on_level_below(const ordered_config& config, const index_shape& shape, u32 level, u64 rank) {
  const level_run run = level_slots(config, shape, level);
  if (run.count == 0 || rank == 0) return 0;
  if (rank >= shape.keys) return run.count;
  // Ranks are spread over a level almost evenly: start where the proportion says and double the step until past it.
  const auto below = [&](u64 i) { return entry_rank(config, shape, run.first + i) < rank; };
  const auto guess =
      static_cast<u64>(static_cast<double>(run.count) * static_cast<double>(rank) / static_cast<double>(shape.keys));
  u64 low = 0, high = run.count;  // the answer is in [low, high]
  u64 at = std::min(guess, run.count - 1);
  if (below(at)) {
    low = at + 1;
    for (u64 step = 1; low + step < run.count; step *= 2) {
      if (!below(low + step)) {
        high = low + step;
        break;
      }
      low += step + 1;
    }
  } else {
    high = at;
    for (u64 step = 1; high >= step; step *= 2) {
      if (below(high - step)) {
        low = high - step + 1;
        break;
      }
      high -= step;
    }
  }
  low = std::min(low, high);
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (below(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace pivotscope
