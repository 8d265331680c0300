#include "viz/cells/level_counts.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

// Each cell is on one level, in whichever of the regions it lies; of pivots whole nodes count, cells that are empty in them too.
TEST(level_counts, are_those_of_all_cells) {
  const key_array keys = *make_keys({.keys = 1000, .dist = distribution::dense}, key_width::u32);
  for (const char* line : {"AO+BS", "EO+BS", "EO+KS layout=soa", "AO+PB+BS", "AO+PB+KS fanout=5"}) {
    SCOPED_TRACE(line);
    const auto model = model_of(*testing::build_on_cpu(testing::config_of(line), keys));
    const auto counts = cells_by_level(*model);
    std::array<u64, max_levels> expected{};
    for (std::size_t i = 0; i < model->regions().size(); ++i) {
      const auto id = static_cast<region_id>(i);
      for (u64 cell = 0; !model->region(id).beside && cell < model->region(id).cells; ++cell)
        if (const cell_info told = model->describe(id, cell); !told.empty) ++expected[told.level];
    }
    if (std::string(line).find("PB") == std::string::npos) {
      EXPECT_EQ(counts, expected);
    }
    for (std::size_t level = 0; level < counts.size(); ++level) EXPECT_GE(counts[level], expected[level]) << level;
    EXPECT_EQ(counts[model->levels() - 1], expected[model->levels() - 1]);
  }
}

}  // namespace
}  // namespace pivotscope::viz
