// All schedules with at most two switches, each access a place to switch: what try_two_switches must come to with fewer.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>

#include "core/machine/interleaved/interleaved_tasks.hpp"

namespace pivotscope::testing {

using end_printer = std::function<std::string(const interleaved_end&)>;

struct all_ends {
  std::set<std::string> ends;
  u64 schedules = 0;
};

// The ends of all schedules "first:a second:b third". Of a task that waits so many accesses are tried, on end.
inline all_ends ends_of_all_switches(const shared_regions& begin, std::span<const interleaved_task> tasks,
                                     const end_printer& print, u32 longest_turn = 60) {
  all_ends all;
  const auto count = static_cast<u32>(tasks.size());
  std::vector<shared_access> seen;
  for (const store_order stores : {store_order::at_once, store_order::late}) {
    // Returns whether the last turn but one took all accesses that it was given.
    const auto try_one = [&](const std::vector<turn>& turns) {
      seen.clear();
      interleaved_tasks running(begin, tasks, stores, seen);
      u64 meanwhile = 0;
      for (std::size_t i = 0; i < turns.size(); ++i) {
        const turn_taken taken = running.take(turns[i]);
        if (i + 2 == turns.size()) meanwhile = taken.end - taken.first;
      }
      all.ends.insert(print(running.end()));
      ++all.schedules;
      return turns.size() > 1 && meanwhile == turns[turns.size() - 2].accesses;
    };
    for (u32 first = 0; first < count; ++first) {
      try_one({{first}});
      for (u32 second = 0; second < count; ++second) {
        for (u32 third = 0; third < count; ++third) {
          if (second == first || third == second) continue;
          for (u32 a = 1; a <= longest_turn; ++a) {
            for (u32 b = 1; b <= longest_turn && try_one({{first, a}, {second, b}, {third}}); ++b) {
            }
            if (!try_one({{first, a}, {second}})) break;
          }
        }
      }
    }
  }
  return all;
}

// The ends of the schedules that try_two_switches tries.
inline all_ends ends_of_two_switches(const shared_regions& begin, std::span<const interleaved_task> tasks,
                                     const end_printer& print) {
  all_ends some;
  some.schedules = try_two_switches(begin, tasks, [&](const interleaved_end& end) {
                     some.ends.insert(print(end));
                     return std::string();
                   }).schedules;
  return some;
}

}  // namespace pivotscope::testing
