// What `pivotscope verify` does, on the cpu machine, for cases of any seed.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "app/cli/verify_cases.hpp"

namespace pivotscope {
namespace {

RC_GTEST_PROP(verify, any_case_of_any_seed_is_right_on_the_cpu, (u64 seed, u16 number)) {
  static const std::unique_ptr<machine> cpu = detail::open_cpu();
  const verify_case c = case_generator({.seed = seed, .most_keys = 3000}).draw(number);
  case_counts counts;
  const outcome<std::optional<case_failure>> failure = check_case(*cpu, c, counts);
  if (!failure) RC_FAIL(failure.error().words);
  if (*failure) RC_FAIL((*failure)->words + "\n" + trace_command_line(c, (*failure)->key, machine_kind::cpu));
}

}  // namespace
}  // namespace pivotscope
