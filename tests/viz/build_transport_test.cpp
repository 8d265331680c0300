// The transport while it shows the build: keys, time, and what becomes of the place when another index comes.
#include <gtest/gtest.h>

#include <string>

#include "core/workload/script_list.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/deaf_session.hpp"
#include "tests/support/told_merge.hpp"
#include "viz/state/commands.hpp"
#include "viz/state/key_chord.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope {
namespace {

using testing::config_of;
using viz::build_place;

class counted final : public testing::deaf_session {
 public:
  void choose_random_key(bool) override { ++keys; }
  int keys = 0;
};

class build_transport : public ::testing::Test {
 protected:
  viz::session_view session;
  counted act;
  testing::no_bytes pages;
  viz::view_state view;
  viz::frame f{session, act, pages, view};

  void show(const char* line, u64 n = 14) {
    std::vector<u32> keys;
    for (u64 i = 0; i < n; ++i) keys.push_back(static_cast<u32>(i));
    session.index = testing::build_on_cpu(config_of(line), key_array(keys));
    viz::advance_transport(f);
  }
  void walk(u32 steps) {
    auto path = std::make_shared<viz::path_data>();
    path->trace.steps.resize(steps);
    session.path = path;
    viz::advance_transport(f);
  }
  void press(const std::string& name) {
    for (const viz::command& c : viz::commands())
      if (name == viz::to_text(c.keys)) return c.act(f);
    FAIL() << name;
  }
  void frame_at(double now) {
    f.now = now;
    f.moving = false;
    viz::advance_transport(f);
  }
  build_place at() const { return view.build.at; }
};

TEST_F(build_transport, b_switches_and_each_keeps_its_step) {
  show("EO+BS");
  walk(4);
  press("right");
  EXPECT_EQ(f.pass(), nullptr);
  EXPECT_FALSE(f.writes());
  view.open.fill(false);
  press("ctrl B");
  EXPECT_TRUE(view.build.on);
  EXPECT_TRUE(view.open[static_cast<std::size_t>(viz::panel::path)]) << "the formulas are there";
  EXPECT_EQ(view.focus, viz::panel::path);
  ASSERT_TRUE(f.pass());
  press("right");
  press("right");
  EXPECT_EQ(at(), (build_place{0, 2}));
  EXPECT_EQ(view.transport.step, 1u) << "the lookup stands still";
  ASSERT_TRUE(f.writes());
  EXPECT_EQ(f.writes()->rank, f.model()->describe(main_region, 2).rank);
  press("ctrl B");
  EXPECT_FALSE(view.build.on);
  press("right");
  EXPECT_EQ(view.transport.step, 2u);
  EXPECT_EQ(at(), (build_place{0, 2}));
}

TEST_F(build_transport, keys_go_to_slots_and_their_way_back_is_exact) {
  show("AO+PB+KS fanout=3");  // 14 entries, 8 pivots
  press("ctrl B");
  for (u32 k = 0; k < 30; ++k) {
    const build_place from = at();
    for (u32 i = 0; i < k; ++i) press("right");
    const bool clamped = at() == (build_place{1, 7}) && k > 0;
    for (u32 i = 0; i < k; ++i) press("left");
    if (!clamped || k <= 21) {
      EXPECT_EQ(at(), from) << k;
    }
  }
  press("end");
  EXPECT_EQ(at(), (build_place{0, 13})) << "the pass's end";
  press("end");
  EXPECT_EQ(at(), (build_place{1, 7})) << "then the build's";
  press("home");
  EXPECT_EQ(at(), (build_place{1, 0}));
  press("home");
  EXPECT_EQ(at(), build_place{});
  press("shift right");
  EXPECT_EQ(at(), (build_place{1, 0}));
  press("shift right");
  EXPECT_EQ(at(), (build_place{1, 2}));
  press("shift left");
  EXPECT_EQ(at(), (build_place{1, 1}));
  viz::go_to_cell(f, main_region, 5);
  EXPECT_EQ(at(), (build_place{0, 5}));
  viz::go_to_cell(f, view.build.passes[1].region, 6);
  EXPECT_EQ(at(), (build_place{1, 6}));
}

TEST_F(build_transport, time_moves_the_slot_and_stops_at_the_last) {
  show("EO+BS", 3);  // slots 0 to 3
  view.transport.steps_per_second = 16;
  press("ctrl B");
  f.now = 1;
  press("space");
  EXPECT_TRUE(view.transport.playing);
  frame_at(1.01);
  EXPECT_EQ(at().slot, 0u);
  EXPECT_TRUE(f.moving);
  for (u32 i = 1; i <= 3; ++i) {
    frame_at(1 + i * 0.1);
    EXPECT_EQ(at().slot, i);
  }
  frame_at(2);
  EXPECT_FALSE(view.transport.playing);
  EXPECT_FALSE(f.moving);
  press("space");
  EXPECT_EQ(at(), build_place{}) << "from the end it begins again";
  EXPECT_TRUE(view.transport.playing);
  press("ctrl B");
  EXPECT_FALSE(view.transport.playing);
  EXPECT_EQ(view.transport.steps_per_second, viz::fastest_lookup) << "as fast as a lookup is played at most";
}

TEST_F(build_transport, another_index_keeps_the_place_where_it_has_it) {
  show("EO+BS", 26);
  press("ctrl B");
  viz::go_to_place(f, {0, 20});
  show("EO+KS fanout=3", 26);
  EXPECT_EQ(at(), (build_place{0, 20}));
  show("EO+BS", 9);
  EXPECT_EQ(at(), (build_place{0, 9})) << "its last slot";
  show("AO+PB+BS", 26);
  EXPECT_EQ(at(), (build_place{0, 20})) << "which has it again";
  viz::go_to_place(f, {1, 3});
  show("EO+BS", 26);
  EXPECT_EQ(at(), (build_place{0, 3})) << "no second pass";
  show("AO+PB+BS", 26);
  EXPECT_EQ(at(), (build_place{1, 3}));
  show("EO+BS", 0);
  EXPECT_EQ(f.pass(), nullptr) << "nothing is built of no keys";
  press("right");
  press("shift left");
  press("end");
  press("space");
  frame_at(9);
  EXPECT_FALSE(view.transport.playing);
  session.index = nullptr;
  viz::advance_transport(f);
  EXPECT_EQ(f.pass(), nullptr);
}

// A batch's merge takes the place of the build, and goes with it.
TEST_F(build_transport, a_batch_is_stepped_through_in_place_of_the_build) {
  show("SA", 3);  // 0 1 2
  press("ctrl B");
  viz::go_to_place(f, {0, 2});
  EXPECT_EQ(f.writes()->words, "A copy: the array is the sorted keys, so slot 2 gets the key of rank 2.");
  const testing::told_merge told({0, 1, 2}, *script_from_list("(-1,+1,+7)", key_width::u32));
  const auto built = session.index;
  session.index = told.index;
  auto updates = std::make_shared<viz::update_history>();
  updates->merged = {told.merge, 1};
  session.updates = updates;
  viz::advance_transport(f);
  EXPECT_EQ(at(), (build_place{0, 2})) << "the same slot";
  ASSERT_EQ(view.build.passes.size(), 1u);
  EXPECT_EQ(f.pass()->slots, 4u);
  EXPECT_EQ(f.writes()->words, told.merge->build_step_of(2).words);
  press("right");
  EXPECT_EQ(f.writes()->terms.back().value, 3u);
  press("right");
  EXPECT_EQ(at(), (build_place{0, 3})) << "the last slot";
  press("home");
  EXPECT_EQ(f.writes()->words, told.merge->build_step_of(0).words);
  // Undone.
  session.index = built, session.updates = std::make_shared<viz::update_history>();
  viz::advance_transport(f);
  EXPECT_EQ(f.pass()->slots, 3u);
  EXPECT_EQ(f.writes()->words, "A copy: the array is the sorted keys, so slot 0 gets the key of rank 0.");
  // All is erased: there is nothing to step through.
  const testing::told_merge gone({0, 1}, *script_from_list("-0,-1", key_width::u32));
  session.index = gone.index;
  updates = std::make_shared<viz::update_history>();
  updates->merged = {gone.merge, 2};
  session.updates = updates;
  viz::advance_transport(f);
  EXPECT_EQ(f.pass(), nullptr);
}

TEST_F(build_transport, asking_for_a_key_shows_the_lookup) {
  show("EO+BS");
  for (const char* key : {"ctrl R", "ctrl shift R", "/"}) {
    viz::show_build(f, true);
    press(key);
    EXPECT_FALSE(view.build.on) << key;
  }
  EXPECT_EQ(act.keys, 2);
}

}  // namespace
}  // namespace pivotscope
