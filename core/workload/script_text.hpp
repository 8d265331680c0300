// Scripts as text: an operation a line, "insert K", "erase K", "find K", "range A B", "successor K". Lines of one verb
// that follow each other are a batch; what stands between the lines "begin" and "end" is one mixed batch. A line "clear"
// or "rebuild" is a batch of its own. Blank lines,
// and what follows a "#", are skipped, and part no batch.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/workload/script.hpp"

namespace pivotscope {

// Problems name the file, the line and the column where it helps, say what is wrong and what to do.
outcome<script> read_script(const std::filesystem::path& path, key_width width, const job_control& control = {});
// The same of text that someone typed: "line 3: ...". In a form that is typed a line of one verb may have several keys:
// "insert 5 7 9" is three inserts, "range 0 9 20 30" two ranges.
enum class keys_a_line : u8 { one, several };
outcome<script> script_from_text(std::string_view text, key_width width, keys_a_line keys = keys_a_line::one);

// Reading it gives the script back.
std::string to_text(const script& s);
// Written as write_answers() (key_file.hpp) writes.
status write_script(const std::filesystem::path& path, const script& s, const job_control& control = {});

}  // namespace pivotscope
