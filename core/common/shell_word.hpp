// A word of a command that is printed to be copied: a path may hold what a shell takes for something else.
#pragma once

#include <string>
#include <string_view>

namespace pivotscope {

// The word as it is where a POSIX shell takes it so, else in quotes.
std::string shell_word(std::string_view word);

// The same of a file's name: "-x" is ./-x, which no program takes for an option.
std::string shell_path(std::string_view path);

}  // namespace pivotscope
