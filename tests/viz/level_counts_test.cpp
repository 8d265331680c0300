#include "viz/level_counts.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

// Each cell is on one level, in whichever of the regions it lies.
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
    EXPECT_EQ(counts, expected);
    EXPECT_GE(std::accumulate(counts.begin(), counts.end(), u64{0}), 1000u);
  }
}

}  // namespace
}  // namespace pivotscope::viz
