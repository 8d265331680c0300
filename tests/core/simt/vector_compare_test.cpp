// Vectors say the same of a table's cells as a plain loop does.
#include "core/simt/vector_compare.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "core/index/entry_cell.hpp"

namespace pivotscope {
namespace {

template <class Key>
u32 least_by_loop(const std::vector<entry_cell<Key>>& cells, bool link, Key key) {
  u32 least = ~0u;
  for (std::size_t i = 0; i < cells.size() - (link ? 1 : 0); ++i) {
    if (cells[i].row == not_found)
      least = std::min(least, erased_row);
    else if (cells[i].key == key)
      least = std::min(least, cells[i].row);
  }
  return least;
}

// Keys that differ in one half only, those of empty cells and of links, and all kinds of row ids, at every place.
template <class Key>
void expect_alike() {
  constexpr Key top = greatest_key<Key>(), high = static_cast<Key>(Key{1} << (8 * sizeof(Key) - 1));
  const std::vector<Key> keys = {0, 1, high, static_cast<Key>(high + 1), static_cast<Key>(top - 1), top};
  const std::vector<u32> rows = {0, 1, 7, 0x7FFFFFFF, 0x80000000, erased_row, not_found, not_found};
  std::mt19937 draw(20261127);
  u32 hits = 0, ends = 0, goes_on = 0;
  for (const u32 count : {4u, 8u}) {
    for (u32 round = 0; round < 20000; ++round) {
      std::vector<entry_cell<Key>> cells;
      const std::size_t kinds =
          round % 2 == 0 ? rows.size() : rows.size() - 2;  // every other round without empty cells
      for (u32 i = 0; i < count; ++i) cells.push_back(make_entry(keys[draw() % keys.size()], rows[draw() % kinds]));
      const Key key = keys[draw() % keys.size()];
      const bool link = draw() % 2 == 0;
      u32 least = 0;
      ASSERT_TRUE(least_row_of_node(reinterpret_cast<const std::byte*>(cells.data()), count, link, key, least));
      ASSERT_EQ(least, least_by_loop(cells, link, key)) << count << " cells, round " << round << ", link " << link;
      ++(least == ~0u ? goes_on : least == erased_row ? ends : hits);
    }
  }
  EXPECT_GT(hits, 1000u);
  EXPECT_GT(ends, 1000u);
  EXPECT_GT(goes_on, 1000u);
}

TEST(vector_compare, finds_the_least_row_as_a_loop_does) {
  expect_alike<u32>();
  expect_alike<u64>();
}

TEST(vector_compare, leaves_other_sizes_to_the_loop) {
  const std::vector<entry_cell<u32>> cells(16, make_entry(1u, 2u));
  for (const u32 count : {1u, 2u, 16u}) {
    u32 least = 77;
    EXPECT_FALSE(least_row_of_node(reinterpret_cast<const std::byte*>(cells.data()), count, false, 1u, least));
    EXPECT_EQ(least, 77u);
  }
}

}  // namespace
}  // namespace pivotscope
