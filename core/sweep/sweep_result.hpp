// What a sweep measured, read again: from the file that `sweep --json` writes, or a folder of `sweep --into`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/sweep/sweep_figures.hpp"

namespace pivotscope {

struct sweep_result {
  sweep of =
      {};  // this program's of that name; of a name that it does not know what the file says, without rows and plot
  sweep_head head = {};
  std::vector<figure_line> lines = {};    // each row's for each of its wants, as they were told when it was measured
  std::vector<sweep_point> points = {};   // a row each, as far as a plot takes them: the best config and its runs
  std::vector<std::string> damaged = {};  // words for each of a folder's files that is damaged, whose row is not there
};

// Problem: it is no such text, or one that is damaged.
outcome<sweep_result> sweep_result_from_json(std::string_view text);
// Of a folder: also where rows are missing, or other plots are made of the same rows (sweep::rows_of).
outcome<sweep_result> sweep_result_of_folder(const std::filesystem::path& folder);
// Either. Problem names the path.
outcome<sweep_result> read_sweep_result(const std::filesystem::path& path);

// The same JSON without what only a search for the cause takes: of the candidates the best one alone, no value that is
// empty, no place of a file, a line for a row. For a repository.
outcome<std::string> short_sweep_json(std::string_view text);

// Of a machine's detail what another machine can have too: "CUDA driver 13.0, runtime 13.0; kernels by NVRTC 13.0",
// without the places of files.
std::string driver_words(std::string_view detail);

}  // namespace pivotscope
