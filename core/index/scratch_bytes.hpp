// What a block asks of its multiprocessor's scratch (shared memory), part by part.
#pragma once

#include <string>

#include "core/config/index_config.hpp"

namespace pivotscope {

struct scratch_bytes {
  u32 pinned = 0;   // what it fills before it serves lookups (O2)
  u32 sorting = 0;  // a tile being sorted, or sorted: keys and 16-bit places (O3)
  u32 answers = 0;  // answers on their way home ("double")
  constexpr u32 all() const { return pinned + sorting + answers; }
};

// An upper bound: what sorting counts in, CUB alone knows (about 36 bytes a thread), and answers may reuse its room.
scratch_bytes block_scratch(const index_config& config);

std::string scratch_text(u32 bytes);  // "48KiB", or "1000" where it is not whole KiB

}  // namespace pivotscope
