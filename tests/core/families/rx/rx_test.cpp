// RX over key sets that are hard for it: every answer; what a lookup and a range read.
#include "core/families/rx/rx.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/check.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/hard_keys.hpp"

namespace pivotscope {
namespace {

constexpr const char* rx_lines[] = {"RX", "RX wide=8 x_bits=5 y_bits=4", "RX x_bits=3 y_bits=2 y_scale=0 z_scale=0",
                                    "RX wide=8 x_bits=1 y_bits=1 y_scale=23 z_scale=46"};

struct rx_counts {
  u64 found = 0, missed = 0, ranges = 0, entries = 0;
};

// Every lookup and every range against the reference.
template <class Key>
void expect_rx_right(machine& on, index_config config, const std::vector<Key>& keys, const std::vector<Key>& asked,
                     rx_counts& counts) {
  config.keys = sizeof(Key) == 4 ? key_width::u32 : key_width::u64;
  const reference truth{key_array(keys)};
  const auto resident = on.load(key_array(keys), {});
  ASSERT_TRUE(resident.ok()) << resident.error().words;
  const auto built = on.build(config, *resident, {});
  ASSERT_TRUE(built.ok()) << built.error().words;
  const auto found = testing::look_up(on, **built, key_array(asked));
  ASSERT_TRUE(found.ok()) << found.error().words;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const u32 row = found->answers.found[i];
    ASSERT_TRUE(truth.accepts(asked[i], row)) << asked[i] << " answered " << row;
    ++(row == not_found ? counts.missed : counts.found);
    // Equal keys lie in the order of their row ids.
    if (row != not_found) {
      ASSERT_EQ(row, truth.range_rows(asked[i], asked[i]).front());
    }
  }
  std::vector<Key> lows, highs;
  for (std::size_t i = 0; i + 5 < asked.size(); i += 3) {
    lows.push_back(std::min(asked[i], asked[i + 5])), highs.push_back(std::max(asked[i], asked[i + 5]));
    if (i % 7 == 0) std::swap(lows.back(), highs.back());
  }
  const auto ranges = on.run(**built, testing::ranges_of(key_array(lows), key_array(highs)), {.rows = true}, {});
  ASSERT_TRUE(ranges.ok()) << ranges.error().words;
  for (std::size_t i = 0; i < lows.size(); ++i, ++counts.ranges) {
    ASSERT_EQ(ranges->answers.ranges[i], truth.range(lows[i], highs[i])) << lows[i] << " to " << highs[i];
    counts.entries += ranges->answers.ranges[i].count;
  }
}

TEST(Rx, IsRightOverHardKeys) {
  const auto cpu = detail::open_cpu();
  rx_counts counts;
  for (const char* line : rx_lines) {
    for (const u64 n : {0, 1, 2, 4, 5, 16, 17, 65, 300}) {
      for (const auto& set : testing::all_hard_keys<u32>(n, n + 1))
        expect_rx_right<u32>(*cpu, testing::config_of(line), set.keys, testing::asked_of(set.keys, 100, n), counts);
      for (const auto& set : testing::all_hard_keys<u64>(n, n + 2))
        expect_rx_right<u64>(*cpu, testing::config_of(line), set.keys, testing::asked_of(set.keys, 100, n), counts);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(counts.found, 40'000u);
  EXPECT_GT(counts.missed, 40'000u);
  EXPECT_GT(counts.entries, counts.ranges);
}

// All ranges of a small scene: each beam, and each of them left out.
TEST(Rx, EveryRangeOfASmallScene) {
  std::vector<u32> keys, all(100);
  for (u32 i = 0; i < all.size(); ++i) all[i] = i;
  for (u32 key = 0; key < 96; key += key % 7 < 3 ? 1 : 3) keys.push_back(key);
  const auto cpu = detail::open_cpu();
  const reference truth{key_array(keys)};
  const auto resident = cpu->load(key_array(keys), {});
  ASSERT_TRUE(resident.ok());
  const auto built = cpu->build(testing::config_of("RX x_bits=3 y_bits=2"), *resident, {});
  ASSERT_TRUE(built.ok());
  std::vector<u32> lows, highs;
  for (const u32 low : all)
    for (const u32 high : all) lows.push_back(low), highs.push_back(high);
  const auto ranges = cpu->run(**built, testing::ranges_of(key_array(lows), key_array(highs)), {.rows = true}, {});
  ASSERT_TRUE(ranges.ok()) << ranges.error().words;
  for (std::size_t i = 0; i < lows.size(); ++i)
    ASSERT_EQ(ranges->answers.ranges[i], truth.range(lows[i], highs[i])) << lows[i] << " to " << highs[i];
}

// The beams of a range have each of its places once.
TEST(Rx, BeamsPartARange) {
  const key_grid grid = grid_for(127, 3, 2, 1, 3);
  for (u32 low = 0; low < 128; low += 3) {
    for (u32 high = low; high < 128; ++high) {
      for (u32 key = 0; key < 128; ++key) {
        u32 times = 0;
        for (u32 number = 0; number < most_beams; ++number) {
          const beam_of_range b = beam_number(grid, low, high, number);
          times += b.is_there && b.rays.hits(triangle_at(grid, grid.of(key), 0, false));
        }
        ASSERT_EQ(times, low <= key && key <= high ? 1u : 0u) << key << " in " << low << " to " << high;
      }
    }
  }
}

TEST(Rx, KeysAtTheEdgesOfEachAxis) {
  const auto cpu = detail::open_cpu();
  std::vector<u64> keys, asked;
  for (const u64 x : {0ull, 1ull, (1ull << 23) - 2, (1ull << 23) - 1})
    for (const u64 y : {0ull, (1ull << 23) - 2, (1ull << 23) - 1})
      for (const u64 z : {0ull, (1ull << 18) - 2, (1ull << 18) - 1}) keys.push_back(z << 46 | y << 23 | x);
  asked = keys;
  for (const u64 key : keys)
    for (const u32 bit : {0u, 23u, 46u}) asked.push_back(key + (1ull << bit)), asked.push_back(key - (1ull << bit));
  rx_counts counts;
  for (const char* line : {"RX", "RX y_scale=0 z_scale=0", "RX y_scale=23 z_scale=46"})
    expect_rx_right<u64>(*cpu, testing::config_of(line), keys, asked, counts);
  EXPECT_GT(counts.found, 200u);
}

TEST(Rx, ATraceTellsTheRay) {
  const std::vector<u32> keys = {2, 4, 5, 6, 16, 17, 18, 19, 20, 22};
  const auto index = testing::build_on_cpu(testing::config_of("RX x_bits=3 y_bits=2"), key_array(keys));
  EXPECT_EQ(index->bytes(), 10u * 16 + 4 * 24);
  const auto told = [&](const question& what) {
    const auto trace = trace_of(*index, what);
    EXPECT_TRUE(trace.ok()) << trace.error().words;
    std::vector<std::string> list = {trace->start};
    for (const trace_step& step : trace->steps) list.push_back(step.where + ": " + step.words + " " + step.next);
    list.push_back(trace->verdict);
    return list;
  };
  using lines = std::vector<std::string>;
  EXPECT_EQ(told(question(operation::find, 17)),
            (lines{"17 is at (1, 2, 0) in the scene. A ray along x goes through that place.",
                   "level 0, boxes 0 to 2: The ray meets box 1. Down to what is in that box.",
                   "triangles 4 to 5: The ray hits triangle 5: 17 is there. ",
                   "17 is in the index: row id 5, in slot 5 of the triangles."}));
  EXPECT_EQ(told(question(operation::find, 21)),
            (lines{"21 is at (5, 2, 0) in the scene. A ray along x goes through that place.",
                   "level 0, boxes 0 to 2: The ray meets box 2. Down to what is in that box.",
                   "triangles 8 to 9: The ray hits none of these 2 triangles. Nothing is left to look through. ",
                   "21 is not in the index."}));
  EXPECT_EQ(told(question(operation::find, 23)), (lines{"", "23 is not in the index."}))
      << "above the greatest: no ray";
  EXPECT_EQ(
      told(question(operation::range, 5, 17)),
      (lines{"5 is at (5, 0, 0) in the scene. A beam of rays along x: the range's part of its first row.",
             "level 0, boxes 0 to 2: The beam meets box 0. Down to what is in that box.",
             "triangles 0 to 3: The beam hits 2 of 4 triangles. This beam has come to its end. The next one: the rows "
             "behind it in that plane.",
             "level 0, boxes 0 to 2: The beam meets none of these 3 boxes. This beam has come to its end. The next "
             "one: the last row.",
             "level 0, boxes 0 to 2: The beam meets box 1. Down to what is in that box.",
             "triangles 4 to 7: The beam hits 2 of 4 triangles. Nothing is left to look through. ",
             "4 entries from 5 to 17; the sum of row ids is 14."}));
}

TEST(Rx, LacksAnOrder) {
  const index_config config = testing::config_of("RX");
  EXPECT_TRUE(family_of(config).serves(operation::range));
  EXPECT_FALSE(family_of(config).serves(operation::successor));
  EXPECT_TRUE(family_of(config).serves(operation::insert));
}

}  // namespace
}  // namespace pivotscope
