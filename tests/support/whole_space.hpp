// A property over the whole space of configs, keys and batches runs twenty times as many cases as other properties, in
// four shares: a ctest each, so that all cores take part. What ran is counted.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <sstream>

#include "tests/support/any_config.hpp"
#include "tests/support/part.hpp"

namespace pivotscope::testing {

inline constexpr int whole_space_shares = 4;
inline constexpr int whole_space_factor = 5;  // cases of a share: this times RC_PARAMS' max_success

// Runs share `share` of a property, in the gate a part of that (part.hpp); `ran` is what its body counted. PIVOTSCOPE_LEAST_CASES, which ctest sets, is the
// least that a share may have run.
template <class Property>
void check_whole_space(int share, const int& ran, Property&& property) {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  const auto parts = static_cast<int>(part().parts);
  params.maxSuccess = (params.maxSuccess * whole_space_factor + parts - 1) / parts;
  params.seed += 0x9E3779B97F4A7C15ull * static_cast<unsigned>(share);  // no share has the cases of another
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(info->test_suite_name()) + "/" + info->name();
  metadata.description = info->name();
  const rc::detail::TestResult result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
  std::ostringstream words;
  rc::detail::printResultMessage(result, words);
  ASSERT_TRUE(result.is<rc::detail::SuccessResult>()) << words.str();
  EXPECT_GE(ran, params.maxSuccess);
  if (const char* least = std::getenv("PIVOTSCOPE_LEAST_CASES")) {
    EXPECT_GE(ran, std::atoi(least) / parts) << "cases that ran; RC_PARAMS asked for " << params.maxSuccess;
  }
  ::testing::Test::RecordProperty("cases", ran);
}

// f(config, Key{}) for any config, as a share of a property over the whole space.
template <class F>
void check_any_config(int share, F&& f) {
  int ran = 0;
  check_whole_space(share, ran, [&] {
    const ordered_config c = *any_config();
    with_key_of(c, [&](auto key) { f(c, key); });
    ++ran;
  });
}

}  // namespace pivotscope::testing
