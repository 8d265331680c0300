// A file of the operating system's, closed at the end of its scope, read and written in whole blocks.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <utility>

#include "core/common/expect.hpp"
#include "core/common/file_calls.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

class file_descriptor {
 public:
  file_descriptor() = default;
  // Takes over a number that is open, or -1.
  explicit file_descriptor(int number) : number_(number) {}
  file_descriptor(const char* path, int flags, mode_t mode = 0)
      : number_(file_calls::in_use().open(path, flags | O_CLOEXEC, mode)) {}
  file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~file_descriptor() {
    if (number_ >= 0) file_calls::in_use().close(number_);
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  // Gives the number away, open: to a system call that takes it over.
  int release() { return std::exchange(number_, -1); }

  // Bytes read: fewer than asked only at the end of the file; -1: errno says why not.
  std::ptrdiff_t read(std::span<char> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
      const ssize_t got = file_calls::in_use().read(number_, out.data() + done, out.size() - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return -1;
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return static_cast<std::ptrdiff_t>(done);
  }

  // All of it, or false: errno says why not.
  bool write(std::span<const char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = file_calls::in_use().write(number_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return false;
      PIVOTSCOPE_EXPECT(static_cast<std::size_t>(put) <= bytes.size());
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return true;
  }

  // Some file systems report a full disk only here. Interrupted, it is closed all the same: Linux says so.
  bool close() { return file_calls::in_use().close(std::exchange(number_, -1)) == 0 || errno == EINTR; }

 private:
  int number_ = -1;
};

}  // namespace pivotscope
