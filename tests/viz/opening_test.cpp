// A scenario's place: copied with the line, and gone to once what was opened is there.
#include "viz/state/opening.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/build_index.hpp"
#include "tests/support/deaf_session.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class line_session final : public testing::deaf_session {
 public:
  void copy_scenario(const view_position& at) override { copied = at; }
  std::optional<view_position> open_scenario(std::string_view) override { return opens; }
  void tell(viz::notice what) override { told.push_back(what.words); }

  std::optional<view_position> opens;
  view_position copied;
  std::vector<std::string> told;
};

class opening_test : public ::testing::Test {
 protected:
  viz::session_view session;
  line_session act;
  testing::no_bytes pages;
  viz::view_state view;
  viz::frame f{session, act, pages, view};

  // The index is there, and the path to 9.
  void build(const char* config) {
    session.choice.config = testing::config_of(config);
    session.choice.load.keys = 14;
    session.choice.key = 9;
    std::vector<u32> keys;
    for (u32 i = 0; i < 14; ++i) keys.push_back(i);
    session.index = testing::build_on_cpu(session.choice.config, key_array(keys));
    auto path = std::make_shared<viz::path_data>();
    path->index = session.index;
    path->trace = *trace_lookup(*session.index, 9);
    session.path = path;
  }
  void frame() {
    f.now += 1;
    f.moving = false;
    viz::advance_transport(f);
    viz::follow_opening(f);
  }
  bool open(view_position at) {
    act.opens = at;
    return viz::open_scenario(f, "a line");
  }
};

TEST_F(opening_test, a_step_waits_for_its_path) {
  build("AO+BS");
  frame();
  ASSERT_TRUE(open({.step = 3}));
  viz::follow_opening(f);
  EXPECT_EQ(view.transport.step, 0u) << "this frame's session is from before";
  session.choice.config = testing::config_of("EO+BS");
  frame();
  EXPECT_EQ(view.transport.step, 0u) << "the old index is still there";
  build("EO+BS");
  session.job.running = true;
  frame();
  EXPECT_EQ(view.transport.step, 0u);
  session.job.running = false;
  frame();
  EXPECT_EQ(view.transport.step, 2u);
  viz::go_to_step(f, 0);
  frame();
  EXPECT_EQ(view.transport.step, 0u) << "gone to once";
  EXPECT_TRUE(act.told.empty());
}

TEST_F(opening_test, what_is_chosen_meanwhile_ends_it) {
  build("AO+BS");
  frame();
  ASSERT_TRUE(open({.step = 3}));
  session.choice.config = testing::config_of("EO+BS");
  frame();
  build("EO+KS");
  frame();
  EXPECT_EQ(view.transport.step, 0u);
  EXPECT_FALSE(view.opening);
}

TEST_F(opening_test, a_line_that_is_none_changes_nothing) {
  build("AO+BS");
  frame();
  view.transport.playing = true;
  act.opens.reset();
  EXPECT_FALSE(viz::open_scenario(f, "nonsense"));
  EXPECT_TRUE(view.transport.playing);
  ASSERT_TRUE(open({}));
  EXPECT_FALSE(view.opening) << "it names no place";
}

TEST_F(opening_test, a_slot_of_the_build_is_shown_and_a_step_shows_the_lookup) {
  build("AO+PB+BS");
  frame();
  ASSERT_TRUE(open({.build = build_slot{"pivots", 1}}));
  frame();
  EXPECT_TRUE(view.build.on);
  EXPECT_EQ(view.build.at, (viz::build_place{1, 1}));
  EXPECT_EQ(viz::place_in_view(session, view), (view_position{.build = build_slot{"pivots", 1}}));
  ASSERT_TRUE(open({.build = build_slot{"", 5}}));
  frame();
  EXPECT_EQ(view.build.at, (viz::build_place{0, 5}));
  viz::copy_scenario(f);
  EXPECT_EQ(act.copied, (view_position{.build = build_slot{"", 5}}));
  ASSERT_TRUE(open({.step = 2}));
  frame();
  EXPECT_FALSE(view.build.on);
  EXPECT_EQ(view.transport.step, 1u);
  viz::copy_scenario(f);
  EXPECT_EQ(act.copied, (view_position{.step = 2}));
  EXPECT_EQ(view.copied_at, f.now);
}

TEST_F(opening_test, a_place_that_is_not_there_is_told) {
  build("EO+BS");
  frame();
  ASSERT_TRUE(open({.step = 9}));
  frame();
  EXPECT_EQ(view.transport.step + 1, f.trace()->steps.size());
  ASSERT_TRUE(open({.build = build_slot{"pivots", 0}}));
  frame();
  ASSERT_TRUE(open({.build = build_slot{"", 15}}));
  frame();
  EXPECT_THAT(act.told,
              ElementsAre(HasSubstr("no step 9: this lookup has 3"), HasSubstr("writes no pivots, but entries"),
                          HasSubstr("no slot 15: the build writes 15 of the entries, from slot 0 on")));
}

TEST_F(opening_test, while_the_choice_is_not_there_no_place_is_in_view) {
  EXPECT_FALSE(viz::place_in_view(session, view).any());
  build("EO+BS");
  frame();
  EXPECT_EQ(viz::place_in_view(session, view), (view_position{.step = 1}));
  session.choice.key = 10;
  EXPECT_FALSE(viz::place_in_view(session, view).any()) << "the path is another key's";
  session.choice.config = testing::config_of("AO+BS");
  view.build.on = true;
  EXPECT_FALSE(viz::place_in_view(session, view).any());
}

TEST_F(opening_test, a_snapshot_brings_its_own_place) {
  build("EO+BS");
  frame();
  viz::snapshot kept;
  kept.at.step = 3;
  act.opens = view_position{};
  viz::open_snapshot(f, kept);
  frame();
  EXPECT_EQ(view.transport.step, 2u);
}

}  // namespace
}  // namespace pivotscope
