// What a search has in hand in its steps, beside what it looks for.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/index/step_words.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/hard_keys.hpp"

namespace pivotscope {
namespace {

// An insert has its entry in hand in every step, until a cell takes it.
TEST(in_hand, is_the_entry_of_an_insert) {
  for (const char* line : {"HT+OA load=95 window=4", "HT+OA layout=soa load=95 window=4", "PLAIN"}) {
    SCOPED_TRACE(line);
    const auto index = testing::build_on_cpu(testing::config_of(line), testing::paper_keys_in_order());
    u64 longest = 0;
    for (u64 key = 20; key < 60; ++key) {
      const auto trace = trace_write(*index, operation::insert, key);
      ASSERT_TRUE(trace.ok());
      longest = std::max<u64>(longest, trace->steps.size());
      for (const trace_step& step : trace->steps) {
        ASSERT_EQ(step.in_hand.size(), 1u);
        EXPECT_EQ(step.in_hand[0], (held_thing{"entry", held_kind::entry, key, static_cast<u32>(index->rows())}));
      }
      const auto erased = trace_write(*index, operation::erase, key);
      ASSERT_TRUE(erased.ok());
      for (const trace_step& step : erased->steps) EXPECT_TRUE(step.in_hand.empty());
    }
    if (std::string_view(line) != "PLAIN") {
      EXPECT_GT(longest, 1u);
    }
  }
}

// A directory leads to a leaf, which is read next.
TEST(in_hand, is_the_leaf_that_a_directory_leads_to) {
  u64 held = 0;
  for (const auto& set : testing::all_hard_keys<u32>(600, 3)) {
    SCOPED_TRACE(set.name);
    const auto index = testing::build_on_cpu(testing::config_of("PACKED"), key_array(set.keys));
    for (const u32 key : testing::asked_of(set.keys, 10, 5)) {
      for (const auto& trace : {trace_lookup(*index, key), trace_next(*index, operation::successor, key)}) {
        ASSERT_TRUE(trace.ok());
        for (std::size_t i = 0; i + 1 < trace->steps.size(); ++i) {
          const trace_step &step = trace->steps[i], &next = trace->steps[i + 1];
          if (step.in_hand.empty()) continue;
          const held_thing& leaf = step.in_hand.front();
          ASSERT_EQ(leaf.kind, held_kind::place);
          EXPECT_EQ(leaf.region, main_region);
          EXPECT_EQ(next.accesses.front().array, main_region);
          EXPECT_EQ(leaf.cell, next.accesses.front().slot) << key << ": " << held_words(leaf);
          ++held;
        }
      }
    }
  }
  EXPECT_GT(held, 500u);
}

TEST(in_hand, is_how_much_a_scan_has_found) {
  std::vector<u32> keys(100);
  for (u32 i = 0; i < 100; ++i) keys[i] = i;
  const auto index = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(keys));
  const auto trace = trace_range(*index, 10, 70);
  ASSERT_TRUE(trace.ok());
  ASSERT_EQ(trace->steps.size(), 4u);
  const u64 found[] = {22, 54, 61, 61};
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_EQ(trace->steps[i].in_hand.size(), 1u) << "the last of a name";
    EXPECT_EQ(held_words(trace->steps[i].in_hand[0]), "found so far " + std::to_string(found[i]));
  }
}

TEST(in_hand, is_printed) {
  const auto table = testing::build_on_cpu(testing::config_of("HT+OA"), testing::paper_keys_in_order());
  const auto insert = trace_write(*table, operation::insert, 21);
  EXPECT_NE(to_text(*insert).find("  in hand: entry 21, row 14\n"), std::string::npos) << to_text(*insert);
  nlohmann::json json;
  to_json(json, *insert);
  EXPECT_EQ(json["steps"][0]["in_hand"], nlohmann::json::parse(R"([{"name":"entry","key":21,"row":14}])"));

  const auto packed = testing::build_on_cpu(testing::config_of("PACKED"), testing::paper_keys_in_order());
  const auto lookup = trace_lookup(*packed, 9);
  EXPECT_NE(to_text(*lookup).find("  in hand: leaf 0\n"), std::string::npos) << to_text(*lookup);
  to_json(json, *lookup);
  EXPECT_EQ(json["steps"][0]["in_hand"],
            nlohmann::json::parse(R"([{"name":"leaf","number":0,"array":"leaves","slot":0}])"));
  EXPECT_FALSE(json["steps"].back().contains("in_hand"));
}

TEST(in_hand, is_not_written_down_of_a_warp) {
  const auto index = testing::build_on_cpu(testing::config_of("PACKED"), testing::paper_keys_in_order());
  const std::vector<u64> keys{1, 9, 17};
  const auto warp = trace_warp(*index, keys);
  ASSERT_TRUE(warp.ok());
  for (const lookup_trace& trace : *warp)
    for (const trace_step& step : trace.steps) EXPECT_TRUE(step.in_hand.empty());
}

}  // namespace
}  // namespace pivotscope
