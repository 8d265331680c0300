// The fields of a config as knobs: their names, values and sentences, for the window, the config's line and the help.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config/index_config.hpp"

namespace pivotscope {

std::string method_name(const index_config& config);  // "AO+PB+KS"
std::span<const std::string> method_names();          // those that some config is accepted for

// One knob of a config. Values are text, as in the config's line.
struct axis {
  std::string name;                          // as in the line: "fanout"
  std::string title;                         // for a label: "Fanout K"
  std::string sentence;                      // what it is, for a stranger
  std::vector<std::string> values;           // suggestions, in order; for a number the usual ones
  std::optional<std::pair<u32, u32>> range;  // set for a number: least and greatest
  std::string (*get)(const index_config&);
  bool (*set)(index_config&, std::string_view);    // false: not a value of this axis. Does not run check().
  std::string (*explain)(std::string_view value);  // a sentence on one value; may be empty
};
std::span<const axis> axes();  // the first is the method
const axis* find_axis(std::string_view name);

std::string scratch_text(u32 bytes);  // "48KiB", or "1000" where it is not whole KiB

}  // namespace pivotscope
