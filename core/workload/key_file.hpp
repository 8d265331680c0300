// Keys of the user's own: text with one unsigned integer a line, SOSD's binary format (a 64-bit count, then values),
// or a column of a CSV file.
#pragma once

#include <filesystem>

#include "core/common/answers.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// The format is told from the content: SOSD's when the first 8 bytes, little-endian, count exactly the values that
// follow; else text: digits, blanks around them, "\n" or "\r\n"; empty lines only at the end. Problems name the file,
// the line (or byte), what is wrong and what was expected: a word, a minus sign, a number past the width, half a
// record, a file that cannot be read.
outcome<key_array> read_key_file(const std::filesystem::path& path, key_width width, const job_control& control = {});

// One column of a CSV file: by its name in the first line, or by its number from 1, and then the first line may hold
// names or values. Fields are parted by commas, semicolons or tabs, whichever the first line has first, and may stand in
// double quotes. The other columns may hold anything but a line's end.
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
