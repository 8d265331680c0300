// Numbers as words: one way to write a count, a size, a time and a rate, in every view.
#pragma once

#include <string>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/config/index_config.hpp"
#include "core/machine/trace/trace.hpp"

namespace pivotscope::viz {

std::string grouped(u64 n);                         // "1 048 576", with spaces that no line breaks at
std::string counted(u64 n, std::string_view what);  // "1 sector", "1 024 sectors"
std::string short_count(u64 n);                     // "14", "2^20", else "1 000 000"
std::string bytes_text(u64 bytes);                  // "120 B", "8.0 MiB"
std::string capitalised(std::string name);          // "Entry"
std::string ms_text(double ms);                     // "0.42 us", "3.1 ms", "1.9 s"
std::string seconds_text(double seconds);           // "3 s", "1 min 20 s"
std::string rate_text(double per_second);           // "21.3 G/s"
std::string percent_text(double share);             // "41%"

// A key as someone types it: decimal, or hexadecimal after 0x. The problem's words say what is wrong with it.
outcome<u64> parse_key(std::string_view text, key_width width);
// A key, or a range with both its ends: "9..12".
outcome<question> parse_question(std::string_view text, key_width width);

}  // namespace pivotscope::viz
