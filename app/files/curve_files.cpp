#include "app/files/curve_files.hpp"

#include <filesystem>
#include <system_error>

#include "core/common/program_folder.hpp"
#include "core/common/whole_file.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

fs::path curves_folder() {
  std::error_code fault;
  for (const fs::path& assets : asset_folders())
    if (fs::is_directory(assets / "measured", fault)) return assets / "measured";
  return {};
}

}  // namespace

viz::known_curves kept_curves() {
  viz::known_curves all;
  const fs::path folder = curves_folder();
  if (folder.empty()) return all;
  for (const sweep& one : sweeps()) {
    if (!one.plot || one.measured_as() != one.name) continue;
    for (const char* device : {"H100", "H200"}) {
      std::string text;
      if (read_whole_file(folder / device / (one.name + ".csv"), text) != 0) continue;
      outcome<measured_curves> curves = curves_from_csv(one, text, device);
      if (curves && !curves->points.empty()) all[one.name].push_back(std::move(*curves));
    }
  }
  return all;
}

}  // namespace pivotscope
