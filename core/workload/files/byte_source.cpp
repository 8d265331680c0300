#include "core/workload/files/byte_source.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>

#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

std::string system_words(int error) { return std::error_code(error, std::system_category()).message(); }

// A signal may reach another thread, or come just before the wait: so it is a short one.
bool becomes_readable(int number) {
  constexpr int milliseconds = 50;
  pollfd waiting{number, POLLIN, 0};
  return ::poll(&waiting, 1, milliseconds) > 0;
}

}  // namespace

outcome<byte_source> byte_source::open(const std::filesystem::path& path, std::string_view wanted,
                                       const job_control& control) {
  byte_source source;
  source.name_ = path.string();
  // A pipe opens at once, whether or not somebody writes into it.
  source.file_ = file_descriptor(path.c_str(), O_RDONLY | O_NONBLOCK);
  struct stat about {};
  if (!source.file_.is_open() || ::fstat(source.file_.number(), &about) != 0) {
    return problem{fmt::format("cannot open {}: {}", source.name_, system_words(errno))};
  }
  if (S_ISDIR(about.st_mode)) {
    return problem{fmt::format("{} is a folder; a file of {} is wanted", source.name_, wanted)};
  }
  if (S_ISREG(about.st_mode)) {
    source.size_ = static_cast<u64>(about.st_size);
    return source;
  }
  if (status taken = source.take_stream(wanted, control); !taken) return taken.error();
  return source;
}

outcome<std::size_t> byte_source::read(std::span<char> out) {
  if (!in_memory_) {
    const std::ptrdiff_t got = file_.read(out);
    if (got < 0) return problem{fmt::format("cannot read {}: {}", name_, system_words(errno))};
    return static_cast<std::size_t>(got);
  }
  std::size_t done = 0;
  while (done < out.size() && !taken_.empty()) {
    const block& first = taken_.front();
    const std::size_t count = std::min(out.size() - done, first.held - position_);
    std::copy_n(first.bytes.get() + position_, count, out.data() + done);
    done += count;
    position_ += count;
    if (position_ < first.held) break;
    taken_.pop_front();
    position_ = 0;
  }
  return done;
}

status byte_source::take_stream(std::string_view wanted, const job_control& control) {
  in_memory_ = true;
  block last;
  // A pipe that nobody has opened for writing yet reads as if it had ended, but does not poll so.
  bool wait = true;
  while (!control.cancelled()) {
    if (wait) {
      control.progress("waiting for " + name_, -1);
      if (!becomes_readable(file_.number())) continue;
      wait = false;
    }
    const ssize_t got = ::read(file_.number(), last.bytes.get() + last.held, block_bytes - last.held);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      wait = true;
      continue;
    }
    if (got < 0) return problem{fmt::format("cannot read {}: {}", name_, system_words(errno))};
    last.held += static_cast<std::size_t>(got);
    size_ += static_cast<u64>(got);
    if (got > 0 && last.held < block_bytes) continue;
    taken_.push_back(std::move(last));
    if (got == 0) return fine();
    if (status room = make_room(wanted); !room) return room.error();
    control.progress("reading " + name_, -1);
    last = block();
  }
  return job_control::cancelled_problem();
}

status byte_source::make_room(std::string_view wanted) {
  const u64 free = available_host_memory();
  if (size_ + block_bytes <= free) return fine();
  return problem{
      fmt::format("{} is too long for the memory: {} came without an end, and {} are free for the {} made of them; "
                  "send less",
                  name_, bytes_text(size_), bytes_text(free), wanted)};
}

}  // namespace pivotscope
