// The real file calls, of which one goes wrong: with an error, by half, or as the last thing that its process did.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>

#include "core/common/file_calls.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

struct file_fault {
  enum class kind {
    none,
    error,  // the call does nothing and says `number`
    half,   // a read or write moves half of the bytes, as it may
    end,    // a read says that the file ends
    crash,  // neither this call nor any after it does anything
    torn    // a write moves half of the bytes, and that was the last call
  };
  kind what = kind::none;
  int number = EIO;
};

class failing_file_calls final : public file_calls {
 public:
  failing_file_calls(file_fault fault, u32 at) : fault_(fault), at_(at) {}

  u32 count() const { return count_; }
  bool happened() const { return happened_; }  // the call was one that the fault can befall
  bool crashed() const { return crashed_; }
  const std::string& name() const { return name_; }  // of the call that went wrong

  int open(const char* path, int flags, mode_t mode) override {
    return fails("open") ? -1 : file_calls::open(path, flags, mode);
  }
  int duplicate(int file) override { return fails("duplicate") ? -1 : file_calls::duplicate(file); }
  int status(int file, struct stat& about) override { return fails("status") ? -1 : file_calls::status(file, about); }
  int access(const char* path, int wanted) override { return fails("access") ? -1 : file_calls::access(path, wanted); }
  int lock(int file, int operation) override { return fails("lock") ? -1 : file_calls::lock(file, operation); }
  int set_mode(int file, mode_t mode) override { return fails("set_mode") ? -1 : file_calls::set_mode(file, mode); }
  ssize_t read(int file, void* out, std::size_t bytes) override {
    if (fails("read", true)) return -1;
    if (cut_ && fault_.what == file_fault::kind::end) return 0;
    return file_calls::read(file, out, cut_ ? (bytes + 1) / 2 : bytes);
  }
  ssize_t write(int file, const void* from, std::size_t bytes) override {
    if (fails("write", false, true)) return -1;
    const ssize_t put = file_calls::write(file, from, cut_ ? (bytes + 1) / 2 : bytes);
    if (crashed_) errno = EIO;
    return crashed_ ? -1 : put;
  }
  int poll(pollfd* files, unsigned count, int milliseconds) override {
    return fails("poll") ? -1 : file_calls::poll(files, count, milliseconds);
  }
  int sync(int file) override { return fails("sync") ? -1 : file_calls::sync(file); }
  // Closed in any case: so does Linux after an error, and the end of a process.
  int close(int file) override {
    const bool failed = fails("close");
    const int error = errno, closed = file_calls::close(file);
    errno = error;
    return failed ? -1 : closed;
  }
  int rename(const char* from, const char* to) override { return fails("rename") ? -1 : file_calls::rename(from, to); }
  int remove(const char* path) override { return fails("remove") ? -1 : file_calls::remove(path); }

 private:
  bool fails(const char* call, bool reads = false, bool writes = false) {
    using kind = file_fault::kind;
    cut_ = false;
    if (crashed_) {
      errno = EIO;
      return true;
    }
    if (count_++ != at_ || fault_.what == kind::none) return false;
    const bool cuts = (fault_.what == kind::half && (reads || writes)) || (fault_.what == kind::end && reads) ||
                      (fault_.what == kind::torn && writes);
    const bool stops = fault_.what == kind::error || fault_.what == kind::crash;
    happened_ = cuts || stops;
    if (!happened_) return false;
    name_ = call;
    cut_ = cuts;
    crashed_ = fault_.what == kind::crash || fault_.what == kind::torn;
    errno = fault_.what == kind::error ? fault_.number : EIO;
    return stops;
  }

  file_fault fault_;
  u32 at_, count_ = 0;
  bool happened_ = false, crashed_ = false, cut_ = false;
  std::string name_;
};

// Every call of `operation` goes wrong once in every way. check(what operation returned, the calls).
template <class Operation, class Check>
void with_every_fault(const std::function<void()>& prepare, const Operation& operation, const Check& check) {
  using kind = file_fault::kind;
  failing_file_calls all({}, 0);
  prepare();
  {
    const file_calls_in_place in_place(all);
    (void)operation();
  }
  ASSERT_GT(all.count(), 2u);
  for (const file_fault fault :
       {file_fault{kind::error, ENOSPC}, file_fault{kind::error, EIO}, file_fault{kind::error, EINTR},
        file_fault{kind::half}, file_fault{kind::end}, file_fault{kind::crash}, file_fault{kind::torn}}) {
    for (u32 at = 0; at < all.count(); ++at) {
      prepare();
      failing_file_calls calls(fault, at);
      const auto result = [&] {
        const file_calls_in_place in_place(calls);
        return operation();
      }();
      if (!calls.happened()) continue;
      SCOPED_TRACE(
          fmt::format("fault {} ({}) at call {}, {}", static_cast<int>(fault.what), fault.number, at, calls.name()));
      check(result, fault, calls);
    }
  }
}

// Names and contents of a folder's files.
inline std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

// A number that no process has.
inline constexpr int no_process = 0x7FFFFFFF;

// Temporaries of this process become those of one that is gone.
inline void let_writers_die(const std::filesystem::path& folder) {
  const std::string mine = fmt::format(".{}.", ::getpid());
  for (const auto& [name, bytes] : files_of(folder)) {
    const std::size_t at = name.rfind(mine);
    if (!name.ends_with(".tmp") || at == name.npos) continue;
    std::string other = name;
    other.replace(at, mine.size(), fmt::format(".{}.", no_process));
    std::filesystem::rename(folder / name, folder / other);
  }
}

inline bool has_temporaries(const std::filesystem::path& folder) {
  for (const auto& [name, bytes] : files_of(folder))
    if (name.ends_with(".tmp")) return true;
  return false;
}

}  // namespace pivotscope
