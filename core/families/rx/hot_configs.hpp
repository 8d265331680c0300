// The searches of `rx` that are compiled for their config.
#pragma once

#include "core/families/rx/config.hpp"
#include "core/rays/scene_config.hpp"

namespace pivotscope {

struct rx_hot_configs {
  // As scene_hot_configs. Searches do not ask how the scene came to be.
  template <key_width Keys, class F>
  static bool with(rx_config config, F&& f) {
    config.updates = rx_config{}.updates;
    return scene_hot_configs<rx_config>::with<Keys>(config, f);
  }
};

}  // namespace pivotscope
