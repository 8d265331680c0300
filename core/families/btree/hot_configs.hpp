// The searches of `btree` that are compiled for their config; all others read it while they run.
#pragma once

#include "core/families/btree/config.hpp"

namespace pivotscope {

struct btree_hot_configs {
  // Whether writes do as those of the configs below, whose other knobs are the usual ones.
  static bool writes_as_usual(const btree_config& c) {
    return c == btree_config{.keys = c.keys,
                             .lanes = c.lanes,
                             .node = c.node,
                             .fill = c.fill,
                             .layout = c.layout,
                             .duplicates = c.duplicates,
                             .look = c.look,
                             .scratch = c.scratch,
                             .launch = c.launch};
  }
  // f(a static config) where there is one that searches as `config` does, else f(the dynamic config). Keys is its
  // width. Lanes are a loop here, which the fewest go through as well as more.
  template <key_width Keys, class F>
  static auto with(const btree_config& config, F&& f) {
    const bool plain = config.layout == cell_layout::aos && !keeps_all(config) && config.scratch == 0 &&
                       config.launch.reorder == reorder_kind::none;
    if (plain && config.node == 8) return f(static_config<btree_config{.keys = Keys, .lanes = 1, .node = 8}>{});
    if (plain && config.node == 16) return f(static_config<btree_config{.keys = Keys, .lanes = 2, .node = 16}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace pivotscope
