// Lists of methods, as messages have them: what a test names, then the methods of families that came to the table later.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/common/operation.hpp"
#include "tests/support/golden_families.hpp"

namespace pivotscope::testing {

inline bool is_golden(const family& one) {
  const auto known = golden_families();
  return std::find(known.begin(), known.end(), &one) != known.end();
}

// `known`, then the methods of later families that serve `kind`.
inline std::vector<std::string> and_later(std::vector<std::string> known, operation kind = operation::find) {
  for (const family* one : families())
    if (!is_golden(*one) && one->serves(kind))
      for (const method& m : one->methods()) known.push_back(m.name);
  return known;
}

// "PLAIN and HT+OA have them"
inline std::string have_them(const std::vector<std::string>& known, operation kind) {
  std::vector<std::string> all = and_later(known, kind);
  const std::string last = all.back();
  all.pop_back();
  return fmt::format("{} and {} have them", fmt::join(all, ", "), last);
}

}  // namespace pivotscope::testing
