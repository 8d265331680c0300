#include <algorithm>
#include <system_error>

#include "app/report/page.hpp"
#include "core/common/whole_file.hpp"

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

void add_sweep(report_contents& to, const fs::path& path, std::string name) {
  std::error_code none;
  outcome<sweep_result> result = read_sweep_result(path);
  if (!result) {
    to.unread.push_back({std::move(name), result.error().words});
    return;
  }
  for (const std::string& words : result->damaged) to.unread.push_back({name, words});
  std::vector<const sweep*> plots = plots_of(result->of, fs::is_directory(path, none));
  to.sweeps.push_back({std::move(name), std::move(*result), std::move(plots)});
}

template <class Result, class Read>
void add_file(report_contents& to, std::vector<Result>& list, const fs::path& path, std::string name, const Read& read,
              const std::string& text) {
  auto result = read(text);
  if (result)
    list.push_back({std::move(name), std::move(*result)});
  else
    to.unread.push_back({std::move(name), path.string() + ": " + result.error().words});
}

void add(report_contents& to, const fs::path& path, std::string name) {
  std::error_code none;
  std::string text;
  const bool folder = fs::is_directory(path, none);
  const result_kind kind = folder || read_whole_file(path, text) != 0 ? result_kind::sweep : kind_of_result(text);
  switch (kind) {
    case result_kind::run:
      return add_file(to, to.runs, path, std::move(name), run_result_from_json, text);
    case result_kind::floor:
      return add_file(to, to.floors, path, std::move(name), memory_benchmark_result_from_json, text);
    case result_kind::sweep:
      return add_sweep(to, path, std::move(name));
    case result_kind::none:
      break;
  }
  // Of what is no result at all the words are those of a sweep's file: cut off, or something else.
  const outcome<sweep_result> why = sweep_result_from_json(text);
  std::string words = why ? "" : why.error().words;
  if (words == "it is not the JSON of a sweep") words += ", a run or a floor";
  to.unread.push_back({std::move(name), path.string() + ": " + words});
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
