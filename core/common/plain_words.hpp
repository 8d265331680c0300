// What people and files bring, made fit to be shown: a message quotes what it refuses, and that may be anything.
#pragma once

#include <string>
#include <string_view>

namespace pivotscope {

// A quoted value, or a run of characters without a blank, is cut behind so many bytes, and a message behind so many.
inline constexpr std::size_t longest_quoted = 200, longest_message = 4000;

// Control characters (also those of two bytes, U+0080 to U+009F), what turns the direction of writing, and bytes that
// are no UTF-8 become \xNN, byte by byte; "..." stands for what is cut.
std::string plain_words(std::string_view words);

// The same of words that may have lines below them: a compiler's log, the places that were tried. What follows a line
// break and this indentation is a line, and becomes plain_words() by itself; any other line break is shown as above.
inline constexpr std::string_view line_below = "\n  ";
std::string plain_lines(std::string_view words);

// `text`, line by line, to be put below words. Blank lines are left out.
std::string lines_below(std::string_view text);

}  // namespace pivotscope
