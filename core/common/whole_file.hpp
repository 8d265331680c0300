// Files that are there in whole or not at all: written beside under another name, checked to the last byte, and
// renamed. Whoever reads meanwhile, or after a failure, a cancellation or a crash, finds the old file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/common/file_descriptor.hpp"
#include "core/common/job_control.hpp"

namespace pivotscope {

// Synced before the rename: the data may otherwise reach the disk after the name, and a power cut between the two
// leaves an empty file where the old one was. It costs a wait for the disk; what can be made again, and shows by a
// checksum that it is damaged, goes without.
enum class power_cut { survives, may_damage };

// Links are followed and stay links. What is not a regular file (a terminal, a pipe, /dev/null) is written as it is,
// and so is the file that standard output or standard error goes to, behind what is there: both land. Problems name the
// path and say why, in the system's words.
class whole_file {
 public:
  // Waits for a named pipe's reader until `control` is cancelled.
  static outcome<whole_file> open(const std::filesystem::path& path, power_cut kept = power_cut::survives,
                                  const job_control& control = {});
  whole_file(whole_file&& other) noexcept;
  whole_file& operator=(whole_file&&) = delete;
  ~whole_file();  // without finish(): nothing has happened

  status write(std::string_view bytes, const job_control& control = {});
  status finish();

 private:
  whole_file() = default;
  status write_as_it_is(std::string_view bytes, const job_control& control);

  std::filesystem::path path_;       // as it was named
  std::filesystem::path target_;     // behind its links
  std::filesystem::path temporary_;  // beside the target; empty: the target is written as it is
  file_descriptor file_;
  power_cut kept_ = power_cut::survives;
};

status write_whole_file(const std::filesystem::path& path, std::string_view bytes,
                        power_cut kept = power_cut::survives);

// Whether a whole_file could be opened there, told before the work whose result is to be kept. Leaves no trace.
status check_writable(const std::filesystem::path& path);

// The file that a path's links lead to, there or not. Problem: a loop.
outcome<std::filesystem::path> behind_links(const std::filesystem::path& path);

// 0 and all of its bytes; else errno. A file that ends before its length is EIO.
int read_whole_file(const std::filesystem::path& path, std::string& bytes);

std::string system_words(int error);

}  // namespace pivotscope
