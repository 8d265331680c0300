#include "core/common/file_lock.hpp"

#include <fmt/format.h>
#include <sys/file.h>

#include "core/common/whole_file.hpp"

namespace pivotscope {

outcome<file_lock> file_lock::take(const std::filesystem::path& path) {
  const auto refuse = [&](int error) {
    return problem{fmt::format("cannot lock {}: {}", path.string(), system_words(error))};
  };
  file_descriptor file(path.c_str(), O_RDWR | O_CREAT, 0666);
  if (!file.is_open()) return refuse(errno);
  while (file_calls::in_use().lock(file.number(), LOCK_EX) != 0)
    if (errno != EINTR) return refuse(errno);
  return file_lock(std::move(file));
}

}  // namespace pivotscope
