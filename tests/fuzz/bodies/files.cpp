// Files of keys and of ranges, against readers that are as plain as can be.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "core/workload/files/key_file.hpp"
#include "core/workload/files/number_lines.hpp"
#include "core/workload/files/range_file.hpp"
#include "tests/fuzz/reader.hpp"
#include "tests/support/plain_csv.hpp"

namespace pivotscope::fuzz {
namespace {

using numbers = std::vector<u64>;

// The words of each line, parted at `separators`; nothing when an empty line is not at the end.
std::optional<std::vector<std::vector<std::string>>> plain_lines(std::string_view text, std::string_view separators) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<std::vector<std::string>> lines(1);
  bool in_word = false;
  for (const char c : text) {
    if (c == '\n') lines.emplace_back();
    if (separators.find(c) != separators.npos) {
      in_word = false;
      if (c == ',') lines.back().push_back(",");
      continue;
    }
    if (!in_word) lines.back().emplace_back();
    in_word = true;
    lines.back().back() += c;
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const std::vector<std::string>& line : lines)
    if (line.empty()) return std::nullopt;
  return lines;
}

numbers numbers_of(const key_array& keys) {
  numbers all;
  for (u64 i = 0; i < keys.size(); ++i) all.push_back(keys[i]);
  return all;
}

template <class Value>
numbers plain_values(std::string_view bytes) {
  numbers values;
  for (; bytes.size() >= sizeof(Value); bytes.remove_prefix(sizeof(Value))) {
    Value value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    values.push_back(value);
  }
  return values;
}

// An array of NumPy's: what is read are the values of 4 or of 8 bytes that end the file.
void demand_numpy(const outcome<key_array>& read, std::string_view bytes) {
  if (!read) return demand_file_words(read.error(), bytes);
  const numbers keys = numbers_of(*read);
  const auto end = [&](std::size_t size) {
    return bytes.substr(bytes.size() - std::min(bytes.size(), keys.size() * size));
  };
  demand(keys == plain_values<u32>(end(4)) || keys == plain_values<u64>(end(8)), "an array of NumPy's is read wrong");
}

template <class Key>
std::optional<numbers> plain_keys(std::string_view bytes) {
  u64 count = 0;
  if (bytes.size() >= 8) std::memcpy(&count, bytes.data(), 8);
  numbers keys;
  if (bytes.size() >= 8 && count < bytes.size() && bytes.size() == 8 + count * sizeof(Key)) {
    for (u64 i = 0; i < count; ++i) {
      Key key = 0;
      std::memcpy(&key, bytes.data() + 8 + i * sizeof(Key), sizeof(Key));
      keys.push_back(key);
    }
    return keys;
  }
  const auto lines = plain_lines(bytes, " \t\r\n");
  if (!lines) return std::nullopt;
  for (const std::vector<std::string>& line : *lines) {
    const std::optional<u64> key = plain_number(line.front(), greatest_key<Key>());
    if (!key || line.size() != 1) return std::nullopt;
    keys.push_back(*key);
  }
  return keys;
}

// Low and high ends by turns.
template <class Key>
std::optional<numbers> plain_ranges(std::string_view bytes) {
  const auto lines = plain_lines(bytes, " \t\r\n,");
  if (!lines) return std::nullopt;
  numbers ends;
  for (std::vector<std::string> line : *lines) {
    if (line.size() == 3 && line[1] == ",") line.erase(line.begin() + 1);
    if (line.size() != 2) return std::nullopt;
    for (const std::string& word : line) {
      const std::optional<u64> end = plain_number(word, greatest_key<Key>());
      if (!end) return std::nullopt;
      ends.push_back(*end);
    }
  }
  return ends;
}

numbers numbers_of(const batch& ranges) {
  demand(ranges.keys.size() == ranges.highs.size(), "a range has two ends");
  numbers all;
  for (u64 i = 0; i < ranges.size(); ++i) all.push_back(ranges.keys[i]), all.push_back(ranges.highs[i]);
  return all;
}

template <class T>
void demand_same(const outcome<T>& read, const std::optional<numbers>& plain, std::string_view bytes) {
  if (!read) demand_file_words(read.error(), bytes);
  demand(read.ok() == plain.has_value(), read.ok() ? "a plain reader refuses this" : read.error().words);
  if (read) demand(numbers_of(*read) == *plain, "a plain reader reads other numbers");
}

// A column of a table: its name and a line's end, then the table. What is read is a second reader's column, below a name
// or without one, at some separator.
std::optional<numbers> plain_column(std::string_view table, char separator, std::string_view column) {
  const auto rows = testing::plain_csv(table, separator);
  if (!rows) return std::nullopt;
  numbers keys;
  std::optional<std::size_t> place;
  const std::optional<u64> number = plain_number(column, greatest_key<u64>());
  if (number && *number > 0) place = *number - 1;
  const std::vector<std::string>* first = nullptr;
  for (const std::vector<std::string>& row : *rows) {
    if (row.empty()) continue;
    if (!first && !number) place = std::find(row.begin(), row.end(), column) - row.begin();
    if (!place || *place >= row.size() || (first && row.size() != first->size())) return std::nullopt;
    const std::optional<u64> key = plain_number(row[*place], greatest_key<u64>());
    if (!key && first) return std::nullopt;
    first = &row;
    if (key) keys.push_back(*key);
  }
  return keys;
}

// The lines are the same however small the blocks are in which they are read.
void demand_same_lines(std::string_view bytes) {
  const memory_file file(bytes);
  std::optional<std::vector<std::string>> whole;
  for (const std::size_t block : {std::size_t{1} << 16, std::size_t{64}, std::size_t{17}}) {
    outcome<byte_source> source = byte_source::open(file.path(), "numbers", {});
    demand(source.ok(), "a file in memory opens");
    std::vector<std::string> lines;
    const auto on_line = [&](std::string_view line) { return lines.emplace_back(line), std::string(); };
    const auto expect = [](std::size_t) { return fine(); };
    const status read = line_reader(*source, "a number", block).read({}, on_line, expect, {});
    if (!read && read.error().words.find("and no end") != std::string::npos) return;
    lines.push_back(read ? "" : read.error().words);
    if (!whole) whole = lines;
    demand(*whole == lines, "the lines differ with the blocks");
  }
}

}  // namespace

void key_file(std::string_view bytes) {
  if (bytes.size() > memory_pipe::longest) return;
  if (bytes.starts_with("\x93NUMPY")) {
    demand_numpy(read_key_file(memory_file(bytes).path(), key_width::u32), bytes);
    return demand_numpy(read_key_file(memory_pipe(bytes).path(), key_width::u64), bytes);
  }
  demand_same(read_key_file(memory_file(bytes).path(), key_width::u32), plain_keys<u32>(bytes), bytes);
  demand_same(read_key_file(memory_pipe(bytes).path(), key_width::u64), plain_keys<u64>(bytes), bytes);
  demand_same_lines(bytes);
}

void key_column(std::string_view bytes) {
  if (bytes.size() > memory_pipe::longest) return;
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view column = bytes.substr(0, end);
  std::string_view table = bytes.substr(std::min(end + 1, bytes.size()));
  const auto of_file = read_key_column(memory_file(table).path(), column, key_width::u64);
  const auto of_pipe = read_key_column(memory_pipe(table).path(), column, key_width::u64);
  demand(of_file.ok() == of_pipe.ok(), "a pipe is read otherwise than a file");
  if (!of_file) return demand_file_words(of_file.error(), table);
  const numbers read = numbers_of(*of_file);
  demand(read == numbers_of(*of_pipe), "a pipe is read otherwise than a file");
  if (table.starts_with("\xef\xbb\xbf")) table.remove_prefix(3);
  std::string separators = ",;\t| ";
  // A first line "sep=;" is none of the table.
  if (const std::size_t sep = table.find("sep="); sep == 0 || table.starts_with("\"sep=")) {
    const std::size_t line = std::min(table.find_first_of("\r\n"), table.size());
    separators += table.substr(0, line)[std::min(sep + 4, line - 1)];
    if (plain_column(table.substr(line), separators.back(), column) == read) return;
  }
  demand(std::any_of(separators.begin(), separators.end(),
                     [&](char separator) { return plain_column(table, separator, column) == read; }),
         "a second reader reads other keys");
}

void range_file(std::string_view bytes) {
  if (bytes.size() > memory_pipe::longest) return;
  demand_same(read_range_file(memory_file(bytes).path(), key_width::u32), plain_ranges<u32>(bytes), bytes);
  demand_same(read_range_file(memory_pipe(bytes).path(), key_width::u64), plain_ranges<u64>(bytes), bytes);
}

}  // namespace pivotscope::fuzz
