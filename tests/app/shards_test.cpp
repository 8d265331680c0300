// tests/support/shard.py: what runs a program's tests must see each way in which they can be red.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

class shards : public ::testing::Test {
 protected:
  // Of the sample (tests/support/shard_sample.cpp), those tests that the filter names.
  program_result run(const std::string& filter, const std::string& shard = "1/1", const std::string& more = "") const {
    const std::string out = (scratch_ / "out").string(), err = (scratch_ / "err").string();
    const int status = std::system(
        fmt::format("env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX python3 '{}/tests/support/shard.py' --name sample "
                    "--shard {} --results '{}' {} '{}' '--gtest_filter={}' >'{}' 2>'{}'",
                    testing::source_folder().string(), shard, (scratch_ / "results").string(), more,
                    (testing::built_folder() / "shard_sample").string(), filter, out, err)
            .c_str());
    return {WEXITSTATUS(status), contents_of(out), contents_of(err)};
  }
  void expect_red(const program_result& result, const std::vector<std::string>& parts) const {
    EXPECT_EQ(result.status, 1);
    for (const std::string& part : parts) expect_part(result.out + result.err, part);
  }

 private:
  scratch_folder scratch_;
};

TEST_F(shards, are_green_where_all_is_right) {
  const program_result result = run("right.*:skipped.first");
  EXPECT_EQ(result.status, 0);
  expect_part(result.out, "sample: 4 tests: 3 right, 1 skipped, 0 failed;");
}

TEST_F(shards, are_skipped_where_all_is_skipped) {
  const program_result result = run("skipped.*");
  EXPECT_EQ(result.status, 77);
  expect_part(result.out, "sample: 2 tests: 0 right, 2 skipped, 0 failed;");
}

TEST_F(shards, have_each_test_once) {
  expect_part(run("right.*", "1/2").out, "sample: 2 tests");
  expect_part(run("right.*", "2/2").out, "sample: 1 tests");
}

TEST_F(shards, without_a_test_are_red) {
  expect_red(run("nothing.*"), {"sample: RED: no test is in shard 1/1"});
  expect_red(run("right.*", "4/4"), {"sample: RED: no test is in shard 4/4"});
}

TEST_F(shards, show_a_test_that_failed) {
  expect_red(run("right.*:wrong.fails:z.*"),
             {"said by what fails", "sample: 5 tests: 4 right, 0 skipped, 1 failed;", "sample: FAILED: wrong.fails"});
}

TEST_F(shards, name_the_test_that_crashed) {
  expect_red(
      run("right.*:wrong.crashes:z.*"),
      {"said before the crash", "sample: 4 tests: 3 right, 0 skipped, 1 failed;", "sample: FAILED: wrong.crashes",
       "sample: RED: wrong.crashes: the program ended in it (signal 6, SIGABRT)",
       "sample: RED: 1 of 5 tests were not run after that"});
}

TEST_F(shards, see_a_program_that_ends_early_as_if_all_were_right) {
  expect_red(run("right.*:wrong.leaves*:z.*"), {"sample: FAILED: wrong.leaves_the_program",
                                                "wrong.leaves_the_program: the program ended in it (exit status 0)"});
}

TEST_F(shards, see_a_program_whose_end_is_wrong) {
  expect_red(run("right.*:wrongly_ended.*"),
             {"sample: RED: every test was right, but the program ended with exit status 3"});
}

TEST_F(shards, end_a_test_that_hangs) {
  expect_red(run("right.*:wrong.hangs", "1/1", "--seconds 0.5"),
             {"sample: FAILED: wrong.hangs", "sample: RED: wrong.hangs did not end after 0.5 s"});
}

}  // namespace
}  // namespace pivotscope
