// A page of results: one HTML file that needs nothing beside it, and reads in the dark as well.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/report/measured_files.hpp"
#include "core/sweep/sweep_result.hpp"

namespace pivotscope {

struct reported_sweep {
  std::string file;  // that it was read from, as it is named in the folder
  sweep_result result;
  std::vector<const sweep*> plots = {};  // that are made of its rows
};

struct reported_run {
  std::string file;
  run_result result;
};
struct reported_floor {
  std::string file;
  memory_benchmark result;
};

struct unread_file {
  std::string file, words;
};

struct report_contents {
  std::string folder;  // its name
  std::vector<reported_sweep> sweeps = {};
  std::vector<reported_run> runs = {};
  std::vector<reported_floor> floors = {};
  std::vector<unread_file> unread = {};
  bool empty() const { return sweeps.empty() && runs.empty() && floors.empty(); }
};

// The results in a folder: its *.json files, of sweeps, runs and floors, and the folders in it that `sweep --into`
// wrote, by name; or the folder itself, where it is such a one. Problem: it is no folder that can be read.
outcome<report_contents> read_report(const std::filesystem::path& folder);

// Ends with a line's end. Nothing of the files' text is taken for HTML.
std::string report_page(const report_contents& contents);

}  // namespace pivotscope
