// What a file of results has for a document's table, whichever command wrote it: a row's values by name, and what it
// was all measured on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/statistics/figure.hpp"
#include "core/sweep/sweep_result.hpp"

namespace pivotscope {

struct measured_table {
  std::string row_name = {};            // of the value that rows are told by: "row", "config" or "kind"
  figure_line names = {};               // all values that a row may have
  std::vector<figure_line> lines = {};  // a sweep's row stands there once for each want
  std::vector<std::string> usual = {};  // columns where none are named
  std::string measured = {};            // in Markdown: on what, by which program and how
  std::string command = {};             // that measures it again
};

measured_table table_of(const sweep_result& result);

// Of a file of `sweep --json`, `run --json` or `floor --json`, or a folder of `sweep --into`.
outcome<measured_table> read_measured_table(const std::filesystem::path& path);

// As a cell of a Markdown table.
std::string in_cell(const std::string& words);

}  // namespace pivotscope
