// What `pivotscope verify` does, on the cpu machine, for cases of any seed.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/verify/cases.hpp"
#include "tests/support/whole_space.hpp"

namespace pivotscope {
namespace {

class VerifyProperty : public ::testing::TestWithParam<int> {};

TEST_P(VerifyProperty, AnyCaseOfAnySeedIsRightOnTheCpu) {
  const std::unique_ptr<machine> cpu = detail::open_cpu();
  int ran = 0;
  testing::check_whole_space(GetParam(), ran, [&](u64 seed, u16 number) {
    const verify_case c = case_generator({.seed = seed, .most_keys = 3000}).draw(number);
    case_counts counts;
    const outcome<std::optional<case_failure>> failure = check_case(*cpu, c, counts);
    if (!failure) RC_FAIL(failure.error().words);
    if (*failure) {
      RC_FAIL((*failure)->words + "\n" + trace_command_line(c, (*failure)->asked, machine_kind::cpu));
    }
    ++ran;
  });
}
INSTANTIATE_TEST_SUITE_P(Share, VerifyProperty, ::testing::Range(0, testing::whole_space_shares));

}  // namespace
}  // namespace pivotscope
