// The calls of the operating system with which files are written and read: one table, so that a test can let each of
// them fail.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>

struct pollfd;

namespace pivotscope {

// Each is the call of its name, with errno when it fails.
class file_calls {
 public:
  virtual ~file_calls() = default;

  virtual int open(const char* path, int flags, mode_t mode);
  virtual int duplicate(int file);  // closed in programs that this one starts
  virtual int status(int file, struct stat& about);
  virtual int access(const char* path, int wanted);
  virtual int lock(int file, int operation);  // flock
  virtual int set_mode(int file, mode_t mode);
  virtual ssize_t read(int file, void* out, std::size_t count);
  virtual ssize_t write(int file, const void* bytes, std::size_t count);
  virtual int poll(pollfd* files, unsigned count, int milliseconds);
  virtual int sync(int file);
  virtual int close(int file);
  virtual int rename(const char* from, const char* to);
  virtual int remove(const char* path);  // unlink

  static file_calls& in_use();
};

// While it lives, these calls are in use. For tests; nothing else may read or write files meanwhile.
class file_calls_in_place {
 public:
  explicit file_calls_in_place(file_calls& calls);
  ~file_calls_in_place();
  file_calls_in_place(const file_calls_in_place&) = delete;
  file_calls_in_place& operator=(const file_calls_in_place&) = delete;

 private:
  file_calls* before_;
};

}  // namespace pivotscope
