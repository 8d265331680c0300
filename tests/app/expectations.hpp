// What a call of the program is expected to come to.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/app/program.hpp"

namespace pivotscope {

inline void expect_part(const std::string& text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "wanted: " << part << "\nin: " << text;
}

// Exit 2, words on standard error that name the culprit, nothing on standard output.
inline void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
  const program_result result = run_program(arguments);
  SCOPED_TRACE(::testing::PrintToString(arguments));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("pivotscope: ")) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const std::string& part : parts) expect_part(result.err, part);
}

inline program_result expect_right(const std::vector<std::string>& arguments) {
  program_result result = run_program(arguments);
  EXPECT_EQ(result.status, 0) << ::testing::PrintToString(arguments) << "\n" << result.err;
  EXPECT_EQ(result.err, "");
  return result;
}

}  // namespace pivotscope
