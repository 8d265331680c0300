// lightweight, Figure 11 and Section 4.2: key 6 among 14 keys with AO+BS, and a scratch of six slots. The figure's
// positions follow from the formula: the keys of the first M steps lie at (n - 1) - i 2S / 2^M.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/families/ordered/mapping.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;
using ::testing::ElementsAre;

// 64-bit keys, since a scratch is a multiple of 16 bytes: 48 bytes are six slots.
const char* const steps_pinning = "AO+BS keys=u64 pin=steps scratch=48";
const char* const full_pinning = "AO+BS keys=u64 pin=full scratch=48";

lookup_trace traced_wide(std::string_view config, u64 key) {
  const key_array narrow = testing::paper_keys_in_order();
  std::vector<u64> keys;
  for (u64 i = 0; i < narrow.size(); ++i) keys.push_back(narrow[i]);
  const auto index = build_on_cpu(config_of(config), key_array(keys));
  auto trace = trace_lookup(*index, key);
  EXPECT_TRUE(trace);
  return *trace;
}

// Positions of the pinned keys, in the order of scratch.
std::vector<u64> pinned_positions(std::string_view config) {
  const ordered_config c = config_of(config);
  const index_shape s = make_shape(c, 14);
  const pin_plan plan = plan_pins(c, s);
  std::vector<u64> positions;
  for (u32 i = 0; i < plan.total; ++i) positions.push_back(pin_source(c, s, plan, i).slot);
  return positions;
}

// What each step reads: "17s" is the key 17 in scratch, "7m" the key 7 in memory.
std::vector<std::string> reads(const lookup_trace& trace) {
  std::vector<std::string> steps;
  for (const trace_step& step : trace.steps) {
    steps.emplace_back();
    for (u32 i = 0; i < step.compared.size(); ++i) {
      const bool scratch = step.accesses[i].space == memory_space::scratch;
      steps.back() += std::to_string(step.compared[i].key) + (scratch ? "s" : "m");
    }
  }
  return steps;
}

TEST(PinningGolden, Figure11aTakesFourStepsInMemory) {
  const lookup_trace t = traced_wide("AO+BS keys=u64", 6);
  EXPECT_THAT(reads(t), ElementsAre("7m", "3m", "6m", "4m", "6m")) << "steps 8, 4, 2, 1, and the entry arrived at";
  EXPECT_EQ(t.row, 3u);
  EXPECT_EQ(t.scratch_bytes, 0u);
}

TEST(PinningGolden, Figure11bTakesTwoStepsInScratchAndTwoInMemory) {
  const pin_plan plan = plan_pins(config_of(steps_pinning), make_shape(config_of(steps_pinning), 14));
  EXPECT_EQ(plan.levels, 2u) << "M";
  EXPECT_EQ(plan.total, 4u) << "two of six slots are left unused";
  EXPECT_EQ(plan.unit, 4u) << "2S / 2^M, with S = 8";
  EXPECT_THAT(pinned_positions(steps_pinning), ElementsAre(13, 9, 5, 1));
  const lookup_trace t = traced_wide(steps_pinning, 6);
  EXPECT_THAT(reads(t), ElementsAre("7s", "3s", "6m", "4m", "6m"));
  EXPECT_EQ(t.row, 3u);
}

// Section 4.2.2: the next step "would require 1 more empty slot", so it is pinned in part.
TEST(PinningGolden, Section422FillsTheTwoSlotsThatWereLeft) {
  const ordered_config c = config_of(full_pinning);
  const pin_plan plan = plan_pins(c, make_shape(c, 14));
  EXPECT_EQ(plan.levels, 2u);
  EXPECT_EQ(plan.whole, 4u);
  EXPECT_EQ(plan.total, 6u);
  EXPECT_THAT(pinned_positions(full_pinning), ElementsAre(13, 9, 5, 1, 11, 7));
  ordered_config roomy = c;
  roomy.scratch = 56;
  EXPECT_EQ(plan_pins(roomy, make_shape(roomy, 14)).levels, 3u) << "one slot more would hold all of step 3";
  // Step 3 by index comparison: 14 and 10 are in scratch, 6 is not.
  EXPECT_THAT(reads(traced_wide(full_pinning, 14)), ElementsAre("7s", "12s", "14s", "13m", "14m"));
  EXPECT_THAT(reads(traced_wide(full_pinning, 10)), ElementsAre("7s", "12s", "10s", "9m", "10m"));
  EXPECT_THAT(reads(traced_wide(full_pinning, 6)), ElementsAre("7s", "3s", "6m", "4m", "6m"));
}

}  // namespace
}  // namespace pivotscope
