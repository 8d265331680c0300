// A config as text: its one-line form and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/common/outcome.hpp"
#include "core/config/index_config.hpp"

namespace pivotscope {

// Returns a config's line, "EO+KS fanout=17 lanes=8": the method, then what differs from the method's defaults (KS:
// fanout 9, lanes K - 1; BS: fanout 2, lanes 1; keys u32, layout aos, threads 256, per_thread 1). If a family's method
// names depend on the number of keys (family::named()), its lines have at least one knob: "PACKED leaf=64".
std::string to_line(const index_config& config);
outcome<index_config> config_from_line(std::string_view line);  // also runs check()

// A config as a user types it.
struct typed_config {
  typed_config(const index_config& c, bool alone = false) : config(c), name_alone(alone) {}
  index_config config;  // of a name alone, the family's default
  // True if it is only a method, with or without keys=, which stands for what family::named() says:
  // core/tuning/name_alone.hpp.
  bool name_alone = false;
};
outcome<typed_config> typed_config_from_line(std::string_view line);

void to_json(nlohmann::json& json, const index_config& config);
outcome<index_config> config_from_json(const nlohmann::json& json);

}  // namespace pivotscope
