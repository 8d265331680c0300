// The searches of `gph` that are compiled for their config; all others read it while they run.
#pragma once

#include "core/families/gph/config.hpp"

namespace pivotscope {

struct gph_hot_configs {
  // f(a static config) where there is one that works as `config` does, else f(the dynamic config). Keys is its width.
  // Lanes are a loop here, which one lane goes through as well as several; a processor's loads have no hints.
  template <key_width Keys, class F>
  static auto with(const gph_config& config, F&& f) {
    const gph_config usual;
    if (config.bucket == usual.bucket && config.virtuals == usual.virtuals && config.bits == usual.bits &&
        config.layout == usual.layout && config.hashing == usual.hashing && config.requests == usual.requests &&
        config.phases == usual.phases && config.scratch == 0 && config.launch.reorder == reorder_kind::none)
      return f(static_config<gph_config{.keys = Keys, .lanes = 1}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace pivotscope
