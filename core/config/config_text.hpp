// A config as words: its one-line form, JSON, the axes for GUI and help, and check().
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/outcome.hpp"
#include "core/config/index_config.hpp"

namespace pivotscope {

// Why `config` is refused, in a sentence; nothing when it is accepted. The one place that knows.
std::optional<std::string> check(const index_config& config);

// What speaks against an accepted config, in a sentence; nothing for most.
std::optional<std::string> caution(const index_config& config);

// The nearest accepted config: each refused axis is moved to its closest legal value, in the order of axes(), but
// `keep` (an axis name, or empty) stays as it is.
index_config nearest_accepted(index_config config, std::string_view keep = {});

// "EO+KS fanout=17 lanes=8": the method, then what differs from the method's defaults (KS: fanout 9, lanes K - 1;
// BS: fanout 2, lanes 1; keys u32, layout aos, threads 256, per_thread 1).
std::string to_line(const index_config& config);
outcome<index_config> config_from_line(std::string_view line);  // also runs check()

void to_json(nlohmann::json& json, const index_config& config);
outcome<index_config> config_from_json(const nlohmann::json& json);

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

}  // namespace pivotscope
