// The batch whose tiles and warps the tests look at: uniform keys, some misses.
#pragma once

#include "core/workload/workload.hpp"

namespace pivotscope::viz {

inline workload load_of(u64 lookups) {
  workload load;
  load.keys = 1 << 12;
  load.dist = distribution::uniform;
  load.lookups = lookups;
  load.hits = 0.8;
  return load;
}

}  // namespace pivotscope::viz
