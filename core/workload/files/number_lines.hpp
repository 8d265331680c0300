// Text files of unsigned integers: lines, and words for what is not a number.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "core/common/expect.hpp"
#include "core/common/job_control.hpp"
#include "core/workload/files/byte_source.hpp"
#include "core/workload/files/file_signature.hpp"
#include "core/workload/host_memory.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

template <class Key>
constexpr std::string_view width_name = sizeof(Key) == 4 ? "keys=u32" : "keys=u64";

// What a person sees of bytes that should have been a number: printable ASCII, and not much of it.
std::string excerpt(std::string_view bytes);

// Why `word` is not a number of the width.
template <class Key>
std::string refusal(std::string_view word) {
  const std::string shown = excerpt(word);
  if (std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    const char* advice = sizeof(Key) == 4 ? "; take keys=u64 in the config for greater ones" : "";
    return fmt::format("'{}' is too great for {}, whose keys end at {}{}", shown, width_name<Key>, greatest_key<Key>(),
                       advice);
  }
  if (word.front() == '-') return fmt::format("'{}' has a minus sign; keys are unsigned", shown);
  return fmt::format("'{}' is not an unsigned integer", shown);
}

// `word` as a number, all of it.
template <class Key>
bool read_number(std::string_view word, Key& out) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  return error == std::errc{} && end == word.data() + word.size();
}

// Room for `count` numbers in each of the vectors, when there is the memory for `what`.
template <class Key, class... More>
status make_room_for(u64 count, std::string_view what, std::vector<Key>& numbers, More&... more) {
  const u64 bytes = count * sizeof(Key) * (1 + sizeof...(more));
  if (status enough = check_host_memory(bytes, what); !enough) return enough;
  numbers.reserve(count);
  (more.reserve(count), ...);
  return fine();
}

// As many lines as the first block of a file of `size` bytes lets expect, so that few files make a vector grow.
std::size_t lines_to_expect(std::string_view first_block, u64 size);

inline constexpr std::string_view number_blanks = " \t\r";

enum class empty_lines : u8 { at_the_end, anywhere };

// Splits blocks into lines, takes the blanks around them off, and hands on those that are not empty.
class line_reader {
 public:
  // `wanted`: what a line should hold, for the words: "one unsigned integer". A line has fewer bytes than a block.
  line_reader(byte_source& source, std::string_view wanted, std::size_t block_bytes = byte_source::block_bytes,
              empty_lines may_be = empty_lines::at_the_end)
      : source_(source), wanted_(wanted), block_bytes_(block_bytes), may_be_empty_(may_be) {}

  // Of the line that on_line() is called with: its number, and the column of its first byte in the file; from 1.
  u64 number() const { return line_number_; }
  u64 column() const { return column_; }

  // `first` holds bytes that were read already, less than a block. on_line(line) returns words when the line is not as
  // it should be, else an empty string; expect(lines) is told once how many there may be, and may refuse.
  template <class OnLine, class Expect>
  status read(std::span<const char> first, const OnLine& on_line, const Expect& expect, const job_control& control) {
    const std::string_view start(first.data(), first.size());
    if (start.starts_with(utf8_mark)) first = first.subspan(utf8_mark.size());
    // What a short file leaves of it is not touched, and takes no memory.
    const std::unique_ptr<char[]> bytes = std::make_unique_for_overwrite<char[]>(block_bytes_);
    const std::span<char> block(bytes.get(), block_bytes_);
    PIVOTSCOPE_EXPECT(first.size() < block.size());
    std::copy(first.begin(), first.end(), block.begin());
    std::size_t held = first.size();  // of a line whose end is not read yet
    u64 consumed = 0;
    while (true) {
      if (control.cancelled()) return job_control::cancelled_problem();
      if (held == block.size()) return too_long({block.data(), block.size()});
      outcome<std::size_t> got = source_.read(block.subspan(held));
      if (!got) return got.error();
      PIVOTSCOPE_EXPECT(*got <= block.size() - held);
      const bool at_end = *got < block.size() - held;
      std::string_view text(block.data(), held + *got);
      if (consumed == 0) {
        if (status expected = expect(lines_to_expect(text, source_.size())); !expected) return expected;
      }
      if (status taken = take_lines(text, at_end, on_line); !taken) return taken.error();
      held = text.size();
      consumed += *got;
      if (at_end) return fine();
      std::memmove(block.data(), text.data(), held);
      control.progress("reading " + source_.name(),
                       std::min(1.0, static_cast<double>(consumed) / static_cast<double>(source_.size())));
    }
  }

 private:
  status too_long(std::string_view line) const;
  status at_line(u64 number, std::string_view words) const;

  // Takes whole lines off `text`; at the end of the file also one without a newline.
  template <class OnLine>
  status take_lines(std::string_view& text, bool at_end, const OnLine& on_line) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == text.npos && !at_end) return fine();
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      ++line_number_;
      const std::size_t begin = line.find_first_not_of(number_blanks);
      if (begin == line.npos) {
        if (first_empty_line_ == 0 && may_be_empty_ == empty_lines::at_the_end) first_empty_line_ = line_number_;
        continue;
      }
      column_ = begin + 1;
      if (first_empty_line_ != 0) return at_line(first_empty_line_, fmt::format("is empty; {} is wanted", wanted_));
      const std::size_t last = line.find_last_not_of(number_blanks);
      const std::string words = on_line(line.substr(begin, last + 1 - begin));
      if (!words.empty()) return at_line(line_number_, words);
    }
    return fine();
  }

  byte_source& source_;
  std::string_view wanted_;
  std::size_t block_bytes_;
  empty_lines may_be_empty_;
  u64 line_number_ = 0;
  u64 column_ = 0;
  u64 first_empty_line_ = 0;
};

}  // namespace pivotscope
