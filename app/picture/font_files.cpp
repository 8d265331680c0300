#include "app/picture/font_files.hpp"

#include <system_error>

#include "core/common/program_folder.hpp"

namespace pivotscope {

namespace fs = std::filesystem;

std::vector<fs::path> font_folders() {
  std::vector<fs::path> out;
  for (const fs::path& assets : asset_folders()) out.push_back(assets / "fonts");
  for (const char* debian : {"/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/jetbrains-mono",
                             "/usr/share/fonts/truetype/font-awesome"})
    out.emplace_back(debian);
  return out;
}

fs::path find_font(const std::vector<fs::path>& folders, const char* file) {
  std::error_code fault;
  for (const fs::path& folder : folders)
    if (fs::exists(folder / file, fault)) return folder / file;
  return {};
}

}  // namespace pivotscope
