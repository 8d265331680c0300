// Numbers of one's own: read from where a workload says they are, and taken from text that someone typed or pasted.
#pragma once

#include <string_view>

#include "core/workload/batch.hpp"

namespace pivotscope {

// The file's keys, at most max_keys, or the list. A problem names the file, the line and what is wrong.
outcome<key_array> read_own_keys(const own_numbers& from, key_width width, const job_control& control = {});
outcome<batch> read_own_lookups(const own_lookups& from, key_width width, const job_control& control = {});
// The width that the numbers of the workload's files and lists need: u64 where one is greater than a u32, or where a
// binary file of keys has 64 bits. Reads files, but no pipe, which could not be read again.
outcome<key_width> width_of_own(const workload& w, const job_control& control = {});

// Unsigned integers, decimal or hexadecimal after 0x, parted by anything usual: blanks, lines, commas, semicolons,
// bars, brackets, quotes. The problem's words name the line and the word. At least one number, at most `most`.
outcome<std::vector<u64>> numbers_from_text(std::string_view text, key_width width, u64 most);
// "9 12 15": lookups. "9 7..20": ranges, in which a single key is the range from it to itself. At most max_listed.
outcome<own_lookups> lookups_from_text(std::string_view text, key_width width);
// The workload with other keys, or another batch, in place of those that it has: where they were, nothing is left.
workload with_keys(workload w, own_numbers keys);
workload with_batch(workload w, own_lookups asked);

// As one would type it, parted by blanks.
std::string text_of(const own_numbers& numbers);
std::string text_of(const own_lookups& asked);

}  // namespace pivotscope
