// Range lookups of the user's own, and the file that their answers are written to.
#pragma once

#include <filesystem>

#include "core/workload/batch.hpp"

namespace pivotscope {

// Text, a range a line: its low and its high end, both inclusive, two unsigned integers with blanks or one comma
// between them. Low above high is an empty range and no fault. Problems name the file, the line and what is wrong.
outcome<batch> read_range_file(const std::filesystem::path& path, key_width width, const job_control& control = {});

// A line a range: the number of entries and the sum of their row ids; and, where `begins` is not empty, the row ids
// rows[begins[i]] up to begins[i + 1], ascending. Written as write_answers() (key_file.hpp) writes.
status write_range_answers(const std::filesystem::path& path, std::span<const range_answer> answers,
                           std::span<const u64> begins, std::span<const u32> rows, const job_control& control = {});

}  // namespace pivotscope
