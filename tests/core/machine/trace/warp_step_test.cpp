// Passes over scratch by hand, and where answers are written.
#include "core/traffic/warp_step.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

// 32 lookups of one step; thread t reads `bytes` of scratch from byte where(t) on.
template <class F>
warp_step scratch_step(u32 bytes, F&& where, u32 loads_each = 1) {
  std::vector<lookup_trace> traces(32);
  std::vector<const lookup_trace*> together;
  for (u32 t = 0; t < 32; ++t) {
    trace_step step;
    for (u32 i = 0; i < loads_each; ++i) {
      memory_access a;
      a.space = memory_space::scratch;
      a.byte_offset = where(t) + i * bytes;
      a.bytes = bytes;
      step.accesses.push_back(a);
    }
    traces[t].steps.push_back(step);
    together.push_back(&traces[t]);
  }
  return steps_of_warp(together, 1).front();
}

TEST(warp_step, a_pass_over_scratch_brings_a_word_of_each_bank) {
  const warp_step same = scratch_step(4, [](u32) { return 64; });
  EXPECT_EQ(same.scratch_passes, 1u) << "one word for all";
  EXPECT_EQ(same.least_scratch_passes, 1u);
  EXPECT_EQ(same.loading, 32u);
  EXPECT_TRUE(same.sectors.empty()) << "scratch is no memory";
  EXPECT_EQ(scratch_step(4, [](u32 t) { return t * 4; }).scratch_passes, 1u) << "side by side";
  EXPECT_EQ(scratch_step(4, [](u32 t) { return t * 8; }).scratch_passes, 2u) << "every second bank, twice";
  EXPECT_EQ(scratch_step(4, [](u32 t) { return t * 128; }).scratch_passes, 32u) << "all in one bank";
  EXPECT_EQ(scratch_step(4, [](u32 t) { return t / 2 * 128; }).scratch_passes, 16u) << "two threads share each word";
}

TEST(warp_step, wider_loads_go_by_parts_of_the_warp) {
  const warp_step pairs = scratch_step(8, [](u32 t) { return t * 8; });
  EXPECT_EQ(pairs.least_scratch_passes, 2u);
  EXPECT_EQ(pairs.scratch_passes, 2u);
  const warp_step fours = scratch_step(16, [](u32 t) { return t * 16; });
  EXPECT_EQ(fours.least_scratch_passes, 4u);
  EXPECT_EQ(fours.scratch_passes, 4u);
  EXPECT_EQ(scratch_step(16, [](u32 t) { return t * 128; }).scratch_passes, 32u)
      << "eight threads a part, each in its own row";
  EXPECT_EQ(scratch_step(8, [](u32) { return 0; }).scratch_passes, 2u);
}

TEST(warp_step, loads_of_a_thread_are_one_after_the_other) {
  const warp_step two = scratch_step(
      4, [](u32 t) { return t * 8; }, 2);
  EXPECT_EQ(two.least_scratch_passes, 2u);
  EXPECT_EQ(two.scratch_passes, 4u);
  EXPECT_EQ(two.loads.size(), 64u);
  EXPECT_EQ(two.loading, 32u);
}

TEST(warp_step, threads_that_are_done_are_not_active) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const u64 keys[] = {10, 10, 1, 17};  // the root, and the two ends
  const std::vector<lookup_trace> traces = *trace_warp(*index, keys);
  std::vector<const lookup_trace*> together;
  for (const lookup_trace& t : traces) together.push_back(&t);
  const std::vector<warp_step> steps = steps_of_warp(together, 1);
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].active, 4u);
  EXPECT_EQ(steps[0].sectors, (std::vector<memory_block>{{region_id{0}, 0}}));
  EXPECT_EQ(steps[0].bytes, 8u) << "all read the root";
  for (std::size_t s = 0; s < steps.size(); ++s) {
    u32 active = 0;
    for (const lookup_trace& t : traces) active += s < t.steps.size() ? 1 : 0;
    EXPECT_EQ(steps[s].active, active);
    EXPECT_EQ(steps[s].level, s);
  }
  EXPECT_TRUE(steps_of_warp({}, 1).empty());
}

TEST(warp_step, threads_of_a_group_are_side_by_side) {
  const auto index =
      testing::build_on_cpu(testing::config_of("EO+KS fanout=5 lanes=4"), testing::paper_keys_in_order());
  const u64 keys[] = {1, 17};
  const std::vector<lookup_trace> traces = *trace_warp(*index, keys);
  const lookup_trace* together[] = {&traces[0], &traces[1]};
  const warp_step root = steps_of_warp(together, 4).front();
  ASSERT_EQ(root.loads.size(), 8u);
  for (u32 i = 0; i < 8; ++i) EXPECT_EQ(root.loads[i].thread, i);
  EXPECT_EQ(root.active, 8u);
}

TEST(warp_step, answers_in_order_take_four_sectors) {
  std::vector<u32> places(32);
  std::iota(places.begin(), places.end(), 64u);
  EXPECT_EQ(written_sectors(places), (std::vector<u64>{8, 9, 10, 11}));
  for (u32 i = 0; i < 32; ++i) places[i] = i * 8;
  EXPECT_EQ(written_sectors(places).size(), 32u);
  EXPECT_TRUE(written_sectors({}).empty());
}

}  // namespace
}  // namespace pivotscope
