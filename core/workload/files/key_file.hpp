// Keys of the user's own: text with one unsigned integer a line, SOSD's binary format (a 64-bit count, then values), an
// array of NumPy's, or a column of a CSV file.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/common/answers.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// The format is told from the content: SOSD's when the first 8 bytes, little-endian, count exactly the values that
// follow; NumPy's by its first bytes, with values of either width that fit; else text: digits, blanks around them, "\n"
// or "\r\n"; empty lines only at the end. Problems name the file, the line (or value), what is wrong and what was
// expected: a word, a minus sign, a number past the width, another kind of file, a file that cannot be read.
outcome<key_array> read_key_file(const std::filesystem::path& path, key_width width, const job_control& control = {});

// Keys to look up: as keys are read, or SOSD's lookups, which say with each key what the row ids of its entries sum to.
struct lookup_file {
  key_array keys;
  std::vector<u64> row_sums;  // one for each key; or none
};
outcome<lookup_file> read_lookup_file(const std::filesystem::path& path, key_width width,
                                      const job_control& control = {});

// The width of a binary file's keys, where it says it. Takes a pipe's bytes.
outcome<std::optional<key_width>> told_width(const std::filesystem::path& path, const job_control& control = {});

// One column of a CSV file: by its name in the first row, or by its number from 1, and then the first row may hold
// names or values. table_shape.hpp says what parts the fields, csv.hpp how they are quoted.
outcome<key_array> read_key_column(const std::filesystem::path& path, std::string_view column, key_width width,
                                   const job_control& control = {});

// One answer a line: a row id, or "-" for not found. A whole_file: a failure loses nothing; a path that is not a
// regular file (/dev/stdout, a pipe) is written to as it is. Whether it can be: check_writable()
// (core/common/whole_file.hpp).
status write_answers(const std::filesystem::path& path, std::span<const u32> answers, const job_control& control = {});
// The same for successors: the key and a row id of it, or "-".
status write_successor_answers(const std::filesystem::path& path, std::span<const successor_answer> answers,
                               const job_control& control = {});

}  // namespace pivotscope
