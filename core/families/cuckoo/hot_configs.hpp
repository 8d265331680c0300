// The searches of `cuckoo` that are compiled for their config; all others read it while they run.
#pragma once

#include "core/families/cuckoo/config.hpp"

namespace pivotscope {

struct cuckoo_hot_configs {
  // f(a static config) where there is one that works as `config` does, else f(the dynamic config). Keys is its width.
  // Lanes are a loop here, which one lane goes through as well as several.
  template <key_width Keys, class F>
  static auto with(const cuckoo_config& config, F&& f) {
    const bool plain =
        evicts(config) && config.layout == cell_layout::aos && config.launch.reorder == reorder_kind::none;
    const cuckoo_config usual;
    if (plain && config.bucket == usual.bucket && config.homes == usual.homes && config.stash == usual.stash &&
        config.walk == usual.walk)
      return f(static_config<cuckoo_config{.keys = Keys, .lanes = 1}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace pivotscope
