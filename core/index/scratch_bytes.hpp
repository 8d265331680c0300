// scratch_bytes: how much scratch (shared memory) a block needs, in bytes, part by part.
#pragma once

#include <string>

#include "core/config/index_config.hpp"

namespace pivotscope {

struct scratch_bytes {
  u32 pinned = 0;   // what the block fills before it serves lookups (O2)
  u32 sorting = 0;  // a tile: its keys and 16-bit places, while it is sorted and afterwards (O3)
  u32 answers = 0;  // answers that wait to be put back in order ("double")
  constexpr u32 all() const { return pinned + sorting + answers; }
};

// Returns an upper bound: CUB alone knows what a sort needs (about 36 bytes per thread).
scratch_bytes block_scratch(const index_config& config);

std::string scratch_text(u32 bytes);  // "48KiB", or "1000" where it is not whole KiB

}  // namespace pivotscope
