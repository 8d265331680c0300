#include "core/tuning/batch_to_time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

const index_config tree = *config_from_line("EO+BS"), plain = *config_from_line("PLAIN");

workload of_keys(u64 keys) { return {.keys = keys, .dist = distribution::uniform}; }

u64 usual(u64 keys, machine_kind on = machine_kind::cpu, const index_config& config = tree) {
  return usual_batch(of_keys(keys), config, on);
}

TEST(usual_batch, of_the_papers_keys_is_to_be_looked_at) {
  EXPECT_EQ(usual_batch(workload{}, tree, machine_kind::cpu), workload{}.lookups);
  EXPECT_EQ(usual_batch(workload{}, tree, machine_kind::cuda), 64u);
  EXPECT_EQ(usual(0), 64u);
  EXPECT_EQ(usual(64), 64u);
}

TEST(usual_batch, grows_with_the_keys_to_a_cap) {
  EXPECT_EQ(usual(65), 1u << 16);
  EXPECT_EQ(usual(1 << 16), 1u << 16);
  EXPECT_EQ(usual((1 << 16) + 1), 1u << 17);
  EXPECT_EQ(usual(1'000'000), 1u << 20);
  EXPECT_EQ(usual(1ull << 28), 1u << 20);
  EXPECT_EQ(usual(1 << 20, machine_kind::cuda), 1u << 24) << "a GPU has more on the way at once";
}

TEST(usual_batch, has_fewer_ranges_the_longer_they_are) {
  workload ranges = of_keys(1 << 20);
  ranges.lookups = 0, ranges.ranges = 1;
  const auto of_length = [&](u64 entries) {
    ranges.range_hits = entries;
    return usual_batch(ranges, tree, machine_kind::cpu);
  };
  EXPECT_EQ(of_length(1), 1u << 20);
  EXPECT_EQ(of_length(64), 1u << 16);
  EXPECT_EQ(of_length(1 << 20), 1u << 10);
}

TEST(usual_batch, of_a_search_from_end_to_end_is_over_soon) {
  EXPECT_EQ(usual(1 << 12, machine_kind::cpu, plain), 1u << 16);
  EXPECT_EQ(usual(1 << 20, machine_kind::cpu, plain), 1u << 10);
  EXPECT_EQ(usual(1ull << 26, machine_kind::cpu, plain), 64u);
}

TEST(too_few_to_time, says_how_many_would_tell) {
  workload load = of_keys(1 << 20);
  load.lookups = 64;
  EXPECT_EQ(too_few_to_time(extent_of(load, machine_kind::cpu)),
            "64 lookups over 2^20 keys are too few to time: a run is over before a clock can tell, and finds in the "
            "caches what the run before it read. From 2^16 on they tell");
  load.lookups = 1 << 16;
  EXPECT_EQ(too_few_to_time(extent_of(load, machine_kind::cpu)), "");
  EXPECT_NE(too_few_to_time(extent_of(load, machine_kind::cuda)), "");
  EXPECT_EQ(too_few_to_time({.keys = 1, .operations = 1}).substr(0, 36), "1 lookup over 1 key is too few to ti");
  EXPECT_EQ(too_few_to_time({.keys = 14, .operations = 0}), "") << "none is another matter";
}

RC_GTEST_PROP(usual_batch, can_be_timed_where_keys_are_not_to_be_looked_at, ()) {
  workload load = of_keys(1ull << *rc::gen::inRange(7, 32));
  load.keys -= *rc::gen::inRange<u64>(0, load.keys / 2 - 1);
  const machine_kind on = *rc::gen::element(machine_kind::cpu, machine_kind::cuda);
  if (*rc::gen::arbitrary<bool>())
    load.lookups = 0, load.ranges = 1, load.range_hits = 1ull << *rc::gen::inRange(0, 21);
  const u64 usual = usual_batch(load, tree, on);
  set_batch_size(load, operation_of(load), usual);
  RC_ASSERT(too_few_to_time(extent_of(load, on)).empty());
  RC_ASSERT(usual_batch(load, tree, on) == usual);  // it does not depend on what the batch is now
  workload more = load;
  more.keys = std::min(max_keys, load.keys * 2);
  RC_ASSERT(usual_batch(more, tree, on) >= usual);
}

}  // namespace
}  // namespace pivotscope
