#include "viz/models/source_tokens.hpp"

#include <algorithm>
#include <array>

namespace pivotscope::viz {
namespace {

using std::string_view;

// Each in alphabetical order.
constexpr std::array keywords = std::to_array<string_view>(
    {"alignas",  "auto",    "break",    "case",   "class",     "const",    "constexpr",     "continue",
     "decltype", "default", "do",       "else",   "enum",      "explicit", "extern",        "false",
     "for",      "friend",  "if",       "inline", "namespace", "noexcept", "nullptr",       "operator",
     "private",  "public",  "requires", "return", "sizeof",    "static",   "static_assert", "static_cast",
     "struct",   "switch",  "template", "this",   "true",      "typename", "union",         "using",
     "virtual",  "void",    "while"});
constexpr std::array types = std::to_array<string_view>(
    {"Cell", "Config", "F",      "Key",   "Lanes", "Memory", "Output", "Scan", "Value", "Values",  "Wave",
     "bool", "char",   "double", "float", "int",   "u16",    "u32",    "u64",  "u8",    "unsigned"});

constexpr std::array type_endings =
    std::to_array<string_view>({"_order", "_view", "_config", "_shape", "_run", "_answer", "_memory"});

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

template <class List>
bool holds(const List& list, string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// `then`: the letter behind it. What is called by a name like a type's is none.
token_kind kind_of_word(string_view word, char then) {
  if (holds(keywords, word)) return token_kind::keyword;
  if (holds(types, word)) return token_kind::type;
  const bool named_type = word == "probe" || std::any_of(type_endings.begin(), type_endings.end(),
                                                         [&](string_view ending) { return word.ends_with(ending); });
  return named_type && then != '(' && then != '<' ? token_kind::type : token_kind::plain;
}

// Splits one line after another; a comment may go on in the next.
class line_reader {
 public:
  std::vector<source_token> read(string_view line) {
    tokens_.clear();
    rest_ = line;
    if (const std::size_t begin = line.find_first_not_of(' '); !in_comment_ && begin != line.npos && line[begin] == '#')
      add(token_kind::directive, std::min(line.find("//"), line.size()));
    while (!rest_.empty()) next();
    return tokens_;
  }

 private:
  void add(token_kind kind, std::size_t length) {
    if (length == 0) return;
    const bool joins = !tokens_.empty() && tokens_.back().kind == kind;
    if (joins)
      tokens_.back().text = {tokens_.back().text.data(), tokens_.back().text.size() + length};
    else
      tokens_.push_back({kind, rest_.substr(0, length)});
    rest_.remove_prefix(length);
  }

  void next() {
    if (in_comment_) return comment(0);
    if (rest_.starts_with("//")) return add(token_kind::comment, rest_.size());
    if (rest_.starts_with("/*")) return comment(2);
    const char c = rest_.front();
    if (c == '"' || (c == '\'' && rest_.size() > 1)) return quoted(c);
    if (digit(c)) return add(token_kind::number, while_of([](char d) { return letter(d) || digit(d) || d == '.'; }));
    if (letter(c)) {
      const std::size_t length = while_of([](char d) { return letter(d) || digit(d); });
      return add(kind_of_word(rest_.substr(0, length), length < rest_.size() ? rest_[length] : ' '), length);
    }
    add(token_kind::plain, 1);
  }

  template <class Belongs>
  std::size_t while_of(Belongs&& belongs) const {
    std::size_t length = 0;
    while (length < rest_.size() && belongs(rest_[length])) ++length;
    return length;
  }
  void comment(std::size_t from) {
    const std::size_t end = rest_.find("*/", from);
    in_comment_ = end == rest_.npos;
    add(token_kind::comment, in_comment_ ? rest_.size() : end + 2);
  }
  void quoted(char quote) {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote) end += rest_[end] == '\\' ? 2 : 1;
    add(token_kind::text, std::min(end + 1, rest_.size()));
  }

  string_view rest_;
  bool in_comment_ = false;
  std::vector<source_token> tokens_;
};

}  // namespace

std::vector<std::vector<source_token>> tokens_of(string_view text) {
  std::vector<std::vector<source_token>> lines;
  line_reader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(reader.read(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace pivotscope::viz
