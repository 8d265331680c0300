#include "core/common/shell_word.hpp"

#include <algorithm>

namespace pivotscope {
namespace {

bool is_plain(char c) {
  constexpr std::string_view others = "_@%+=:,./^-";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.find(c) != others.npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  // What means something inside double quotes; a history's "!" in some shells too.
  if (word.find_first_of("\"$`\\!\n") == word.npos) return '"' + std::string(word) + '"';
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\"'\"'";
    else
      out += c;
  }
  return out + "'";
}

std::string shell_path(std::string_view path) {
  return shell_word(path.starts_with('-') ? "./" + std::string(path) : std::string(path));
}

}  // namespace pivotscope
