// The board: what is put there, when the frame is woken, and the clock of a stage.
#include "app/session/board.hpp"

#include <gtest/gtest.h>

#include "tests/app/session/watched.hpp"

namespace pivotscope {
namespace {

class board_test : public ::testing::Test {
 protected:
  testing::set_clock clock;
  u32 wakes = 0;
  board shared{start(), [this] { ++wakes; }, clock.source()};

  static viz::session_choice start() {
    viz::session_choice choice;
    choice.load.seed = 5;
    return choice;
  }
  viz::job_state job() const { return shared.copy().job; }
};

TEST_F(board_test, begins_with_the_choice_and_nothing_else) {
  EXPECT_EQ(shared.choice(), start());
  EXPECT_EQ(shared.copy().choice, start());
  EXPECT_TRUE(shared.copy().runs->empty());
  EXPECT_FALSE(job().running);
  EXPECT_EQ(wakes, 0u);
}

TEST_F(board_test, progress_wakes_thirty_times_a_second_at_most) {
  shared.job_begins("sorting");
  EXPECT_EQ(wakes, 1u);
  for (u32 i = 0; i < 10; ++i) shared.progress("sorting", 0.1);
  EXPECT_EQ(wakes, 1u);
  clock.pass_ms(33);
  shared.progress("sorting", 0.2);
  EXPECT_EQ(wakes, 1u);
  clock.pass_ms(1);
  shared.progress("sorting", 0.3);
  EXPECT_EQ(wakes, 2u);
  shared.progress("sorting", 0.4);
  EXPECT_EQ(wakes, 2u);
  EXPECT_EQ(job().fraction, 0.4);  // seen all the same
  for (u32 ms = 0; ms < 1000; ++ms) {
    clock.pass_ms(1);
    shared.progress("sorting", 0.5);
  }
  EXPECT_EQ(wakes, 2u + 1000 / 34);
}

TEST_F(board_test, every_change_wakes) {
  shared.change([](viz::session_view& view) { view.choice.load.seed = 6; });
  EXPECT_EQ(wakes, 1u);
  EXPECT_EQ(shared.choice().load.seed, 6u);
  shared.tell({"words", true});
  EXPECT_EQ(wakes, 2u);
  shared.job_begins("a");
  EXPECT_EQ(wakes, 3u);
  shared.wake();
  EXPECT_EQ(wakes, 4u);
}

TEST_F(board_test, a_job_runs_from_when_it_is_asked_for) {
  shared.job_begins("a");
  shared.job_ends(true);
  EXPECT_EQ(wakes, 1u);
  clock.pass_ms(1000);
  shared.job_asked();
  EXPECT_EQ(wakes, 1u) << "said under a lock: nobody is called";
  EXPECT_TRUE(job().running);
  EXPECT_FALSE(job().stopped);
  EXPECT_EQ(job().stage, "starting");
  EXPECT_DOUBLE_EQ(job().elapsed_s, 0);
  shared.job_begins("sorting");
  shared.job_asked();
  EXPECT_EQ(job().stage, "sorting") << "what runs goes on";
}

TEST_F(board_test, a_stage_has_its_own_clock) {
  clock.pass_ms(5000);
  shared.job_begins("making keys");
  EXPECT_TRUE(job().running);
  EXPECT_EQ(job().stage, "making keys");
  EXPECT_EQ(job().fraction, -1);
  EXPECT_DOUBLE_EQ(job().elapsed_s, 0);
  EXPECT_EQ(job().remaining_s, -1);
  clock.pass_ms(1500);
  shared.progress("making keys", 0.75);
  EXPECT_DOUBLE_EQ(job().elapsed_s, 1.5);
  EXPECT_DOUBLE_EQ(job().remaining_s, 0.5);
  shared.progress("sorting", 0.5);  // a part of its own
  EXPECT_EQ(job().stage, "sorting");
  EXPECT_DOUBLE_EQ(job().elapsed_s, 0);
  clock.pass_ms(1000);
  EXPECT_DOUBLE_EQ(job().elapsed_s, 1);
  EXPECT_DOUBLE_EQ(job().remaining_s, 1);
  shared.job_begins("building");
  EXPECT_DOUBLE_EQ(job().elapsed_s, 0);
  EXPECT_EQ(job().fraction, -1);
}

TEST_F(board_test, what_remains_is_not_guessed_too_early) {
  shared.job_begins("sorting");
  clock.pass_ms(200);
  shared.progress("sorting", 0.5);
  EXPECT_EQ(job().remaining_s, -1);
  clock.pass_ms(1);
  EXPECT_DOUBLE_EQ(job().remaining_s, 0.201);
  shared.progress("sorting", 0.0199);
  EXPECT_EQ(job().remaining_s, -1);
  shared.progress("sorting", 0.02);
  EXPECT_DOUBLE_EQ(job().remaining_s, 0.201 * 49);
}

TEST_F(board_test, an_ended_job_leaves_only_who_ended_it) {
  shared.job_begins("sorting");
  clock.pass_ms(1000);
  shared.progress("sorting", 0.5);
  shared.job_ends(true);
  EXPECT_FALSE(job().running);
  EXPECT_TRUE(job().stopped);
  EXPECT_EQ(job().stage, "");
  EXPECT_EQ(job().fraction, -1);
  EXPECT_EQ(job().elapsed_s, 0);
  EXPECT_EQ(job().remaining_s, -1);
  shared.job_begins("sorting");
  EXPECT_FALSE(job().stopped);
  shared.job_ends(false);
  EXPECT_FALSE(job().stopped);
}

TEST_F(board_test, a_notice_is_there_once) {
  shared.tell({"one", true});
  shared.tell({"two", false});
  shared.tell({"one", false});
  const std::vector<viz::notice> notices = shared.copy().notices;
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_EQ(notices[0].words, "one");
  EXPECT_TRUE(notices[0].fault);
  EXPECT_EQ(notices[1].words, "two");
  EXPECT_FALSE(notices[1].fault);
}

}  // namespace
}  // namespace pivotscope
