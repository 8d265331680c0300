#include "app/picture/font_files.hpp"

#include <system_error>

namespace pivotscope {

namespace fs = std::filesystem;

std::vector<fs::path> font_folders() {
  std::vector<fs::path> out;
  std::error_code fault;
  const fs::path program = fs::read_symlink("/proc/self/exe", fault);
  if (!fault) out.push_back(program.parent_path().parent_path() / "share" / "pivotscope" / "fonts");
#ifdef PIVOTSCOPE_ASSETS_DIR
  out.push_back(fs::path(PIVOTSCOPE_ASSETS_DIR) / "fonts");
#endif
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
