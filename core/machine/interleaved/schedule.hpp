// schedule: which task accesses memory when. The line of a failing schedule replays it.
//
//   0:3 1:2 0 1 late     task 0 does three accesses, task 1 two; then task 0 goes on to its end, then task 1. Others
//                        see stores as late as possible.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// When other tasks see a store.
enum class store_order : u8 {
  at_once,
  late,  // one by one before the task's next fence or after its end, the newest first: a GPU may do so. Atomics act at once.
};

struct turn {
  static constexpr u32 to_the_end = ~0u;
  u32 task = 0;
  u32 accesses = to_the_end;
  bool operator==(const turn&) const = default;
};

struct schedule {
  std::vector<turn> turns;  // after these, every task goes on to its end, in the order of their numbers
  store_order stores = store_order::at_once;
  bool operator==(const schedule&) const = default;
};

std::string to_text(const schedule& s);
// Reads a schedule. `column`: of the line's first character, if a problem is to name its column.
outcome<schedule> schedule_from_text(std::string_view line, std::optional<std::size_t> column = {});

}  // namespace pivotscope
