// What a trace says of reads, lanes and words; and that it never disagrees with itself.
#include "core/machine/trace/trace.hpp"
#include "core/index/config_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/families/ordered/mapping.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_configs.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;
using ::testing::HasSubstr;
using testing::paper_keys_in_order;

lookup_trace traced(const index_config& config, const key_array& keys, u64 key) {
  const auto index = build_on_cpu(config, keys);
  auto trace = trace_lookup(*index, key);
  EXPECT_TRUE(trace);
  return trace ? *trace : lookup_trace{};
}

TEST(Trace, EmptyIndexHasNoSteps) {
  for (const ordered_config& c : testing::shape_configs()) {
    const lookup_trace t = traced(c, testing::spaced_keys(0), 5);
    EXPECT_TRUE(t.steps.empty());
    EXPECT_EQ(t.row, not_found);
    EXPECT_THAT(t.verdict, HasSubstr("it is empty"));
  }
}

TEST(Trace, LoadsAreWideWhereNodesAreAligned) {
  // K = 9: 8 pivots of 4 bytes, two lanes, one 16-byte load each.
  const lookup_trace t = traced(config_of("AO+PB+KS fanout=9 lanes=2"), testing::spaced_keys(300), 100);
  ASSERT_GE(t.steps.size(), 3u);
  ASSERT_EQ(t.steps[0].accesses.size(), 2u);
  for (u32 lane = 0; lane < 2; ++lane) {
    EXPECT_EQ(t.steps[0].accesses[lane].lane, lane);
    EXPECT_EQ(t.steps[0].accesses[lane].bytes, 16u);
    EXPECT_EQ(t.steps[0].accesses[lane].slots, 4u);
    EXPECT_EQ(t.steps[0].accesses[lane].byte_offset, 16u * lane);
  }
  // The leaf: 8 entries of 8 bytes, 4 a lane, two to a load.
  EXPECT_EQ(t.steps.back().accesses.size(), 4u);
}

TEST(Trace, LanesThatDoNotDivideTheNodeShareItUnevenly) {
  // 8 keys among 3 lanes: 3, 3 and 2, one by one since runs of 3 are not aligned.
  const lookup_trace t = traced(config_of("AO+PB+KS fanout=9 lanes=3"), testing::spaced_keys(300), 100);
  std::vector<u32> loads(3);
  for (const memory_access& a : t.steps[0].accesses) {
    ++loads[a.lane];
    EXPECT_EQ(a.bytes, 4u);
  }
  EXPECT_EQ(loads, (std::vector<u32>{3, 3, 2}));
}

TEST(Trace, StructOfArraysReadsTheRowIdOnlyOnAHit) {
  const index_config c = config_of("EO+BS layout=soa");
  const auto rows_read = [](const lookup_trace& t) {
    u64 count = 0;
    for (const trace_step& step : t.steps) {
      for (const memory_access& a : step.accesses) count += a.array == ordered_region::rows;
    }
    return count;
  };
  EXPECT_EQ(rows_read(traced(c, paper_keys_in_order(), 9)), 1u);
  EXPECT_EQ(rows_read(traced(c, paper_keys_in_order(), 8)), 0u);
}

TEST(Trace, AHitEndsAnEytzingerSearchAtOnce) {
  EXPECT_EQ(traced(config_of("EO+BS"), paper_keys_in_order(), 10).steps.size(), 1u);
}

TEST(Trace, KeysLeftNeverGrowAndHoldTheKey) {
  for (const ordered_config& c : testing::shape_configs()) {
    for (const u64 n : {1ull, 2ull, 14ull, 27ull, 100ull}) {
      const key_array keys = testing::spaced_keys(n);
      const auto index = build_on_cpu(c, keys);
      for (u64 key = 0; key < 3 * n + 2; ++key) {
        const auto t = trace_lookup(*index, key);
        ASSERT_TRUE(t);
        const bool present = key % 3 == 1 && key / 3 < n;
        u64 first = 0, end = n;
        for (const trace_step& step : t->steps) {
          ASSERT_GE(step.left_first, first) << to_line(c);
          ASSERT_LE(step.left_end, end) << to_line(c);
          first = step.left_first, end = step.left_end;
          ASSERT_FALSE(step.words.empty());
          const bool still_there = first <= key / 3 && key / 3 < end;
          ASSERT_TRUE(!present || still_there || &step == &t->steps.back()) << to_line(c);
        }
        if (!present) {
          ASSERT_EQ(first, end) << to_line(c) << ": a miss leaves no key, n=" << n << " key=" << key;
        }
      }
    }
  }
}

TEST(Trace, SlotOfTheAnswerHoldsTheKey) {
  for (const ordered_config& c : testing::shape_configs()) {
    const lookup_trace t = traced(c, testing::spaced_keys(100), 3 * 61 + 1);
    ASSERT_NE(t.row, not_found);
    EXPECT_EQ(entry_rank(c, make_shape(c, 100), t.slot), 61u) << to_line(c);
  }
}

TEST(Trace, AKeyPastTheWidthIsRefusedInWords) {
  const auto index = build_on_cpu(config_of("EO+BS"), paper_keys_in_order());
  const auto t = trace_lookup(*index, 1ull << 32);
  ASSERT_FALSE(t);
  EXPECT_THAT(t.error().words,
              HasSubstr("key 4294967296 does not fit the index's 32-bit keys: the greatest is 4294967295"));
}

// 32 entries a step: a lookup that walks more steps than anybody would, and a warp that compares more keys.
TEST(Trace, APathThatNobodyWouldStepThroughIsRefusedInWords) {
  const index_config plain = *config_from_line("PLAIN");
  const auto longest = build_on_cpu(plain, testing::spaced_keys(1 << 19));
  EXPECT_EQ((*trace_warp(*longest, std::vector<u64>{2}))[0].steps.size(), 1u << 14);
  const auto longer = build_on_cpu(plain, testing::spaced_keys((1 << 19) + 1));
  const auto steps = trace_warp(*longer, std::vector<u64>{2});
  ASSERT_FALSE(steps);
  EXPECT_THAT(steps.error().words, HasSubstr("more than 16384 steps"));
  const auto wide = build_on_cpu(plain, testing::spaced_keys((1 << 16) + 1));
  const auto keys = trace_warp(*wide, std::vector<u64>(32, 2));
  ASSERT_FALSE(keys);
  EXPECT_THAT(keys.error().words, HasSubstr("more than 2097152 keys"));
}

TEST(Trace, JsonAndTextTellTheSameSteps) {
  const lookup_trace t = traced(config_of("EO+KS fanout=3 lanes=1"), paper_keys_in_order(), 13);
  nlohmann::json json;
  to_json(json, t);
  EXPECT_EQ(json["steps"].size(), t.steps.size());
  EXPECT_EQ(json["row"], 10);
  EXPECT_EQ(json["config_line"], "EO+KS fanout=3 lanes=1");
  for (const trace_step& step : t.steps) EXPECT_THAT(to_text(t), HasSubstr(step.words));
}

TEST(trace, a_range_whose_ends_do_not_fit_the_keys_is_a_problem) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  for (const auto& [low, high] : {std::pair<u64, u64>{1ull << 32, 1ull << 33}, {1, 1ull << 32}, {1ull << 32, 1}}) {
    const outcome<lookup_trace> trace = trace_range(*index, low, high);
    ASSERT_FALSE(trace);
    EXPECT_NE(trace.error().words.find("32-bit keys"), std::string::npos) << trace.error().words;
  }
  EXPECT_TRUE(trace_range(*index, 0, (1ull << 32) - 1));
}

}  // namespace
}  // namespace pivotscope
