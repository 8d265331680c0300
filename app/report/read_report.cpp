#include <algorithm>
#include <system_error>

#include "app/report/page.hpp"

namespace pivotscope {
namespace {

namespace fs = std::filesystem;

bool is_sweep_folder(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path / "head.json", none);
}

// Of a file the plot of its own sweep; a folder's rows may be drawn by several.
std::vector<const sweep*> plots_of(const sweep& of, bool folder) {
  std::vector<const sweep*> plots;
  for (const sweep& one : sweeps())
    if (one.plot && (folder ? one.measured_as() == of.measured_as() : one.name == of.name)) plots.push_back(&one);
  return plots;
}

void add(report_contents& to, const fs::path& path, std::string name) {
  std::error_code none;
  outcome<sweep_result> result = read_sweep_result(path);
  if (!result) {
    to.unread.push_back({std::move(name), result.error().words});
    return;
  }
  std::vector<const sweep*> plots = plots_of(result->of, fs::is_directory(path, none));
  to.sweeps.push_back({std::move(name), std::move(*result), std::move(plots)});
}

}  // namespace

outcome<report_contents> read_report(const fs::path& folder) {
  std::error_code fault;
  const fs::path whole = fs::weakly_canonical(folder, fault);
  report_contents contents{.folder = fault || whole.filename().empty() ? folder.string() : whole.filename().string()};
  if (is_sweep_folder(folder)) {
    add(contents, folder, contents.folder);
    return contents;
  }
  std::vector<fs::path> paths;
  fs::directory_iterator entries(folder, fault);
  if (fault) return problem{folder.string() + ": " + fault.message()};
  for (const fs::directory_entry& entry : entries)
    if (is_sweep_folder(entry.path()) || (!entry.is_directory(fault) && entry.path().extension() == ".json"))
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) add(contents, path, path.filename().string());
  return contents;
}

}  // namespace pivotscope
