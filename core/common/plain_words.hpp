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

}  // namespace pivotscope
