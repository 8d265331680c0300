#include "core/workload/byte_source.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>

namespace pivotscope {
namespace {

std::string system_words(int error) { return std::error_code(error, std::system_category()).message(); }

}  // namespace

outcome<byte_source> byte_source::open(const std::filesystem::path& path, std::string_view wanted) {
  byte_source source;
  source.name_ = path.string();
  source.file_ = file_descriptor(path.c_str(), O_RDONLY);
  struct stat about {};
  if (!source.file_.is_open() || ::fstat(source.file_.number(), &about) != 0) {
    return problem{fmt::format("cannot open {}: {}", source.name_, system_words(errno))};
  }
  if (S_ISDIR(about.st_mode)) {
    return problem{fmt::format("{} is a folder; a file of {} is wanted", source.name_, wanted)};
  }
  source.size_ = static_cast<u64>(about.st_size);
  if (!S_ISREG(about.st_mode)) {
    if (status taken = source.take_pipe(); !taken) return taken.error();
  }
  return source;
}

outcome<std::size_t> byte_source::read(std::span<char> out) {
  if (in_memory_) {
    const std::size_t count = std::min<std::size_t>(out.size(), taken_.size() - position_);
    std::copy_n(taken_.begin() + static_cast<std::ptrdiff_t>(position_), count, out.begin());
    position_ += count;
    return count;
  }
  const std::ptrdiff_t got = file_.read(out);
  if (got < 0) return problem{fmt::format("cannot read {}: {}", name_, system_words(errno))};
  return static_cast<std::size_t>(got);
}

status byte_source::take_pipe() {
  in_memory_ = true;
  while (true) {
    const std::size_t before = taken_.size();
    taken_.resize(before + block_bytes);
    const std::ptrdiff_t got = file_.read(std::span(taken_).subspan(before));
    if (got < 0) return problem{fmt::format("cannot read {}: {}", name_, system_words(errno))};
    taken_.resize(before + static_cast<std::size_t>(got));
    if (static_cast<std::size_t>(got) < block_bytes) break;
  }
  size_ = taken_.size();
  return fine();
}

}  // namespace pivotscope
