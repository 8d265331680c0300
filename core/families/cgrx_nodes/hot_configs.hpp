// The searches of `cgrx_nodes` that are compiled for their config; all others read it while they run.
#pragma once

#include "core/families/cgrx_nodes/config.hpp"

namespace pivotscope {

struct cgrx_nodes_hot_configs {
  // f(a static config) where there is one that searches as `config` does, else f(the dynamic config). Keys is its
  // width.
  template <key_width Keys, class F>
  static bool with(const cgrx_nodes_config& config, F&& f) {
    cgrx_nodes_config standard{.keys = Keys};
    standard.x_bits = config.x_bits, standard.y_bits = config.y_bits;  // an index says where its triangles are
    standard.y_scale = config.y_scale, standard.z_scale = config.z_scale;
    if (config == standard) return f(static_config<cgrx_nodes_config{.keys = Keys}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace pivotscope
