// Vectors say the same of a table's cells as a plain loop does.
#include "core/simt/vector_compare.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "core/index/entry_cell.hpp"

namespace pivotscope {
namespace {

template <class Key>
u32 row_by_loop(const std::vector<entry_cell<Key>>& cells, bool link, Key key) {
  for (std::size_t i = 0; i < cells.size() - (link ? 1 : 0); ++i) {
    if (cells[i].row == not_found) return erased_row;
    if (cells[i].key == key) return cells[i].row;
  }
  return ~0u;
}

template <class Key>
const std::byte* bytes_of(const std::vector<entry_cell<Key>>& cells) {
  return reinterpret_cast<const std::byte*>(cells.data());
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
      u32 row = 0;
      ASSERT_TRUE(row_at_end_of_node(bytes_of(cells), count, link, key, row));
      ASSERT_EQ(row, row_by_loop(cells, link, key)) << count << " cells, round " << round << ", link " << link;
      ++(row == ~0u ? goes_on : row == erased_row ? ends : hits);
      if constexpr (sizeof(Key) == sizeof(u32)) {
        u32 bits = 0, right = 0;
        ASSERT_TRUE(cells_that_end_in_node(bytes_of(cells), count, key, bits));
        for (u32 i = 0; i < count; ++i)
          if (cells[i].key == key || cells[i].row == not_found) right |= 1u << i;
        ASSERT_EQ(bits, right) << count << " cells, round " << round;
      }
    }
  }
  EXPECT_GT(hits, 1000u);
  EXPECT_GT(ends, 1000u);
  EXPECT_GT(goes_on, 1000u);
}

TEST(vector_compare, finds_the_first_end_as_a_loop_does) {
  expect_alike<u32>();
  expect_alike<u64>();
}

TEST(vector_compare, leaves_other_sizes_to_the_loop) {
  const std::vector<entry_cell<u32>> cells(16, make_entry(1u, 2u));
  for (const u32 count : {1u, 2u, 16u}) {
    u32 row = 77;
    EXPECT_FALSE(row_at_end_of_node(bytes_of(cells), count, false, 1u, row));
    EXPECT_FALSE(cells_that_end_in_node(bytes_of(cells), count, 1u, row));
    EXPECT_EQ(row, 77u);
  }
}

}  // namespace
}  // namespace pivotscope
