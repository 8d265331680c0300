#include "core/common/file_calls.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace pivotscope {
namespace {

file_calls real_calls;
file_calls* calls_in_use = &real_calls;

}  // namespace

int file_calls::open(const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); }
int file_calls::duplicate(int file) { return ::fcntl(file, F_DUPFD_CLOEXEC, 0); }
int file_calls::status(int file, struct stat& about) { return ::fstat(file, &about); }
int file_calls::access(const char* path, int wanted) { return ::access(path, wanted); }
int file_calls::lock(int file, int operation) { return ::flock(file, operation); }
int file_calls::set_mode(int file, mode_t mode) { return ::fchmod(file, mode); }
ssize_t file_calls::read(int file, void* out, std::size_t count) { return ::read(file, out, count); }
ssize_t file_calls::write(int file, const void* bytes, std::size_t count) { return ::write(file, bytes, count); }
int file_calls::poll(pollfd* files, unsigned count, int milliseconds) { return ::poll(files, count, milliseconds); }
int file_calls::sync(int file) { return ::fsync(file); }
int file_calls::close(int file) { return ::close(file); }
int file_calls::rename(const char* from, const char* to) { return ::rename(from, to); }
int file_calls::remove(const char* path) { return ::unlink(path); }

file_calls& file_calls::in_use() { return *calls_in_use; }

file_calls_in_place::file_calls_in_place(file_calls& calls) : before_(std::exchange(calls_in_use, &calls)) {}
file_calls_in_place::~file_calls_in_place() { calls_in_use = before_; }

}  // namespace pivotscope
