// Shards of any sweep: together they have every row once, and take about as long each.
#include "core/sweep/sweep_shard.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace pivotscope {
namespace {

sweep rows_over(const std::vector<u64>& keys) {
  sweep whole{.name = "drawn", .sentence = "for tests", .source = "here"};
  for (const u64 n : keys)
    whole.rows.push_back({.id = fmt::format("row {}", whole.rows.size()),
                          .load = {.keys = n, .dist = distribution::uniform, .lookups = n},
                          .configs = {"AO+BS"},
                          .advised = false});
  return whole;
}

// Of each row the shard that has it; empty: it is in none, in two, or not as it was.
std::vector<u32> shards_of_rows(const sweep& whole, u32 of, u32 scale) {
  std::map<std::string, u32> found;
  std::size_t rows = 0;
  for (u32 number = 1; number <= of; ++number) {
    const sweep part = shard_of(whole, {number, of}, scale);
    rows += part.rows.size();
    for (const sweep_row& row : part.rows) {
      if (whole.row(row.id) == nullptr || !(whole.row(row.id)->load == row.load)) return {};
      found[row.id] = number;
    }
  }
  if (rows != whole.rows.size()) return {};
  std::vector<u32> shards;
  for (const sweep_row& row : whole.rows) {
    if (!found.contains(row.id)) return {};
    shards.push_back(found[row.id]);
  }
  return shards;
}

// Rows that take as long each: every number of them in every number of shards.
TEST(SweepShards, OfEqualRowsHaveEachOnceAndAsManyAsAnyOther) {
  for (std::size_t n = 0; n <= 16; ++n) {
    const sweep whole = rows_over(std::vector<u64>(n, 1 << 20));
    for (u32 of = 1; of <= 20; ++of) {
      for (const u32 scale : {0u, 7u, 32u}) {
        const std::vector<u32> shards = shards_of_rows(whole, of, scale);
        ASSERT_EQ(shards.size(), n) << n << " in " << of;
        EXPECT_TRUE(std::is_sorted(shards.begin(), shards.end())) << "neighbours stay together";
        for (u32 number = 1; number <= of; ++number) {
          const auto rows = static_cast<u64>(std::count(shards.begin(), shards.end(), number));
          EXPECT_GE(rows, n / of) << n << " in " << of;
          EXPECT_LE(rows, (n + of - 1) / of) << n << " in " << of;
        }
      }
    }
  }
}

TEST(SweepShards, MayBeTenThousand) {
  const sweep whole = rows_over({1 << 10, 1 << 20, 1 << 10});
  EXPECT_EQ(parse_shard("10000/10000")->number, most_shards);
  std::size_t rows = 0;
  for (const u32 number : {1u, 2u, most_shards / 2, most_shards - 1, most_shards})
    rows += shard_of(whole, {number, most_shards}, 0).rows.size();
  EXPECT_LE(rows, 3u);
  EXPECT_EQ(shards_of_rows(whole, 3000, 0).size(), 3u);
}

// Rows of any size that lean on earlier ones, which stays together.
RC_GTEST_PROP(SweepShards, HaveEachRowOnceAndStayNearTheirPart, ()) {
  const auto bits = *rc::gen::container<std::vector<u32>>(rc::gen::inRange(0u, 28u));
  std::vector<u64> keys;
  for (const u32 b : bits) keys.push_back(1ull << b);
  sweep whole = rows_over(keys);
  std::vector<std::size_t> group(keys.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    group[i] = i;
    const auto on = *rc::gen::inRange<std::size_t>(0, 3 * (i + 1));
    if (on >= i) continue;  // seldom
    if (*rc::gen::arbitrary<bool>())
      whole.rows[i].configs_of = whole.rows[on].id, whole.rows[i].configs.clear();
    else
      whole.rows[i].wants = {{measure::rate, 1, wanted_in::rate_of_row, whole.rows[on].id}};
    const std::size_t one = group[i], other = group[on];
    for (std::size_t& g : group) g = g == one ? other : g;
  }
  const u32 of = *rc::gen::inRange(1u, 12u), scale = *rc::gen::inRange(0u, 30u);
  const std::vector<u32> shards = shards_of_rows(whole, of, scale);
  RC_ASSERT(shards.size() == keys.size());
  std::map<std::size_t, double> of_group;
  std::vector<double> of_shard(of);
  double all = 0, most = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    RC_ASSERT(shards[i] == shards[group[i]]);
    const double weight = weight_of(scaled(whole.rows[i], scale), 1);
    all += weight, of_shard[shards[i] - 1] += weight, of_group[group[i]] += weight;
  }
  for (const auto& [first, weight] : of_group) most = std::max(most, weight);
  std::vector<u32> in_order;  // of each group, where its first row stands
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < group.size(); ++i)
    if (seen.insert(group[i]).second) in_order.push_back(shards[i]);
  RC_ASSERT(std::is_sorted(in_order.begin(), in_order.end()));
  // Each ends where it should, but for half of what stays together there.
  double before = 0;
  for (u32 number = 1; number <= of; ++number) {
    before += of_shard[number - 1];
    RC_ASSERT(std::abs(before - all / of * number) <= most / 2 * 1.0001);
  }
}

}  // namespace
}  // namespace pivotscope
