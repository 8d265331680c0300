// write_answers, write_range_answers, write_successor_answers: an answer a line, into a file that is there in whole or not at all.
#include <algorithm>
#include <charconv>

#include "core/common/whole_file.hpp"
#include "core/workload/key_file.hpp"
#include "core/workload/range_file.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

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
status write_lines(const fs::path& path, u64 n, const PutLine& put_line, const job_control& control) {
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

}  // namespace

status write_answers(const fs::path& path, std::span<const u32> answers, const job_control& control) {
  const auto put_line = [&](text_writer& writer, u64 i) {
    if (answers[i] == not_found) {
      writer.put('-');
    } else {
      writer.put(u64{answers[i]});
    }
    writer.put('\n');
  };
  return write_lines(path, answers.size(), put_line, control);
}

status write_range_answers(const fs::path& path, std::span<const range_answer> answers, std::span<const u64> begins,
                           std::span<const u32> rows, const job_control& control) {
  std::vector<u32> ascending;
  const auto put_line = [&](text_writer& writer, u64 i) {
    writer.put(answers[i].count);
    writer.put(' ');
    writer.put(answers[i].row_sum);
    if (!begins.empty()) {
      const std::span<const u32> those = rows.subspan(begins[i], begins[i + 1] - begins[i]);
      ascending.assign(those.begin(), those.end());
      std::sort(ascending.begin(), ascending.end());
      for (const u32 row : ascending) writer.put(' '), writer.put(u64{row});
    }
    writer.put('\n');
  };
  return write_lines(path, answers.size(), put_line, control);
}

status write_successor_answers(const fs::path& path, std::span<const successor_answer> answers,
                               const job_control& control) {
  const auto put_line = [&](text_writer& writer, u64 i) {
    if (answers[i].row == not_found) {
      writer.put('-');
    } else {
      writer.put(answers[i].key);
      writer.put(' ');
      writer.put(u64{answers[i].row});
    }
    writer.put('\n');
  };
  return write_lines(path, answers.size(), put_line, control);
}

}  // namespace pivotscope
