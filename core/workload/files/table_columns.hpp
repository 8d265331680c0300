// Which columns a table's file has, for who has to choose one: their names and first values.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope {

struct table_column {
  std::string ask = {};   // what own_numbers::column says for it: its name where that means it, else its number
  std::string name = {};  // in the first row; empty: the first row has values
  std::vector<std::string> values = {};  // the first ones
  bool numbers = false;                  // all that were looked at are keys
  bool operator==(const table_column&) const = default;
};

inline constexpr std::size_t shown_values = 3;

// Of a regular file that is a table, by its first rows: several columns, or one with a name. Else none, of numbers line
// by line and of what cannot be read as well.
std::vector<table_column> columns_of(const std::filesystem::path& path);
std::vector<table_column> columns_of_text(std::string_view text);  // a table's beginning, which ends with a line

}  // namespace pivotscope
