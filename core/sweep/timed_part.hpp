// What of a row's workload is timed: its lookups, behind a script too; or the writes of a script without lookups.
#pragma once

#include <string_view>

#include "core/workload/workload.hpp"

namespace pivotscope {

struct timed_part {
  std::string_view noun;  // "lookups", "inserts", "mixed operations"
  u64 operations = 0;
  bool writes = false;  // or writes among lookups
};
timed_part timed_part_of(const workload& w);

// Returns the size of the index that a row is plotted at: its keys, and what a script adds to them. Erases are done to
// an index of all keys, so they make it no smaller.
u64 plotted_keys(const workload& w);

}  // namespace pivotscope
