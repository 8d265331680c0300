#include "core/common/quarantine.hpp"

#include <fmt/format.h>

#include "core/common/whole_file.hpp"

namespace pivotscope {

namespace fs = std::filesystem;

outcome<fs::path> quarantine(const fs::path& path) {
  constexpr int most_names = 1000;
  file_calls& calls = file_calls::in_use();
  const auto refuse = [&](int error) {
    return problem{fmt::format("{} cannot be renamed: {}", path.string(), system_words(error))};
  };
  for (int number = 1; number <= most_names; ++number) {
    fs::path aside = path;
    aside += fmt::format(".not-understood-{}", number);
    // Made before the rename, so that of two who set aside at once none takes the other's name.
    const file_descriptor claimed(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (!claimed.is_open() && (errno == EEXIST || errno == EINTR)) continue;
    if (!claimed.is_open()) return refuse(errno);
    if (calls.rename(path.c_str(), aside.c_str()) == 0) return aside;
    const int error = errno;
    calls.remove(aside.c_str());
    return refuse(error);
  }
  return refuse(EEXIST);
}

}  // namespace pivotscope
