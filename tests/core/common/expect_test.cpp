#include "core/common/expect.hpp"

#include <gtest/gtest.h>

#include "core/workload/batch.hpp"

namespace pivotscope {
namespace {

TEST(expect, lets_what_holds_pass) {
  int asked = 0;
  PIVOTSCOPE_EXPECT(++asked > 0);
#if defined(NDEBUG)
  EXPECT_EQ(asked, 0) << "a release does not even look";
#else
  EXPECT_EQ(asked, 1);
#endif
  if (asked >= 0)
    PIVOTSCOPE_EXPECT(asked >= 0);
  else
    FAIL() << "one statement, whatever stands around it";
}

class expect_death : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(NDEBUG)
    GTEST_SKIP() << "a release expects nothing";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(expect_death, says_where_and_what_and_ends_the_program) {
  [[maybe_unused]] const int two = 2;
  EXPECT_DEATH(PIVOTSCOPE_EXPECT(two == 3), "expect_test\\.cpp:[0-9]+: expected: two == 3\n");
}

TEST_F(expect_death, ends_what_would_read_beyond_an_array) {
  const key_array keys(std::vector<u32>{1, 2, 3});
  const batch asked{.keys = keys};
  EXPECT_DEATH((void)keys[3], "key_array\\.cpp:[0-9]+: expected: i < keys\\.size\\(\\)");
  EXPECT_DEATH((void)first_of(asked, 4), "batch\\.cpp:[0-9]+: expected: count <= all\\.size\\(\\)");
}

}  // namespace
}  // namespace pivotscope
