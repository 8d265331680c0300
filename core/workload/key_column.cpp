// Keys from one column of a CSV file.
#include <algorithm>
#include <charconv>
#include <new>

#include "core/workload/csv_line.hpp"
#include "core/workload/key_file.hpp"
#include "core/workload/nearest_word.hpp"
#include "core/workload/number_lines.hpp"

namespace pivotscope {
namespace {

// What parts the fields: of comma, semicolon and tab the one that the first line has first, outside of quotes.
char comma_of(std::string_view line) {
  bool within = false;
  for (const char c : line) {
    if (c == '"') within = !within;
    if (!within && (c == ',' || c == ';' || c == '\t')) return c;
  }
  return ',';
}

template <class Key>
class column_reader {
 public:
  explicit column_reader(std::string_view column) : name_(column) {
    u64 number = 0;
    const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
    if (error == std::errc{} && end == column.data() + column.size() && number > 0) place_ = number - 1;
  }

  // Words for what is wrong; empty: nothing.
  std::string take(std::string_view line) {
    if (first_) return take_first(line);
    return take_value(line);
  }
  std::vector<Key> keys;

 private:
  std::string take_first(std::string_view line) {
    first_ = false;
    comma_ = comma_of(line);
    std::vector<std::string> names;
    csv_line fields(line, comma_);
    for (std::string field; fields.next(field);) names.push_back(field);
    if (fields.broken()) return "has a quote that is not closed";
    count_ = names.size();
    // A name may be a number: then it is the column of that name.
    if (const auto named = std::find(names.begin(), names.end(), name_); named != names.end() && !is_number(*named)) {
      place_ = static_cast<std::size_t>(named - names.begin());
      return {};
    }
    if (!place_) {
      for (std::string& name : names) name = excerpt(name);
      return fmt::format("there is no column '{}'{}", excerpt(name_), suggestion(name_, names));
    }
    if (*place_ < names.size() && !is_number(names[*place_]) && looks_like_a_name(names[*place_])) return {};
    return take_value(line);
  }

  std::string take_value(std::string_view line) {
    csv_line fields(line, comma_);
    std::string field;
    for (std::size_t i = 0; i <= *place_; ++i) {
      if (fields.next(field)) continue;
      if (fields.broken()) return "has a quote that is not closed";
      return fmt::format("'{}' has {} {}; column {} is wanted", excerpt(line), i, i == 1 ? "field" : "fields",
                         *place_ + 1);
    }
    if (comma_ == '\t' && !all_fields(line)) {
      return fmt::format("'{}' has not {} fields as the first line has; in a table with tabs each line has all of them",
                         excerpt(line), count_);
    }
    if (field.empty()) return fmt::format("'{}' has nothing in column {}", excerpt(line), *place_ + 1);
    Key key = 0;
    if (!read_number(std::string_view(field), key)) return refusal<Key>(field);
    if (keys.size() == max_lookups) return "is one too many: at most 2^32 numbers are read";
    keys.push_back(key);
    return {};
  }

  // The reader of lines takes tabs around a line for blanks: which fields are left would be a guess.
  bool all_fields(std::string_view line) const {
    csv_line fields(line, comma_);
    std::size_t count = 0;
    for (std::string field; fields.next(field);) ++count;
    return count == count_;
  }

  static bool is_number(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  // "-3" and "1.5" are values that went wrong, not names.
  static bool looks_like_a_name(std::string_view word) {
    return !word.empty() && word.front() != '-' && word.front() != '+' && word.front() != '.' &&
           !(word.front() >= '0' && word.front() <= '9');
  }

  std::string name_;
  std::optional<std::size_t> place_;
  std::size_t count_ = 0;  // fields of the first line
  char comma_ = ',';
  bool first_ = true;
};

template <class Key>
outcome<key_array> read_column(byte_source& source, std::string_view column, const job_control& control) {
  column_reader<Key> reader(column);
  const auto on_line = [&](std::string_view line) { return reader.take(line); };
  const auto expect = [&](std::size_t lines) { return make_room_for(lines, source.name(), reader.keys); };
  char head[signature_bytes] = {};
  outcome<std::size_t> got = source.read(head);
  if (!got) return got.error();
  const std::span<const char> first(head, *got);
  if (std::string words = signature_words(source.name(), first); !words.empty()) return problem{std::move(words)};
  const status read = line_reader(source, "a line of the table").read(first, on_line, expect, control);
  if (!read) return read.error();
  return key_array(std::move(reader.keys));
}

}  // namespace

outcome<key_array> read_key_column(const std::filesystem::path& path, std::string_view column, key_width width,
                                   const job_control& control) {
  return read_file(path, "keys", control, [&](byte_source& source) {
    return width == key_width::u32 ? read_column<u32>(source, column, control)
                                   : read_column<u64>(source, column, control);
  });
}

}  // namespace pivotscope
