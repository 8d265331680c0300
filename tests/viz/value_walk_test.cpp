// The way of an insert over the values of a cell.
#include "viz/models/value_walk.hpp"

#include <gtest/gtest.h>

namespace pivotscope::viz {
namespace {

trace_step tried(u64 column, u64 row) {
  trace_step step;
  step.watched = {{"key", 7}, {"to.mapping", column}, {"to.offset", row}};
  return step;
}

// Four offsets by eight mappings. A row beyond them says that no value of the column was taken.
TEST(value_walk, goes_from_column_to_column) {
  value_choices values;
  values.rows = 4, values.columns = 8;
  lookup_trace trace;
  trace.steps = {{}, tried(3, 4), tried(4, 4), {}, tried(6, 2), tried(6, 1)};
  EXPECT_TRUE(walk_of(trace, values, 0).tried.empty());
  EXPECT_EQ(walk_of(trace, values, 0).last_square(values), std::nullopt);
  const value_walk first = walk_of(trace, values, 3);
  ASSERT_EQ(first.tried.size(), 2u);
  EXPECT_EQ(first.tried[1].column, 4u);
  EXPECT_EQ(first.tried[1].number, 2u);
  EXPECT_EQ(first.tried[1].row, std::nullopt);
  EXPECT_EQ(first.last_square(values), std::nullopt) << "none was taken yet";
  const value_walk all = walk_of(trace, values, 99);
  ASSERT_EQ(all.tried.size(), 3u) << "a column that was looked at twice is there once";
  EXPECT_EQ(all.tried[2].row, 1u);
  EXPECT_EQ(all.last_square(values), 1u * 8 + 6);
}

// Columns that are not listed, as of cells of 16 bits.
TEST(value_walk, leaves_out_what_is_not_listed) {
  value_choices values;
  values.rows = 4, values.columns = 8;
  lookup_trace trace;
  trace.steps = {tried(8, 0), tried(500, 3)};
  EXPECT_TRUE(walk_of(trace, values, 1).tried.empty());
}

}  // namespace
}  // namespace pivotscope::viz
