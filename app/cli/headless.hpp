// pivotscope --headless: every index, checked and timed, and a picture of the window, with nobody there to see it.
#pragma once

#include <filesystem>

#include "app/cli/options/machine_options.hpp"
#include "app/window_entry.hpp"

namespace pivotscope {

struct headless_options {
  machine_choice machine;
  std::filesystem::path screenshot;  // where to
  window_start shown;                // what the picture shows; the table is always the standard one
};

// Where the picture goes that nobody names: beside the program in a build tree, else here.
std::filesystem::path standard_screenshot();

int run_headless(const headless_options& options, const window_entry& window, const machine_source& machines);

}  // namespace pivotscope
