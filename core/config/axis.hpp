// One knob of a config, as the window, the config's line, JSON and the help know it; and the axes that all families have:
// the key width and the launch.
#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config/index_config.hpp"

namespace pivotscope {

// Values are text, as in the config's line.
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

inline constexpr u32 least_threads = 64, greatest_threads = 1024;
inline constexpr u32 greatest_per_thread = 16;
inline constexpr u32 greatest_blocks_per_sm = 32;

// "keys", "threads", "per_thread", "schedule", "blocks_per_sm" or "reorder". A family's list takes those that it can.
axis common_axis(std::string_view name);

// Why the launch is refused, in a sentence; nothing when it is accepted.
std::optional<std::string> check_launch(const launch_config& launch);
// Moves what check_launch() refuses to the closest legal value; `keep` (an axis name, or empty) stays as it is.
void accept_launch(launch_config& launch, std::string_view keep);

// With the blocks that reordering wants (lightweight, Section 5.2): 128 threads and 16 lookups each.
launch_config launch_for_reordering(launch_config launch);

// A decimal number, whole; nothing for anything else.
std::optional<u32> parse_u32(std::string_view text);
std::string no_explanation(std::string_view value);

// An axis' get and set where the knob is the number itself.
template <u32 Knob>
std::string get_knob(const index_config& c) {
  return std::to_string(c.knobs[Knob]);
}
template <u32 Knob>
bool set_knob(index_config& c, std::string_view text) {
  const auto value = parse_u32(text);
  if (value) c.knobs[Knob] = *value;
  return value.has_value();
}

// Names of an enumeration's values, in its order.
template <class Enum>
struct value_names {
  std::span<const std::string_view> names;
  std::string of(Enum value) const { return std::string(names[static_cast<std::size_t>(value)]); }
  bool set(Enum& value, std::string_view text) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == text) return value = static_cast<Enum>(i), true;
    }
    return false;
  }
  std::vector<std::string> all() const { return {names.begin(), names.end()}; }
};

}  // namespace pivotscope
