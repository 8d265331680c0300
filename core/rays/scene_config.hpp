// What configs of families with a scene have in common: x_bits, y_bits, y_scale and z_scale say where triangles are. An
// index knows that by itself, and no search of it depends on them.
#pragma once

#include "core/config/index_config.hpp"

namespace pivotscope {

// Returns the config with the standard's places of triangles.
template <class Config>
constexpr Config without_places(Config config) {
  const Config standard{};
  config.x_bits = standard.x_bits, config.y_bits = standard.y_bits;
  config.y_scale = standard.y_scale, config.z_scale = standard.z_scale;
  return config;
}

// The searches of such a family that are compiled for their config: those of its standard one, in both widths. All others
// read it while they run.
template <class Config>
struct scene_hot_configs {
  // Returns f(the static config) if it searches as `config` does, else f(the dynamic config). Keys is its width.
  template <key_width Keys, class F>
  static bool with(const Config& config, F&& f) {
    if (without_places(config) == Config{.keys = Keys}) return f(static_config<Config{.keys = Keys}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace pivotscope
