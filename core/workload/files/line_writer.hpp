// Text on its way to a file that is there in whole or not at all: numbers and characters, a line each.
#pragma once

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <vector>

#include "core/common/portable.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {

// Numbers and characters, on their way to the file in whole blocks. The first failure stays.
class text_writer {
 public:
  text_writer(whole_file& file, const job_control& control)
      : file_(file), control_(control), block_(1 << 20), end_(block_.data()) {}

  void put(char c) {
    if (left() == 0) flush();
    *end_++ = c;
  }
  void put(u64 number) {
    if (left() < longest_number) flush();
    end_ = std::to_chars(end_, block_.data() + block_.size(), number).ptr;
  }
  void put(std::string_view words) {
    for (const char c : words) put(c);
  }
  void flush() {
    if (written_) written_ = file_.write({block_.data(), end_}, control_);
    end_ = block_.data();
  }
  const status& written() const { return written_; }

 private:
  static constexpr std::size_t longest_number = 20;

  std::size_t left() const { return static_cast<std::size_t>(block_.data() + block_.size() - end_); }

  whole_file& file_;
  const job_control& control_;
  std::vector<char> block_;
  char* end_;
  status written_ = fine();
};

// put_line(writer, i) for all i below n.
template <class PutLine>
status write_lines(const std::filesystem::path& path, u64 n, const PutLine& put_line, const job_control& control) {
  outcome<whole_file> file = whole_file::open(path, power_cut::survives, control);
  if (!file) return file.error();
  constexpr u64 block_lines = 1 << 14;  // between two looks at the control
  text_writer writer(*file, control);
  for (u64 begin = 0; begin < n; begin += block_lines) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const u64 end = std::min(n, begin + block_lines);
    for (u64 i = begin; i < end; ++i) put_line(writer, i);
    if (!writer.written()) return writer.written();
    control.progress("writing " + path.string(), static_cast<double>(begin) / static_cast<double>(n));
  }
  writer.flush();
  return writer.written() ? file->finish() : writer.written();
}

}  // namespace pivotscope
