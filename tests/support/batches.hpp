// Batches, runs and checks in one line of a test.
#pragma once

#include <utility>
#include <vector>

#include "core/machine/machine.hpp"
#include "core/reference/answer_checker.hpp"

namespace pivotscope::testing {

inline batch lookups_of(key_array keys) { return {operation::find, std::move(keys)}; }
inline batch ranges_of(key_array low, key_array high) { return {operation::range, std::move(low), std::move(high)}; }

inline batch successors_of(key_array keys) { return {operation::successor, std::move(keys)}; }

inline outcome<batch_result> look_up(machine& on, const built_index& index, const key_array& keys,
                                     const batch_options& options = {}, const job_control& control = {}) {
  return on.run(index, lookups_of(keys), options, control);
}

inline check_report check_answers(const answer_checker& checker, const key_array& lookups, std::vector<u32> answers,
                                  const job_control& control = {}) {
  return checker.check(lookups_of(lookups), {.found = std::move(answers)}, false, control);
}
inline check_report check_answers(const key_array& keys, const key_array& lookups, std::vector<u32> answers,
                                  const job_control& control = {}) {
  return check_answers(answer_checker(keys), lookups, std::move(answers), control);
}

inline check_report check_successors(const key_array& keys, const key_array& asked,
                                     std::vector<successor_answer> answers, const job_control& control = {}) {
  return answer_checker(keys).check(successors_of(asked), {.successors = std::move(answers)}, false, control);
}

inline check_report check_ranges(const answer_checker& checker, const batch& ranges, std::vector<range_answer> answers,
                                 std::vector<u64> begins = {}, std::vector<u32> rows = {},
                                 const job_control& control = {}) {
  return checker.check(ranges, {.ranges = std::move(answers), .begins = std::move(begins), .rows = std::move(rows)},
                       false, control);
}
inline check_report check_ranges(const key_array& keys, const batch& ranges, std::vector<range_answer> answers,
                                 std::vector<u64> begins = {}, std::vector<u32> rows = {},
                                 const job_control& control = {}) {
  return check_ranges(answer_checker(keys), ranges, std::move(answers), std::move(begins), std::move(rows), control);
}

}  // namespace pivotscope::testing
