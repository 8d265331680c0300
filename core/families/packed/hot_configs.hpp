// The searches of `packed` that are compiled for their config; all others read it while they run.
#pragma once

#include "core/families/packed/config.hpp"

namespace pivotscope {

struct packed_hot_configs {
  // f(a static config) where there is one that searches as `config` does, else f(the dynamic config). Keys is its
  // width. Lanes are a loop here, which one lane goes through as well as several.
  template <key_width Keys, class F>
  static bool with(const packed_config& config, F&& f) {
    const bool plain = config.block == 16 && config.scratch == 0 && config.launch.reorder == reorder_kind::none;
    if (plain && config.leaf == 32) return f(static_config<packed_config{.keys = Keys, .leaf = 32, .lanes = 1}>{});
    if (plain && config.leaf == 64) return f(static_config<packed_config{.keys = Keys, .leaf = 64, .lanes = 1}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace pivotscope
