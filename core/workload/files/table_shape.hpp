// How a table's text is parted into fields, and which of them is a column that is asked for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/outcome.hpp"

namespace pivotscope {

// A column by its name in the first row, or by its number from 1.
class column_name {
 public:
  explicit column_name(std::string_view text);

  const std::string& text() const { return text_; }
  // The fields of `first_row`, from 0, that are it: several where a name occurs twice. A number may lie beyond them.
  std::vector<std::size_t> places(std::span<const std::string> first_row) const;

 private:
  std::string text_;
  std::optional<std::size_t> place_;  // when the text is a number
};

// Digits alone.
bool is_digits(std::string_view word);
// May a first row that has `word` in a column of numbers be a row of names? "-3" and "1.5" are values that went wrong.
bool looks_like_a_name(std::string_view word);

struct table_shape {
  char separator = ',';
  bool has_separator_line = false;  // the first line is "sep=;", as spreadsheets write it, and no row
};

// Of a table that begins with `text`. Commas, semicolons, tabs and bars part the first row, or else blanks; which of
// them is said by a line "sep=;", by the column's name, or by the first rows having as many fields each. A problem
// where that fits two of them.
outcome<table_shape> shape_of(std::string_view text, const column_name& column);

}  // namespace pivotscope
