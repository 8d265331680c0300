// Not a test: what tests/app/shards_test.cpp has tests/support/shard.py run. Its tests fail, crash, hang and end the program.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

TEST(right, first) {}
TEST(right, second) {}
TEST(right, third) {}
TEST(skipped, first) { GTEST_SKIP() << "no device"; }
TEST(skipped, second) { GTEST_SKIP() << "no device"; }
TEST(wrong, fails) {
  std::puts("said by what fails");
  EXPECT_EQ(1, 2);
}
TEST(wrong, leaves_the_program) { std::_Exit(0); }
TEST(wrong, crashes) {
  std::fputs("said before the crash\n", stderr);
  std::abort();
}
TEST(wrong, hangs) {
  for (;;) ::pause();
}
TEST(wrongly_ended, at_the_end) {
  std::atexit([] { std::_Exit(3); });
}
TEST(z, last) {}
