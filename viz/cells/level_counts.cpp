#include "viz/cells/level_counts.hpp"

namespace pivotscope::viz {

std::array<u64, max_levels> cells_by_level(const index_model& model) {
  std::array<u64, max_levels> all{}, of_region{};
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const region_info& region = model.regions()[i];
    if (region.beside) continue;
    model.count_levels(static_cast<region_id>(i), 0, region.cells, of_region.data());
    for (std::size_t level = 0; level < all.size(); ++level) all[level] += of_region[level];
  }
  return all;
}

}  // namespace pivotscope::viz
