// --machine and --cache-folder: where the work runs.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/machine/machine_source.hpp"

namespace pivotscope {

class option_list;

struct machine_choice {
  std::string name = "best";
  std::optional<std::string> cache_folder;

  void add_to(option_list& to, std::string standard);

  // "cpu", "cuda" or "best": cuda when there is one.
  outcome<machine_kind> kind(const machine_source& machines) const;
  // Options for open_machine(); a problem when compiled kernels cannot be kept in --cache-folder.
  outcome<machine_options> options() const;
  outcome<std::unique_ptr<machine>> open(const machine_source& machines) const;
};

// What "best" stands for: the first that is there.
machine_kind best_of(const std::vector<machine_report>& reports);

// "cuda, NVIDIA H200, 132 multiprocessors, 139 GiB of memory"
std::string machine_words(const machine_info& info);

}  // namespace pivotscope
