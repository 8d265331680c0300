// What a script's operations answer, and the file that the answers are written to.
#pragma once

#include <filesystem>
#include <span>

#include "core/common/answers.hpp"
#include "core/workload/script.hpp"

namespace pivotscope {

// The answer to one operation, of one size whatever was asked, so that a mixed batch has one array of them. An insert and
// an erase answer nothing.
struct script_answer {
  u64 number = 0;       // range: how many entries; successor: the key
  u64 row = not_found;  // find and successor: a row id or not_found; range: the sum of the row ids

  static constexpr script_answer found(u32 row) { return {0, row}; }
  static constexpr script_answer counted(const range_answer& answer) { return {answer.count, answer.row_sum}; }
  static constexpr script_answer next(u64 key, u32 row) { return {key, row}; }
  static constexpr script_answer none() { return {}; }
  bool operator==(const script_answer&) const = default;
};

// In the script's order, a line for each find (a row id, or "-"), range (count and row sum) and successor (key and row
// id, or "-"); none for a write. `answers`: one for each operation. Written as write_answers() (key_file.hpp) writes.
status write_script_answers(const std::filesystem::path& path, const script& asked,
                            std::span<const script_answer> answers, const job_control& control = {});

}  // namespace pivotscope
