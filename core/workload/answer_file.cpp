// write_answers, write_range_answers: an answer a line, into a file that is there in whole or not at all.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "core/workload/file_descriptor.hpp"
#include "core/workload/key_file.hpp"
#include "core/workload/range_file.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

status failure(const fs::path& path, int error) {
  return problem{
      fmt::format("cannot write {}: {}", path.string(), std::error_code(error, std::system_category()).message())};
}

// Numbers and characters, on their way to the file in whole blocks.
class text_writer {
 public:
  explicit text_writer(const file_descriptor& file) : file_(file), block_(1 << 20), end_(block_.data()) {}

  void put(char c) {
    if (left() == 0) flush();
    *end_++ = c;
  }
  void put(u64 number) {
    if (left() < longest_number) flush();
    end_ = std::to_chars(end_, block_.data() + block_.size(), number).ptr;
  }
  // 0, or the first error's number.
  int finish() {
    flush();
    return error_;
  }
  int error() const { return error_; }

 private:
  static constexpr std::size_t longest_number = 20;

  std::size_t left() const { return static_cast<std::size_t>(block_.data() + block_.size() - end_); }
  void flush() {
    if (error_ == 0 && !file_.write({block_.data(), end_})) error_ = errno;
    end_ = block_.data();
  }

  const file_descriptor& file_;
  std::vector<char> block_;
  char* end_;
  int error_ = 0;
};

// put_line(writer, i) for all i below n.
template <class PutLine>
status write_lines(const file_descriptor& file, const fs::path& path, u64 n, const PutLine& put_line,
                   const job_control& control) {
  constexpr u64 block_lines = 1 << 14;  // between two looks at the control
  text_writer writer(file);
  for (u64 begin = 0; begin < n; begin += block_lines) {
    if (control.cancelled()) return job_control::cancelled_problem();
    const u64 end = std::min(n, begin + block_lines);
    for (u64 i = begin; i < end; ++i) put_line(writer, i);
    if (writer.error() != 0) return failure(path, writer.error());
    control.progress("writing " + path.string(), static_cast<double>(begin) / static_cast<double>(n));
  }
  if (const int error = writer.finish(); error != 0) return failure(path, error);
  return fine();
}

// The file a symbolic link leads to, so that the link stays a link.
fs::path behind_links(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  return error ? path : target;
}

bool is_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status about = fs::status(path, error);
  return fs::exists(about) && !fs::is_regular_file(about);
}

fs::path temporary_beside(const fs::path& path) {
  fs::path beside = path;
  beside += fmt::format(".{}.tmp", ::getpid());
  return beside;
}

template <class PutLine>
status write_whole(const fs::path& path, u64 lines, const PutLine& put_line, const job_control& control) {
  if (status writable = check_writable(path); !writable) return writable;
  const fs::path target = behind_links(path);
  if (is_special(target)) {
    file_descriptor file(target.c_str(), O_WRONLY);
    if (!file.is_open()) return failure(path, errno);
    return write_lines(file, path, lines, put_line, control);
  }
  const fs::path beside = temporary_beside(target);
  file_descriptor file(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!file.is_open()) return failure(path, errno);
  struct stat before {};
  if (::stat(target.c_str(), &before) == 0) (void)::fchmod(file.number(), before.st_mode & 07777);
  status written = write_lines(file, path, lines, put_line, control);
  if (written && !file.close()) written = failure(path, errno);
  if (written && std::rename(beside.c_str(), target.c_str()) != 0) written = failure(path, errno);
  if (!written) ::unlink(beside.c_str());
  return written;
}

}  // namespace

status check_writable(const fs::path& path) {
  if (path.empty()) return problem{"the name of the file for the answers is empty"};
  const fs::path target = behind_links(path);
  std::error_code error;
  if (fs::is_directory(target, error)) return failure(path, EISDIR);
  if (is_special(target)) return ::access(target.c_str(), W_OK) == 0 ? fine() : failure(path, errno);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return fine();
  const int reason = errno;
  return problem{fmt::format("cannot write {}: the folder {}: {}", path.string(), folder.string(),
                             std::error_code(reason, std::system_category()).message())};
}

status write_answers(const fs::path& path, std::span<const u32> answers, const job_control& control) {
  const auto put_line = [&](text_writer& writer, u64 i) {
    if (answers[i] == not_found) {
      writer.put('-');
    } else {
      writer.put(u64{answers[i]});
    }
    writer.put('\n');
  };
  return write_whole(path, answers.size(), put_line, control);
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
  return write_whole(path, answers.size(), put_line, control);
}

}  // namespace pivotscope
