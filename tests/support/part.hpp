// Of the largest tests the gate runs a third, and after the next commit the next third ($PIVOTSCOPE_PART, as "2/3", set by .ci/run);
// without that they are whole.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "core/common/portable.hpp"

namespace pivotscope::testing {

struct part_of_tests {
  u64 number = 0, parts = 1;

  bool has(u64 i) const { return i % parts == number; }
  // Of `count` things, numbered from 0, how many it has.
  u64 of(u64 count) const { return count / parts + (count % parts > number); }
};

inline part_of_tests part() {
  const char* text = std::getenv("PIVOTSCOPE_PART");
  if (text == nullptr) return {};
  unsigned number = 0, parts = 0;
  char more = 0;
  if (std::sscanf(text, "%u/%u%c", &number, &parts, &more) != 2 || number == 0 || number > parts) {
    std::fprintf(stderr, "PIVOTSCOPE_PART is to be a part as 2/3, and is %s\n", text);
    std::exit(2);
  }
  return {number - 1, parts};
}

}  // namespace pivotscope::testing
