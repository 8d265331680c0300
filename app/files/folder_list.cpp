#include "app/files/folder_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace pivotscope {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t most_entries = 5000;

fs::path nearest_folder(fs::path path) {
  std::error_code fault;
  path = fs::absolute(path, fault).lexically_normal();
  if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();  // it ends with a slash
  while (!fs::is_directory(path, fault) && path.has_relative_path()) path = path.parent_path();
  return path;
}

}  // namespace

viz::folder_list list_folder(const fs::path& wanted) {
  const fs::path folder = nearest_folder(wanted.empty() ? fs::path(".") : wanted);
  viz::folder_list list{.asked = wanted.string(), .folder = folder.string()};
  if (folder.has_relative_path()) list.above = folder.parent_path().string();
  std::error_code fault;
  fs::directory_iterator entries(folder, fault);
  if (fault) {
    list.problem = fmt::format("{} cannot be read: {}", folder.string(), fault.message());
    return list;
  }
  for (const fs::directory_iterator end; entries != end && !fault; entries.increment(fault)) {
    std::error_code unknown;  // of this entry alone, as of a link to nowhere
    const std::string name = entries->path().filename().string();
    const bool is_folder = entries->is_directory(unknown), is_file = entries->is_regular_file(unknown);
    if (name.starts_with('.') || (!is_folder && !is_file)) continue;
    const auto bytes = is_file ? entries->file_size(unknown) : 0;
    list.entries.push_back({name, is_folder, unknown ? 0 : bytes});
  }
  std::sort(list.entries.begin(), list.entries.end(),
            [](const auto& a, const auto& b) { return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name; });
  list.left_out = list.entries.size() - std::min(list.entries.size(), most_entries);
  list.entries.resize(std::min(list.entries.size(), most_entries));
  return list;
}

}  // namespace pivotscope
