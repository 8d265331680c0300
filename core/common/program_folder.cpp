#include "core/common/program_folder.hpp"

#include <system_error>

namespace pivotscope {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code fault;
  return fs::read_symlink("/proc/self/exe", fault).parent_path();
}

std::vector<fs::path> asset_folders() {
  const fs::path folder = program_folder();
  if (folder.empty()) return {};
  return {folder.parent_path() / "share" / "pivotscope", folder / "assets"};
}

}  // namespace pivotscope
