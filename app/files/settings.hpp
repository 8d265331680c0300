// What the window remembers from one start to the next: a small JSON file of the user's own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

struct settings {
  std::string scenario;                 // one line, see scenario_text.hpp; empty: nothing was saved
  std::optional<bool> batch_told = {};  // of the scenario; none: an earlier version did not say
  std::optional<machine_kind> machine;
  bool light = false;
  bool motion = true;
  float scale = 1;  // of everything, beside the display's own
  int preset = 1;
  float steps_per_second = 1;
  int width = 1600, height = 1000;
  std::string panels;                     // Dear ImGui's own words for where each panel is
  std::vector<std::string> lessons_done;  // their ids
  std::string interleave = {};            // the line of the panel Interleave; empty: nothing was saved
  bool operator==(const settings&) const = default;
};

// $XDG_CONFIG_HOME/pivotscope/window.json, else under ~/.config. Empty when there is no home.
std::filesystem::path settings_path();
// No file: the defaults. One that cannot be understood is set aside: a problem that names its new name. One that cannot
// be read stays: a problem, and save_settings() refuses.
outcome<settings> load_settings(const std::filesystem::path& path);
// A whole_file. In place of one that cannot be understood, which is set aside: the words that say so, or none.
outcome<std::string> save_settings(const std::filesystem::path& path, const settings& what);

}  // namespace pivotscope
