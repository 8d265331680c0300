// A line of a CSV file, field by field.
#pragma once

#include <string>
#include <string_view>

#include "core/workload/number_lines.hpp"

namespace pivotscope {

// The fields of a line, without the quotes around them.
class csv_line {
 public:
  csv_line(std::string_view line, char comma) : rest_(line), comma_(comma) {}

  // False at the end of the line, or when a quote is not closed.
  bool next(std::string& field) {
    if (ended_) return false;
    field.clear();
    skip_blanks();
    if (rest_.starts_with('"')) return quoted(field);
    const std::size_t end = rest_.find(comma_);
    field = rest_.substr(0, end);
    while (!field.empty() && is_blank(field.back())) field.pop_back();
    go_beyond(end);
    return true;
  }
  bool broken() const { return broken_; }

 private:
  bool is_blank(char c) const { return c != comma_ && number_blanks.find(c) != number_blanks.npos; }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  void go_beyond(std::size_t comma) {
    ended_ = comma == rest_.npos;
    rest_.remove_prefix(ended_ ? rest_.size() : comma + 1);
  }
  bool quoted(std::string& field) {
    rest_.remove_prefix(1);
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == rest_.npos) {
        broken_ = ended_ = true;
        return false;
      }
      field += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!rest_.starts_with('"')) break;
      field += '"';  // two of them are one of the field's
      rest_.remove_prefix(1);
    }
    go_beyond(rest_.find(comma_));
    return true;
  }

  std::string_view rest_;
  char comma_;
  bool ended_ = false, broken_ = false;
};

}  // namespace pivotscope
