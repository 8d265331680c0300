// What `run --json` and `floor --json` wrote, read again, and how a page tells it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/memory_benchmark/memory_benchmark.hpp"
#include "core/statistics/figure.hpp"

namespace pivotscope {

struct run_result {
  measured_by by = {};
  std::string workload = {}, method = {};  // the line or the files' names; "median of 7 runs after 1 to warm up"
  u64 seed = 0;
  machine_info machine = {};
  std::vector<figure_line> lines = {};  // a config each, as core/run/run_figures.hpp names its values
};

// Which command wrote a text, as far as its fields tell.
enum class result_kind : u8 { none, sweep, run, floor };
result_kind kind_of_result(std::string_view json);

// Problem: it is no such text, one that is damaged, of another format, or of a script's batches.
outcome<run_result> run_result_from_json(std::string_view text);
// For a repository: what of a run tables and pages need, a config a line, without names of folders.
outcome<std::string> short_run_json(std::string_view text);
outcome<memory_benchmark> memory_benchmark_result_from_json(std::string_view text);

// Sections of a page, with an anchor; `file` is where it was read from.
std::string run_section(const run_result& result, std::string_view file, std::string_view anchor);
std::string floor_section(const memory_benchmark& floor, std::string_view file, std::string_view anchor);

}  // namespace pivotscope
