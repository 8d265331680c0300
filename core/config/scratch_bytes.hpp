// What a block asks of its multiprocessor's scratch (shared memory), part by part.
#pragma once

#include "core/config/index_config.hpp"

namespace pivotscope {

struct scratch_bytes {
  u32 pinned = 0;   // keys of the first steps (O2)
  u32 sorting = 0;  // a tile being sorted, or sorted: keys and 16-bit places (O3)
  u32 answers = 0;  // answers on their way home ("double")
  constexpr u32 all() const { return pinned + sorting + answers; }
};

// An upper bound: what sorting counts in, CUB alone knows (about 36 bytes a thread), and answers may reuse its room.
constexpr scratch_bytes block_scratch(const index_config& c) {
  scratch_bytes bytes;
  bytes.pinned = c.pin == pin_kind::none ? 0 : c.scratch;
  if (c.reorder == reorder_kind::none) return bytes;
  const u32 tile = tile_lookups(c), sorted = tile * (key_bytes(c) + 2), counting = c.threads * 36 + 1024;
  bytes.sorting = sorted > counting ? sorted : counting;
  bytes.answers = c.reorder == reorder_kind::both ? tile * 4 : 0;
  return bytes;
}

}  // namespace pivotscope
