#include "core/index/scratch_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/family.hpp"

namespace pivotscope {

scratch_bytes block_scratch(const index_config& c) {
  scratch_bytes bytes;
  bytes.pinned = family_of(c).pinned_bytes(c);
  if (c.launch.reorder == reorder_kind::none) return bytes;
  const u32 tile = tile_lookups(c.launch);
  bytes.sorting = std::max(tile * (key_bytes(c.keys) + 2), c.launch.threads * 36 + 1024);
  bytes.answers = c.launch.reorder == reorder_kind::both ? tile * 4 : 0;
  return bytes;
}

std::string scratch_text(u32 bytes) {
  return bytes % 1024 == 0 ? fmt::format("{}KiB", bytes / 1024) : std::to_string(bytes);
}

}  // namespace pivotscope
