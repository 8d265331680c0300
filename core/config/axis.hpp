// axis: one knob of a config, as the window, the config's line, JSON and the help show it. Also here: the axes that all
// families share, which are the key width and the launch.
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

// An axis's values are text, as in the config's line.
struct axis {
  std::string name;                          // as in the config's line: "fanout"
  std::string title;                         // for a label: "Fanout K"
  std::string sentence;                      // what it is, for a newcomer
  std::vector<std::string> values;           // suggestions, in order; of a number the usual ones
  std::optional<std::pair<u32, u32>> range;  // set if the axis is a number: least and greatest value, both legal
  std::string (*get)(const index_config&);
  bool (*set)(index_config&, std::string_view);    // false: not a value of this axis. Does not run check().
  std::string (*explain)(std::string_view value);  // a sentence on one value; may be empty
  // Values that a user may set though they make answers wrong, so that one can see what goes wrong, or what it costs to
  // be right. Nothing proposes or draws them; the family's caution() tells of them.
  std::vector<std::string> wrong_values = {};
};

inline constexpr u32 least_threads = 64, greatest_threads = 1024;
inline constexpr u32 greatest_per_thread = 16;
inline constexpr u32 greatest_blocks_per_sm = 32;

// Returns the axis "keys", "threads", "per_thread", "schedule", "blocks_per_sm" or "reorder". A family
// lists those that apply to it.
axis common_axis(std::string_view name);

// Returns why the launch is refused, in a sentence; nothing if it is accepted.
std::optional<std::string> check_launch(const launch_config& launch);
// Moves every value that check_launch() refuses to the closest legal one. `keep` (an axis's name,
// or empty) stays as it is.
void accept_launch(launch_config& launch, std::string_view keep);

// Returns the launch with the block size that reordering needs (lightweight, Section 5.2): 128
// threads, 16 lookups each.
launch_config launch_for_reordering(launch_config launch);

// Reads a whole decimal number; nothing for any other text.
std::optional<u32> parse_u32(std::string_view text);
std::string no_explanation(std::string_view value);

// get and set of an axis whose knob is the number itself.
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

// The names of an enumeration's values, in the order of the enumeration.
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
