#include "core/common/file_lock.hpp"

#include <fmt/format.h>
#include <sys/file.h>

#include "core/common/whole_file.hpp"

namespace pivotscope {

namespace {

constexpr std::size_t longest_words = 200;

problem cannot_lock(const std::filesystem::path& path, int error) {
  return {fmt::format("cannot lock {}: {}", path.string(), system_words(error))};
}

}  // namespace

outcome<file_lock> file_lock::take(const std::filesystem::path& path) {
  file_descriptor file(path.c_str(), O_RDWR | O_CREAT, 0666);
  if (!file.is_open()) return cannot_lock(path, errno);
  while (file_calls::in_use().lock(file.number(), LOCK_EX) != 0)
    if (errno != EINTR) return cannot_lock(path, errno);
  return file_lock(std::move(file));
}

outcome<std::optional<file_lock>> file_lock::take_free(const std::filesystem::path& path) {
  file_descriptor file(path.c_str(), O_RDWR | O_CREAT, 0666);
  if (!file.is_open()) return cannot_lock(path, errno);
  while (file_calls::in_use().lock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::optional<file_lock>();
    if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) break;
    if (errno != EINTR) return cannot_lock(path, errno);
  }
  return std::optional(file_lock(std::move(file)));
}

status file_lock::say(std::string_view words) const {
  // As long as what stood there, so that nothing of it is left.
  const std::string line = fmt::format("{:<{}}\n", words.substr(0, longest_words), longest_words);
  return file_.write(line) ? fine() : status(problem{system_words(errno)});
}

}  // namespace pivotscope
