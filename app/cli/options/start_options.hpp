// The options that say what the window, or a picture of it, shows first.
#pragma once

#include <optional>
#include <string>

#include "app/cli/options/machine_options.hpp"
#include "app/window_entry.hpp"

namespace pivotscope {

class option_list;

struct start_options {
  std::optional<std::string> config = {}, load = {}, key = {};  // as typed
  machine_choice machine = {};

  void add_to(option_list& to, const char* group);
  outcome<window_start> read(const machine_source& machines) const;
};

}  // namespace pivotscope
