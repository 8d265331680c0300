// Where the cells of a hash table's nodes lie.
#include "core/index/row_cells.hpp"

#include <gtest/gtest.h>

#include "core/families/buckets/config.hpp"
#include "core/families/open_addressing/config.hpp"

namespace pivotscope {
namespace {

// 2^32-1 windows of 64 cells are the most that a table has: cells and bytes are counted in 64 bits.
TEST(row_cells, beyond_what_32_bits_count_have_places_of_their_own) {
  for (const u32 cells : {1u, 8u, 64u}) {
    const dynamic_config config{open_addressing_config{.lanes = std::max(1u, cells / 8), .window = cells}};
    for (const u64 node : {u64{0}, u64{1}, u64{1} << 26, u64{1} << 31, u64{0xFFFFFFFF}})
      EXPECT_EQ(first_cell(config, node), node * cells) << cells << " cells, node " << node;
  }
  for (const u32 cells : {4u, 32u}) {
    const dynamic_config config{buckets_config{.lanes = 4, .slab = cells}};
    for (const u64 node : {u64{0}, u64{1} << 27, u64{0xFFFFFFFF}})
      EXPECT_EQ(first_cell(config, node), node * cells) << cells << " cells, node " << node;
  }
}

}  // namespace
}  // namespace pivotscope
