#include "core/workload/files/range_file.hpp"

#include <new>

#include "core/workload/files/binary_numbers.hpp"
#include "core/workload/files/number_lines.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

struct two_words {
  std::string_view first, second, rest;  // as far as they are there
};

std::string_view take_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(number_blanks), text.size()));
  return text;
}

std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r,"));
  text.remove_prefix(word.size());
  return word;
}

// "1 2", "1,2", "1 , 2". The line has no blanks around it.
two_words split(std::string_view line) {
  two_words words;
  words.first = take_word(line);
  line = take_blanks(line);
  if (line.starts_with(',')) line = take_blanks(line.substr(1));
  words.second = take_word(line);
  words.rest = line;
  return words;
}

// Words for what is wrong with the line; empty: nothing.
template <class Key>
std::string parse_range(std::string_view line, Key& low, Key& high) {
  const two_words words = split(line);
  if (words.first.empty()) return fmt::format("'{}' has no low end before the comma", excerpt(line));
  if (!read_number(words.first, low)) return refusal<Key>(words.first);
  if (words.second.empty() && words.rest.empty()) {
    return fmt::format("'{}' is one number; two are wanted: a range's low and high end", excerpt(line));
  }
  if (words.second.empty()) return fmt::format("'{}' has more than one comma", excerpt(line));
  if (!read_number(words.second, high)) return refusal<Key>(words.second);
  if (!words.rest.empty()) {
    return fmt::format("'{}' has more than two numbers; a range has a low and a high end", excerpt(line));
  }
  return {};
}

template <class Key>
outcome<batch> read_ranges(byte_source& source, const job_control& control) {
  std::vector<Key> low, high;
  const auto on_line = [&](std::string_view line) -> std::string {
    Key first = 0, last = 0;
    if (std::string words = parse_range(line, first, last); !words.empty()) return words;
    if (low.size() == max_lookups) return "is one too many: at most 2^32 ranges are read";
    low.push_back(first), high.push_back(last);
    return {};
  };
  const auto expect = [&](std::size_t lines) { return make_room_for(lines, source.name(), low, high); };
  char head[told_bytes] = {};
  outcome<std::size_t> got = source.read(head);
  if (!got) return got.error();
  const std::span<const char> first(head, *got);
  if (std::string words = no_text_words(source.name(), first); !words.empty()) return problem{std::move(words)};
  const status read = line_reader(source, "a range's low and high end").read(first, on_line, expect, control);
  if (!read) return read.error();
  return batch{operation::range, key_array(std::move(low)), key_array(std::move(high))};
}

}  // namespace

outcome<batch> read_range_file(const std::filesystem::path& path, key_width width, const job_control& control) {
  return read_file(path, "ranges", control, [&](byte_source& source) {
    return width == key_width::u32 ? read_ranges<u32>(source, control) : read_ranges<u64>(source, control);
  });
}

}  // namespace pivotscope
