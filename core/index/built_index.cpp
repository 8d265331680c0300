#include "core/index/built_index.hpp"

#include <bit>

namespace pivotscope {

std::pair<u32, u32> sort_bits_for(const launch_config& launch, u64 least, u64 greatest) {
  PIVOTSCOPE_EXPECT(least <= greatest);
  if (launch.reorder == reorder_kind::none) return {0, 0};
  const u32 end = static_cast<u32>(std::bit_width(least ^ greatest));
  // A tile of T lookups falls into T gaps of the key range on average; four bits more part most that share one.
  const u32 telling = static_cast<u32>(std::bit_width(tile_lookups(launch) - 1)) + 4;
  return {end > telling ? end - telling : 0, end};
}

std::pair<u32, u32> stored_index::sort_bits() const {
  const auto [least, greatest] = key_range();
  return sort_bits_for(config().launch, least, greatest);
}

}  // namespace pivotscope
