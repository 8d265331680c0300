// Who accesses memory when: the line of a failing schedule replays it.
//
//   0:3 1:2 0 1 late     task 0 does three accesses, task 1 two, then 0 goes on to its end, then 1. What is stored is seen by
//                        others as late as it may be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// When others see what a task stores.
enum class store_order : u8 {
  at_once,
  late,  // at its next fence, or after its end, the newest first, as it may be on a GPU. Atomics act at once
};

struct turn {
  static constexpr u32 to_the_end = ~0u;
  u32 task = 0;
  u32 accesses = to_the_end;
  bool operator==(const turn&) const = default;
};

struct schedule {
  std::vector<turn> turns;  // after them every task goes on to its end, the first one first
  store_order stores = store_order::at_once;
  bool operator==(const schedule&) const = default;
};

std::string to_text(const schedule& s);
// `column`: of the line's first character, where what is wrong is told with its column.
outcome<schedule> schedule_from_text(std::string_view line, std::optional<std::size_t> column = {});

}  // namespace pivotscope
