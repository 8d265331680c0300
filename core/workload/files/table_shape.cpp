#include "core/workload/files/table_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/workload/files/csv.hpp"

namespace pivotscope {
namespace {

using csv_row = std::vector<std::string>;

// The separator of a first line that names it: sep=; as it is or in quotes.
std::optional<char> named_separator(std::string_view text) {
  std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  constexpr std::string_view beginning = "sep=";
  if (line.size() != beginning.size() + 1 || !line.starts_with(beginning)) return std::nullopt;
  const char named = line.back();
  const bool letter =
      (named >= '0' && named <= '9') || (named >= 'a' && named <= 'z') || (named >= 'A' && named <= 'Z');
  return named == '"' || letter ? std::nullopt : std::optional(named);
}

// A character that may part the fields, and the first rows as it parts them.
struct candidate {
  char separator = ',';
  std::vector<csv_row> rows;

  bool parts_the_first() const { return !rows.empty() && rows.front().size() > 1; }
  bool parts_all_alike() const {
    return parts_the_first() && std::all_of(rows.begin(), rows.end(), [&](const csv_row& row) {
             return row.empty() || row.size() == rows.front().size();
           });
  }
  bool has(const column_name& column) const {
    if (rows.empty()) return false;
    const std::vector<std::size_t> places = column.places(rows.front());
    return !places.empty() && places.front() < rows.front().size();
  }
};

candidate parted_by(char separator, std::string_view text) {
  constexpr std::size_t rows_looked_at = 100;
  return {separator, first_csv_rows(text, separator, rows_looked_at)};
}

std::string shown(char separator) { return separator == '\t' ? "a tab" : fmt::format("'{}'", separator); }

// Blanks part the fields where they do so in every row, unless what is asked for is the only column's name.
table_shape without_separator(std::string_view text, const column_name& column) {
  const candidate blank = parted_by(' ', text), whole = parted_by(',', text);
  const bool single = !blank.parts_all_alike() || (!blank.has(column) && whole.has(column));
  return {single ? ',' : ' '};
}

}  // namespace

column_name::column_name(std::string_view text) : text_(text) {
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size() && number > 0) place_ = number - 1;
}

std::vector<std::size_t> column_name::places(std::span<const std::string> first_row) const {
  std::vector<std::size_t> named;
  // A first row of values names nothing.
  for (std::size_t i = 0; i < first_row.size() && !is_digits(text_); ++i)
    if (first_row[i] == text_) named.push_back(i);
  if (named.empty() && place_) named.push_back(*place_);
  return named;
}

bool is_digits(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool looks_like_a_name(std::string_view word) {
  return !word.empty() && word.front() != '-' && word.front() != '+' && word.front() != '.' &&
         !(word.front() >= '0' && word.front() <= '9');
}

outcome<table_shape> shape_of(std::string_view text, const column_name& column) {
  if (const std::optional<char> named = named_separator(text)) return table_shape{*named, true};
  std::string separators = ",;\t|";
  std::stable_sort(separators.begin(), separators.end(), [&](char a, char b) { return text.find(a) < text.find(b); });
  std::vector<candidate> alike, others;
  for (const char separator : separators) {
    candidate one = parted_by(separator, text);
    if (one.parts_the_first()) (one.parts_all_alike() ? alike : others).push_back(std::move(one));
  }
  if (alike.empty() && others.empty()) return without_separator(text, column);
  const bool by_name = !is_digits(column.text());
  for (const std::vector<candidate>* some : {&alike, &others})
    for (const candidate& one : *some)
      if (one.has(column) && (by_name || alike.size() < 2)) return table_shape{one.separator};
  if (alike.size() > 1)
    return problem{fmt::format("its fields may be parted by {} or by {}: say which in a line before it, sep= and that",
                               shown(alike[0].separator), shown(alike[1].separator))};
  return table_shape{(alike.empty() ? others : alike).front().separator};
}

}  // namespace pivotscope
