#include "app/files/quarantined_file.hpp"

#include <fmt/format.h>

#include "core/common/quarantine.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {

outcome<std::string> quarantine_and_say(const std::filesystem::path& path, const std::string& what,
                                        const std::string& why) {
  const outcome<std::filesystem::path> target = behind_links(path);
  const outcome<std::filesystem::path> aside = target ? quarantine(*target) : target;
  if (!aside)
    return problem{fmt::format("{} in {} cannot be used ({}), and stays as it is, for {}.", what, path.string(), why,
                               aside.error().words)};
  return fmt::format("{} in {} cannot be used ({}); it is kept as {}.", what, path.string(), why, aside->string());
}

}  // namespace pivotscope
