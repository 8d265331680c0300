#include "app/cli/progress_line.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(progress_line, says_stage_and_share_and_estimates_once_it_can) {
  progress_line line;
  EXPECT_EQ(line.text(5, 100), "");
  line.report("sorting", 0.0, 10);
  EXPECT_EQ(line.text(10.5, 100), "sorting 0%");
  line.report("sorting", 0.25, 10.9);
  EXPECT_EQ(line.text(10.9, 100), "sorting 25%") << "under a second it is a guess";
  line.report("sorting", 0.25, 12);
  EXPECT_EQ(line.text(12, 100), "sorting 25%, about 6 s left");
  line.report("sorting", 0.5, 14);
  EXPECT_EQ(line.text(14, 100), "sorting 50%, about 4 s left");
  line.report("sorting", 1.0, 18);
  EXPECT_EQ(line.text(18, 100), "sorting 100%");
}

TEST(progress_line, begins_anew_with_each_stage) {
  progress_line line;
  line.report("sorting", 0.9, 0);
  line.report("building", 0.5, 100);
  EXPECT_EQ(line.text(102, 100), "building 50%, about 2 s left");
  line.report("building", 0.05, 103);  // a second build
  EXPECT_EQ(line.text(103.1, 100), "building 5%");
}

TEST(progress_line, does_not_go_back_when_threads_overtake_each_other) {
  progress_line line;
  line.report("sorting", 0.50, 0);
  line.report("sorting", 0.49, 0);
  EXPECT_EQ(line.text(0, 100), "sorting 50%");
}

TEST(progress_line, admits_what_it_does_not_know) {
  progress_line line;
  line.report("compiling", -1, 0);
  EXPECT_EQ(line.text(0.5, 100), "compiling");
  EXPECT_EQ(line.text(3.7, 100), "compiling, 3 s so far");
}

TEST(progress_line, shows_heading_and_whole) {
  progress_line line;
  line.set_heading("EO+BS, 2 of 5");
  line.report("sorting", 0.5, 0);
  EXPECT_EQ(line.text(0, 100), "EO+BS, 2 of 5: sorting 50%");
  line.report_whole("case 3 of 12,", 0.25, 0);
  line.report("sorting", 0.9, 1);
  EXPECT_EQ(line.text(4, 100), "EO+BS, 2 of 5: case 3 of 12, 25%, about 12 s left");
}

TEST(progress_line, fits_the_terminal) {
  progress_line line;
  line.report("a stage with a rather long name", 0.5, 0);
  EXPECT_EQ(line.text(0, 10), "a stage wi");
}

TEST(progress_line, estimates_after_a_second_and_a_fiftieth) {
  progress_line line;
  line.report("sorting", 0.02, 0);
  EXPECT_EQ(line.text(0.99, 100), "sorting 2%");
  EXPECT_EQ(line.text(1, 100), "sorting 2%, about 49 s left");
  progress_line slower;
  slower.report("sorting", 0.0199, 0);
  EXPECT_EQ(slower.text(5, 100), "sorting 1%");
}

TEST(progress_line, begins_a_stage_again_below_half) {
  progress_line line;
  line.report("sorting", 0.5, 0);
  line.report("sorting", 0.25, 2);
  EXPECT_EQ(line.text(4, 100), "sorting 50%, about 4 s left");
  line.report("sorting", 0.24, 4);
  EXPECT_EQ(line.text(4.5, 100), "sorting 24%");
  EXPECT_EQ(line.text(5, 100), "sorting 24%, about 3 s left");
}

TEST(progress_line, keeps_to_whole_shares) {
  progress_line line;
  line.report("sorting", 1.5, 0);
  EXPECT_EQ(line.text(2, 100), "sorting 100%");
  line.report("sorting", -1, 0);
  EXPECT_EQ(line.text(2, 100), "sorting 100%") << "an unknown share says nothing";
  progress_line whole;
  whole.report_whole("case", 7, 0);
  EXPECT_EQ(whole.text(2, 100), "case 100%");
  whole.report_whole("case", -7, 0);
  EXPECT_EQ(whole.text(2, 100), "case 0%");
}

TEST(progress_line, counts_the_whole_from_its_beginning) {
  progress_line line;
  line.report("sorting", 0.5, 0);
  line.report_whole("case 1 of 4,", 0.25, 10);
  EXPECT_EQ(line.text(11, 100), "case 1 of 4, 25%, about 3 s left");
  line.report_whole("case 2 of 4,", 0.5, 14);
  EXPECT_EQ(line.text(14, 100), "case 2 of 4, 50%, about 4 s left");
}

TEST(progress_line, says_how_long_what_it_does_not_know_lasts) {
  progress_line line;
  line.report("compiling", -1, 1);
  EXPECT_EQ(line.text(1.99, 100), "compiling");
  EXPECT_EQ(line.text(2, 100), "compiling, 1 s so far");
}

TEST(duration_words, have_fitting_units) {
  EXPECT_EQ(duration_words(0.1), "about 1 s");
  EXPECT_EQ(duration_words(99), "about 99 s");
  EXPECT_EQ(duration_words(1.4), "about 1 s");
  EXPECT_EQ(duration_words(1.5), "about 2 s");
  EXPECT_EQ(duration_words(99.4), "about 99 s");
  EXPECT_EQ(duration_words(99.5), "about 2 min");
  EXPECT_EQ(duration_words(3569), "about 59 min");
  EXPECT_EQ(duration_words(7200), "about 2 h 0 min");
  EXPECT_EQ(duration_words(120), "about 2 min");
  EXPECT_EQ(duration_words(3599), "about 1 h 0 min");
  EXPECT_EQ(duration_words(4800), "about 1 h 20 min");
}

}  // namespace
}  // namespace pivotscope
