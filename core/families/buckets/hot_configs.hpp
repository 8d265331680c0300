// The searches of `buckets` that are compiled for their config; all others read it while they run.
#pragma once

#include "core/families/buckets/config.hpp"

namespace pivotscope {

struct buckets_hot_configs {
  // f(a static config) where there is one that searches as `config` does, else f(the dynamic config). Keys is its
  // width. Lanes are a loop here, which the fewest go through as well as more.
  template <key_width Keys, class F>
  static auto with(const buckets_config& config, F&& f) {
    const bool plain = config.layout == cell_layout::aos && config.duplicates == kept_duplicates::off &&
                       config.launch.reorder == reorder_kind::none;
    if (plain && config.slab == 8) return f(static_config<buckets_config{.keys = Keys, .lanes = 1, .slab = 8}>{});
    if (plain && config.slab == 16) return f(static_config<buckets_config{.keys = Keys, .lanes = 2, .slab = 16}>{});
    return f(dynamic_config{config});
  }
};

}  // namespace pivotscope
