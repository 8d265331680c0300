// What `pivotscope verify` draws in 8,000 cases: each value of each axis, counted by the table of axes itself.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "core/families/ordered/config.hpp"
#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/verify/cases.hpp"
#include "tests/support/method_lists.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

// All of them, also of a number; a block is made of whole warps. Methods: those of the families that drawn() draws.
std::vector<std::string> values_of(const axis& a) {
  std::vector<std::string> values = a.values;
  if (a.name == "method")
    std::erase_if(values, [](const std::string& m) { return !testing::is_golden(family_of(*config_from_line(m))); });
  if (!a.range) return values;
  for (u32 number = a.range->first; number <= a.range->second; ++number) {
    const bool step = a.name == "threads" ? number % 32 == 0 : a.name != "flight" || std::has_single_bit(number);
    if (step) values.push_back(std::to_string(number));
  }
  return values;
}

// The methods' axis is every family's; another family's knobs are not these.
bool of_ordered(const axis& a, const verify_case& c) { return a.name == "method" || c.config.family == ordered_id; }

std::vector<verify_case> drawn(u64 seed) {
  const case_generator generator({.seed = seed, .of = testing::golden_families()});
  std::vector<verify_case> cases;
  for (u64 i = 0; i < 8000; ++i) cases.push_back(generator.draw(i));
  return cases;
}

TEST(verify_axes, each_value_of_each_axis_is_drawn) {
  for (const u64 seed : {1u, 2u}) {
    const std::vector<verify_case> cases = drawn(seed);
    ASSERT_EQ(axes(ordered_id).size(), 16u) << "an axis that this test does not know";
    for (const axis& a : axes(ordered_id)) {
      std::map<std::string, u64> seen;
      for (const verify_case& c : cases)
        if (of_ordered(a, c)) ++seen[a.get(c.config)];
      for (const std::string& value : values_of(a)) {
        EXPECT_GT(seen[value], 0u) << "seed " << seed << ": " << a.name << "=" << value;
      }
    }
  }
}

// No value so rare that a seed might miss it, and no axis that hangs on to one value.
TEST(verify_axes, the_values_of_a_named_axis_are_drawn_often) {
  const std::vector<verify_case> cases = drawn(3);
  for (const axis& a : axes(ordered_id)) {
    if (a.range) continue;
    std::map<std::string, u64> seen;
    for (const verify_case& c : cases)
      if (of_ordered(a, c)) ++seen[a.get(c.config)];
    for (const std::string& value : values_of(a)) EXPECT_GE(seen[value], 10u) << a.name << "=" << value;
  }
}

TEST(verify_axes, workloads_have_every_kind_of_keys_and_lookups) {
  const std::vector<verify_case> cases = drawn(1);
  std::map<distribution, u64> kinds;
  std::map<double, u64> hits, uniformity;
  std::map<u64, u64> sizes, lookups;
  std::set<u32> repeats;
  u64 rows = 0, all_equal = 0, per_fanout = 0, sorted = 0;
  for (const verify_case& c : cases) {
    sorted += c.load.order == lookup_order::sorted;
    ++kinds[c.load.dist], ++hits[c.load.hits], ++sizes[c.load.keys], ++lookups[c.load.lookups];
    if (c.load.dist == distribution::mix) ++uniformity[c.load.uniformity];
    const bool repeated = c.load.dist == distribution::duplicates || c.load.dist == distribution::ends;
    if (repeated) repeats.insert(c.load.repeat);
    all_equal += repeated && c.load.keys > 1 && c.load.repeat == c.load.keys;
    per_fanout += repeated && c.load.repeat == knobs_of(c.config).fanout;
    rows += c.range_rows;
    EXPECT_LE(c.load.lookups, 700u);
    EXPECT_LE(c.load.keys, 1u << 14);
  }
  EXPECT_EQ(kinds.size(), distribution_names().size());
  for (const auto& [kind, count] : kinds) EXPECT_GE(count, 150u) << distribution_name(kind);
  EXPECT_GE(sorted, 200u);
  for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    EXPECT_GE(hits[share], 300u) << share;
    EXPECT_GE(uniformity[share], 30u) << share;
  }
  EXPECT_EQ(hits.size(), 5u);
  EXPECT_GE(sizes[0], 50u);
  EXPECT_GE(sizes[1], 50u);
  EXPECT_GE(sizes[2], 50u);
  for (u64 power = 4; power <= 1 << 14; power *= 2) {
    for (const u64 n : {power - 1, power, power + 1}) EXPECT_TRUE(n > 1 << 14 || sizes.contains(n)) << n;
  }
  for (u64 n = 0; n <= 3; ++n) EXPECT_GE(lookups[n], 10u) << n;
  EXPECT_GT(lookups.size(), 500u);
  for (const u32 repeat : {1u, 2u, 3u, 100u}) EXPECT_TRUE(repeats.contains(repeat)) << repeat;
  EXPECT_GE(all_equal, 20u);
  EXPECT_GE(per_fanout, 20u);
  EXPECT_EQ(rows, 2666u) << "each third case compares the row ids of its ranges";
}

// Sizes around the levels of a tree with the case's own fanout.
TEST(verify_axes, sizes_are_near_powers_of_the_fanout) {
  u64 near = 0, full = 0;
  for (const verify_case& c : drawn(1)) {
    if (knobs_of(c.config).fanout < 5 || c.load.dist == distribution::paper) continue;
    for (u64 power = knobs_of(c.config).fanout; power <= 1 << 14; power *= knobs_of(c.config).fanout) {
      near += c.load.keys + 1 >= power && c.load.keys <= power + 1;
      full += c.load.keys + 1 == power;
    }
  }
  EXPECT_GE(near, 100u);
  EXPECT_GE(full, 30u);
}

TEST(verify_axes, a_few_keys_bound_every_case) {
  const case_generator generator({.seed = 5, .most_keys = 20, .of = testing::golden_families()});
  std::set<u64> sizes;
  for (u64 i = 0; i < 2000; ++i) {
    const workload load = generator.draw(i).load;
    EXPECT_LE(load.keys, 20u);
    sizes.insert(load.keys);
  }
  EXPECT_EQ(sizes.size(), 21u) << "0 to 20";
}

// Ranges: around the 32 entries where the warp takes over, all, none; low > high; the ends of the width; row ids.
TEST(verify_axes, ranges_are_of_every_kind) {
  std::set<u64> counts;
  u64 backwards = 0, whole_width = 0, from_zero = 0, to_greatest = 0, all = 0, cases_with_all = 0, batches = 0;
  const case_generator generator({.seed = 1, .most_keys = 350, .of = testing::golden_families()});
  for (u64 i = 0; i < 150; ++i) {
    const verify_case c = generator.draw(i);
    const key_array keys = *make_keys(c.load, c.config.keys);
    const batch ranges = *case_ranges(c, keys);
    const u64 greatest = c.config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
    ++batches;
    u64 alls = 0;
    for (u64 r = 0; r < ranges.size(); ++r) {
      const u64 low = ranges.keys[r], high = ranges.highs[r];
      backwards += low > high, whole_width += low == 0 && high == greatest;
      from_zero += low == 0, to_greatest += high == greatest;
      u64 inside = 0;
      for (u64 k = 0; k < keys.size(); ++k) inside += keys[k] >= low && keys[k] <= high;
      counts.insert(inside);
      alls += inside == keys.size();
    }
    all += alls, cases_with_all += alls > 0;
  }
  EXPECT_GE(whole_width, batches) << "once a case, at least";
  EXPECT_GE(backwards, 3 * batches);
  EXPECT_GE(from_zero, 2 * batches);
  EXPECT_GE(to_greatest, 3 * batches);
  EXPECT_EQ(cases_with_all, batches);
  for (const u64 n : {0u, 1u, 2u, 16u, 31u, 32u, 33u, 63u, 64u, 65u, 100u, 300u}) EXPECT_TRUE(counts.contains(n)) << n;
}

}  // namespace
}  // namespace pivotscope
