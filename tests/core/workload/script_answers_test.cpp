#include "core/workload/script_answers.hpp"

#include <gtest/gtest.h>

#include "core/workload/script_text.hpp"
#include "tests/app/expectations.hpp"

namespace pivotscope {
namespace {

using answers = std::vector<script_answer>;

TEST(script_answers, have_a_line_for_each_operation_that_asks) {
  const scratch_folder folder;
  const outcome<script> s = script_from_text(
      "insert 7\nbegin\nfind 7\nerase 7\nrange 1 9\nend\nsuccessor 6\nfind 8\nsuccessor 9\nrange 9 1\n",
      key_width::u32);
  ASSERT_TRUE(s.ok());
  const answers given = {{},
                         script_answer::found(3),
                         {},
                         script_answer::counted({2, not_found}),
                         script_answer::next(7, 0),
                         script_answer::none(),
                         script_answer::none(),
                         script_answer::counted({})};
  ASSERT_TRUE(write_script_answers(folder / "answers", *s, given));
  EXPECT_EQ(contents_of(folder / "answers"), "3\n2 4294967295\n7 0\n-\n-\n0 0\n");
}

TEST(script_answers, of_writes_are_none) {
  const scratch_folder folder;
  const outcome<script> s = script_from_text("insert 7\nerase 7\n", key_width::u64);
  ASSERT_TRUE(s.ok());
  ASSERT_TRUE(write_script_answers(folder / "answers", *s, answers(2)));
  EXPECT_EQ(contents_of(folder / "answers"), "");
}

}  // namespace
}  // namespace pivotscope
