// Which cells of a batch are counted where.
#include "viz/layout/layout_changes.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(layout_changes, counts_the_cells_of_a_part) {
  const viz::cell_changes changes{.cells = {0, 3, 4, 9}, .moved = {}};
  for (u64 first = 0; first < 12; ++first) {
    for (u64 end = 0; end < 12; ++end) {
      u64 expected = 0;
      for (const u64 cell : changes.cells) expected += first <= cell && cell < end ? 1 : 0;
      EXPECT_EQ(viz::changed_among(changes, first, end), expected) << first << " " << end;
    }
  }
}

}  // namespace
}  // namespace pivotscope
