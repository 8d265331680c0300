// write_answers: one answer a line, into a file that is there in whole or not at all.
#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <cstdio>

#include "core/workload/file_descriptor.hpp"
#include "core/workload/key_file.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line = 11;  // ten digits and the end

status failure(const fs::path& path, int error) {
  return problem{
      fmt::format("cannot write {}: {}", path.string(), std::error_code(error, std::system_category()).message())};
}

status write_lines(const file_descriptor& file, const fs::path& path, std::span<const u32> answers,
                   const job_control& control) {
  constexpr std::size_t block_lines = 1 << 16;
  std::vector<char> block(block_lines * longest_line);
  for (std::size_t begin = 0; begin < answers.size(); begin += block_lines) {
    if (control.cancelled()) return job_control::cancelled_problem();
    char* end = block.data();
    for (const u32 answer : answers.subspan(begin, std::min(block_lines, answers.size() - begin))) {
      if (answer == not_found) {
        *end++ = '-';
      } else {
        end = std::to_chars(end, end + longest_line, answer).ptr;
      }
      *end++ = '\n';
    }
    if (!file.write({block.data(), end})) return failure(path, errno);
    control.progress("writing " + path.string(), static_cast<double>(begin) / static_cast<double>(answers.size()));
  }
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
  if (status writable = check_writable(path); !writable) return writable;
  const fs::path target = behind_links(path);
  if (is_special(target)) {
    file_descriptor file(target.c_str(), O_WRONLY);
    if (!file.is_open()) return failure(path, errno);
    return write_lines(file, path, answers, control);
  }
  const fs::path beside = temporary_beside(target);
  file_descriptor file(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!file.is_open()) return failure(path, errno);
  struct stat before {};
  if (::stat(target.c_str(), &before) == 0) (void)::fchmod(file.number(), before.st_mode & 07777);
  status written = write_lines(file, path, answers, control);
  if (written && !file.close()) written = failure(path, errno);
  if (written && std::rename(beside.c_str(), target.c_str()) != 0) written = failure(path, errno);
  if (!written) ::unlink(beside.c_str());
  return written;
}

}  // namespace pivotscope
