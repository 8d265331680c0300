#include "core/workload/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

constexpr u64 no_limit = std::numeric_limits<u64>::max();

// The names of one version's files.
struct group_files {
  const char *limit, *used;
  std::vector<std::string> given_back;  // in memory.stat, the best first: page cache, which the kernel frees on demand
};

const group_files version_1{"memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file", "inactive_file"}};
const group_files version_2{"memory.max", "memory.current", {"inactive_file"}};

// A mounted hierarchy: `top` is the group whose files are in `folder`.
struct group_mount {
  std::string top;
  fs::path folder;
  bool second = false;  // version 2
};

u64 number_in(const fs::path& path) {
  std::ifstream file(path);
  u64 value = no_limit;
  return file >> value ? value : no_limit;  // no such file, or the word "max"
}

u64 given_back(const fs::path& stat, const std::vector<std::string>& names) {
  for (const std::string& wanted : names) {
    std::ifstream file(stat);
    std::string name;
    u64 value = 0;
    while (file >> name >> value) {
      if (name == wanted) return value;
    }
  }
  return 0;
}

u64 left_of_group(const fs::path& folder, const group_files& files) {
  const u64 limit = number_in(folder / files.limit), used = number_in(folder / files.used);
  if (limit == no_limit || used == no_limit) return no_limit;
  const u64 held = used - std::min(used, given_back(folder / "memory.stat", files.given_back));
  return limit - std::min(limit, held);
}

// /proc writes a blank in a name as "\040".
std::string without_escapes(std::string_view text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && digit(i + 1) && digit(i + 2) && digit(i + 3)) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::string_view first = list.substr(0, list.find(','));
    if (first == word) return true;
    list.remove_prefix(std::min(first.size() + 1, list.size()));
  }
  return false;
}

// A line is "36 35 0:32 TOP FOLDER OPTIONS [MORE...] - TYPE SOURCE OPTIONS".
std::vector<group_mount> mounts_of(const fs::path& root) {
  std::vector<group_mount> found;
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string skipped, top, folder, type, source, options;
    words >> skipped >> skipped >> skipped >> top >> folder;
    while (words >> skipped && skipped != "-") {
    }
    words >> type >> source >> options;
    if (type != "cgroup2" && !(type == "cgroup" && has_word(options, "memory"))) continue;
    found.push_back(
        {without_escapes(top), root / fs::path(without_escapes(folder)).relative_path(), type == "cgroup2"});
  }
  return found;
}

// A line is "NUMBER:CONTROLLERS:GROUP"; version 2 has no controllers there. Empty: the process is in none.
std::string group_of_process(const fs::path& root, bool second) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t last = first == line.npos ? line.npos : line.find(':', first + 1);
    if (last == line.npos) continue;
    const std::string controllers = line.substr(first + 1, last - first - 1);
    if (second ? controllers.empty() : has_word(controllers, "memory")) return line.substr(last + 1);
  }
  return {};
}

// `group` as a path below `top`; nothing where it does not lie there.
std::optional<fs::path> below(const std::string& top, const std::string& group) {
  // Seen from a group's own namespace: all that is known is that the mounted group is above the process's.
  if (top.starts_with("/..")) return fs::path();
  const std::string prefix = top == "/" ? "" : top;
  if (!group.starts_with(prefix + "/") && group != prefix) return std::nullopt;
  return fs::path(group.substr(prefix.size())).relative_path();
}

}  // namespace

u64 control_group_memory(const fs::path& root) {
  u64 least = no_limit;
  for (const group_mount& mount : mounts_of(root)) {
    const std::string group = group_of_process(root, mount.second);
    std::optional<fs::path> path = group.empty() ? std::nullopt : below(mount.top, group);
    while (path) {
      least = std::min(least, left_of_group(mount.folder / *path, mount.second ? version_2 : version_1));
      path = path->empty() ? std::nullopt : std::optional(path->parent_path());
    }
  }
  return least;
}

}  // namespace pivotscope
