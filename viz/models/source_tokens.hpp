// C++ as a view draws it: keywords, types, comments and the rest told apart. Reads what our headers are written in, not
// all of C++: no raw strings, no line that goes on behind a backslash in a comment. Pure.
#pragma once

#include <string_view>
#include <vector>

namespace pivotscope::viz {

enum class token_kind : unsigned char { plain, keyword, type, number, text, comment, directive };

struct source_token {
  token_kind kind = token_kind::plain;
  std::string_view text;
};

// The tokens of each line; one after the other they are the line, without its end.
std::vector<std::vector<source_token>> tokens_of(std::string_view text);

}  // namespace pivotscope::viz
