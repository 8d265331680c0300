#include "app/files/picture_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "core/common/whole_file.hpp"
#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

fs::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value && *value == '/' ? fs::path(value) : fs::path();
}

// XDG_PICTURES_DIR="$HOME/Pictures", as xdg-user-dirs writes it. The home itself says that there is none.
fs::path named_in(const fs::path& user_dirs, const fs::path& home) {
  std::string text;
  if (read_whole_file(user_dirs, text) != 0) return {};
  std::istringstream lines(text);
  constexpr std::string_view begin = "XDG_PICTURES_DIR=\"", in_home = "$HOME/";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(begin) || line.back() != '"' || line.size() <= begin.size()) continue;
    const std::string value = line.substr(begin.size(), line.size() - begin.size() - 1);
    if (value.starts_with(in_home) && value.size() > in_home.size() && !home.empty())
      return home / value.substr(in_home.size());
    if (value.starts_with('/')) return value;
  }
  return {};
}

}  // namespace

fs::path pictures_folder() {
  constexpr const char* own = "pivotscope";
  if (const fs::path told = from_environment("XDG_PICTURES_DIR"); !told.empty()) return told / own;
  const fs::path home = from_environment("HOME");
  fs::path config = from_environment("XDG_CONFIG_HOME");
  if (config.empty() && !home.empty()) config = home / ".config";
  if (!config.empty())
    if (const fs::path named = named_in(config / "user-dirs.dirs", home); !named.empty()) return named / own;
  std::error_code fault;
  if (!home.empty() && fs::is_directory(home / "Pictures", fault)) return home / "Pictures" / own;
  const fs::path here = fs::current_path(fault);
  return fault ? fs::path(".") : here;
}

fs::path numbered(fs::path path, u32 number, u32 of) {
  const fs::path extension = path.extension();
  path.replace_extension();
  path += fmt::format("-{:0{}}", number, std::to_string(of).size());
  path += extension;
  return path;
}

std::string picture_stem(std::string_view what, const index_config& config, bool light) {
  std::string stem = fmt::format("{}-{}{}", what, to_line(config), light ? "-light" : "");
  for (std::size_t i = 0; i < stem.size(); ++i) {
    char& c = stem[i];
    if (i < what.size() && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '+' ||
                       c == '=' || c == '-' || c == '_';
    if (!plain) c = '-';
  }
  return stem;
}

std::vector<fs::path> free_names(const fs::path& folder, const std::string& stem, const std::string& extension,
                                 u32 count) {
  for (u32 again = 1;; ++again) {
    const std::string number = again == 1 ? "" : fmt::format("-again{}", again);
    const fs::path whole = folder / fmt::format("{}{}{}", stem, number, extension);
    std::vector<fs::path> paths;
    for (u32 i = 1; i <= count; ++i) paths.push_back(count == 1 ? whole : numbered(whole, i, count));
    const bool taken = std::any_of(paths.begin(), paths.end(), [](const fs::path& path) {
      std::error_code fault;
      return fs::symlink_status(path, fault).type() != fs::file_type::not_found && !fault;
    });
    if (!taken) return paths;
  }
}

}  // namespace pivotscope
