// Who holds which latch, and who waits for whom, as accesses tell.
#include "viz/models/latches.hpp"

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/verify/interleaving.hpp"
#include "viz/models/step_reader.hpp"

namespace pivotscope {
namespace {

namespace latch_bars {

struct meeting {
  std::unique_ptr<machine> cpu = detail::open_cpu();
  std::unique_ptr<interleaving> made;
  interleaved_run run;
  viz::latch_story story;

  meeting(const char* config, const char* line) {
    const index_config c = *config_from_line(config);
    const interleaved_case of = *interleaved_case_from_text(line, c.keys);
    auto ready = interleaving::make(*cpu, c, of);
    made = std::move(*ready);
    run = made->run(of.order);
    story = viz::latches_of(*made->model(), run.accesses);
  }
};

}  // namespace latch_bars

TEST(latches, are_held_from_the_access_that_takes_them_to_the_one_that_lets_them_go) {
  const latch_bars::meeting m("BTREE node=8 fill=100", "keys=10,20,30,40,50,60,70 ops=+45 schedule=0");
  ASSERT_EQ(m.story.held.size(), 2u);
  const viz::latch_held &leaf = m.story.held[0], &parent = m.story.held[1];
  EXPECT_EQ(leaf.name, "leaf 0");
  EXPECT_EQ(parent.name, "the root");
  EXPECT_EQ(leaf.lane, 0u);
  EXPECT_EQ(parent.lane, 1u) << "beside the other, which is still held";
  EXPECT_EQ(m.story.lanes(), 2u);
  EXPECT_LT(leaf.first, parent.first);
  EXPECT_LT(parent.end, leaf.end);
  EXPECT_EQ(leaf.end, m.run.accesses.size()) << "the last access lets it go";
  EXPECT_EQ(m.run.accesses[leaf.first].what, shared_access::kind::set_bits);
  EXPECT_EQ(m.run.accesses[parent.end - 1].what, shared_access::kind::store);
  EXPECT_TRUE(m.story.waits.empty());
  EXPECT_EQ(m.story.wait_at(0), nullptr);
}

TEST(latches, that_another_operation_holds_are_waited_for) {
  const latch_bars::meeting m("BTREE node=8 fill=100", "keys=10,20,30,40,50,60,70 ops=+45,-60 schedule=0:18 1:12 0 1");
  ASSERT_FALSE(m.story.waits.empty());
  const viz::latch_wait& wait = m.story.waits.front();
  EXPECT_EQ(m.run.accesses[wait.access].task, 1u);
  EXPECT_EQ(m.story.held[wait.held].task, 0u);
  EXPECT_EQ(m.story.held[wait.held].name, "leaf 0");
  EXPECT_EQ(m.story.wait_at(wait.access), &wait);
  EXPECT_TRUE(m.story.held[wait.held].at_access(wait.access));
}

TEST(latches, that_are_let_go_late_are_held_until_others_see_it) {
  const latch_bars::meeting m("BTREE node=8", "keys=10 ops=+20 schedule=0 late");
  ASSERT_EQ(m.story.held.size(), 1u);
  EXPECT_EQ(m.run.accesses[m.story.held[0].end - 1].what, shared_access::kind::arrival);
}

TEST(latches, are_none_where_a_family_has_none) {
  const latch_bars::meeting m("HT+OA", "keys=5,3 ops=+7,+7 schedule=0:3 1");
  EXPECT_TRUE(m.story.held.empty());
  EXPECT_TRUE(m.story.waits.empty());
}

TEST(step_reader, reads_what_the_steps_so_far_stored) {
  lookup_trace trace;
  trace.steps.resize(2);
  trace.steps[0].changed.push_back({.array = main_region, .slot = 1, .offset = 4, .bytes = 4, .before = 0, .after = 7});
  trace.steps[1].changed.push_back({.array = main_region, .slot = 1, .offset = 0, .bytes = 8, .before = 0, .after = 9});
  trace.steps[1].changed.push_back(
      {.array = main_region, .slot = 2, .offset = 0, .bytes = 8, .before = 0, .after = 5, .done = false});
  const std::shared_ptr<const index_model> model = model_of(*config_from_line("PLAIN"), 4);
  const region_reader zeros = [](region_id, u64, std::span<std::byte> out) {
    std::fill(out.begin(), out.end(), std::byte{0});
    return true;
  };
  const auto word = [&](u32 steps, u64 byte) {
    u64 value = 0;
    std::byte bytes[8];
    EXPECT_TRUE(viz::after_steps(zeros, *model, trace, steps)(main_region, byte, bytes));
    std::memcpy(&value, bytes, 8);
    return value;
  };
  EXPECT_EQ(word(0, 8), 0u);
  EXPECT_EQ(word(1, 8), u64{7} << 32);
  EXPECT_EQ(word(2, 8), 9u);
  EXPECT_EQ(word(1, 4), 0u);
  EXPECT_EQ(word(2, 16), 0u) << "a swap that was not done";
}

}  // namespace
}  // namespace pivotscope
