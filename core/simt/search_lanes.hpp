// How many of a GPU's threads do a search together (simt/cuda_searchers.hpp).
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// Of a pass that does so many. With few, nothing hides what a round of looks waits for, and all of a warp make the fewest;
// with many the loads count, of which eight lanes do fewer.
PIVOTSCOPE_FN constexpr u32 search_lanes(u64 searches) { return searches < 512 ? 32 : 8; }

}  // namespace pivotscope
