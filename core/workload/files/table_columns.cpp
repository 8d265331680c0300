#include "core/workload/files/table_columns.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "core/workload/files/csv.hpp"
#include "core/workload/files/file_signature.hpp"
#include "core/workload/files/number_lines.hpp"
#include "core/workload/files/table_shape.hpp"

namespace pivotscope {
namespace {

constexpr std::size_t looked_at_bytes = 1 << 16, looked_at_rows = 50, longest_name = 64;

bool is_key(std::string_view text) {
  u64 key = 0;
  return read_number(text, key);
}

bool means_one(const std::string& name, const std::vector<std::string>& names) {
  return looks_like_a_name(name) && name.size() <= longest_name && excerpt(name) == name &&
         std::count(names.begin(), names.end(), name) == 1;
}

}  // namespace

std::vector<table_column> columns_of_text(std::string_view text) {
  if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
  const outcome<table_shape> shape = shape_of(text, column_name("1"));
  if (!shape) return {};
  std::vector<std::vector<std::string>> rows = first_csv_rows(text, shape->separator, looked_at_rows);
  if (shape->has_separator_line && !rows.empty()) rows.erase(rows.begin());
  std::erase_if(rows, [](const auto& row) { return row.empty(); });
  if (rows.empty()) return {};
  const std::vector<std::string> first = rows.front();
  const bool named = std::any_of(first.begin(), first.end(), [](const auto& word) { return looks_like_a_name(word); });
  if (first.size() < 2 && !named) return {};
  std::vector<table_column> columns(first.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    table_column& column = columns[i];
    if (named) column.name = first[i];
    column.ask = named && means_one(first[i], first) ? first[i] : std::to_string(i + 1);
    column.numbers = rows.size() > (named ? 1 : 0);
    for (std::size_t row = named ? 1 : 0; row < rows.size(); ++row) {
      const std::string value = i < rows[row].size() ? rows[row][i] : "";
      column.numbers &= is_key(value);
      if (column.values.size() < shown_values) column.values.push_back(excerpt(value));
    }
  }
  return columns;
}

std::vector<table_column> columns_of(const std::filesystem::path& path) {
  std::error_code fault;
  if (!std::filesystem::is_regular_file(path, fault)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text(looked_at_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (!no_text_words(path.string(), std::span(text.data(), std::min<std::size_t>(text.size(), 4096))).empty())
    return {};
  // A row that is cut would lack fields.
  if (text.size() == looked_at_bytes)
    if (const std::size_t end = text.find_last_of('\n'); end != text.npos) text.resize(end + 1);
  return columns_of_text(text);
}

}  // namespace pivotscope
