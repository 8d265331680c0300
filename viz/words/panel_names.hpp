// The panels, and what they are called. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/common/portable.hpp"

namespace pivotscope::viz {

// In the order of their names.
enum class panel : u8 {
  workload,
  index,
  tree,
  layout,
  path,
  timings,
  machine,
  advice,
  tile,
  warp,
  memory,
  compare,
  source,
  lesson,
  verify,
  snapshots,
  probes,
  updates,
  interleave,
  fill,
  plots,
  values,
  scene
};
inline constexpr std::array panel_names = {"Workload",   "Index",  "Tree",   "Layout",    "Path",   "Timings",
                                           "Machine",    "Advice", "Tile",   "Warp",      "Memory", "Compare",
                                           "Source",     "Lesson", "Verify", "Snapshots", "Probes", "Updates",
                                           "Interleave", "Fill",   "Plots",  "Values",    "Scene"};
inline constexpr std::size_t panel_count = panel_names.size();
inline constexpr const char* name_of(panel which) { return panel_names[static_cast<std::size_t>(which)]; }
// Does it show something of the index, the lookup or measurements? Others choose, or lead through the program.
inline constexpr bool is_view(panel which) {
  return which != panel::workload && which != panel::index && which != panel::lesson && which != panel::verify &&
         which != panel::snapshots && which != panel::machine;
}
// As it is typed: "layout".
std::string small_name_of(panel which);
std::optional<panel> panel_named(std::string_view small_name);
std::string no_panel(std::string_view small_name);  // why there is none of that name, with one that is near

}  // namespace pivotscope::viz
