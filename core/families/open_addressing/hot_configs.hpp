// The searches of `open_addressing` that are compiled for their config; all others read it while they run.
#pragma once

#include "core/families/open_addressing/config.hpp"

namespace pivotscope {

struct open_addressing_hot_configs {
  // f(a static config) where there is one that works as `config` does, else f(the dynamic config). Keys is its width.
  // Lanes are a loop here, which one lane goes through as well as several.
  template <key_width Keys, class F>
  static auto with(const open_addressing_config& config, F&& f) {
    const bool plain = config.layout == cell_layout::aos && config.launch.reorder == reorder_kind::none;
    const bool linear = config.probing == probing_kind::linear, twice = config.probing == probing_kind::twice;
    if (plain && config.window == 4 && linear) return f(static_config<of<Keys>(4, probing_kind::linear)>{});
    if (plain && config.window == 8 && linear) return f(static_config<of<Keys>(8, probing_kind::linear)>{});
    if (plain && config.window == 8 && twice) return f(static_config<of<Keys>(8, probing_kind::twice)>{});
    return f(dynamic_config{config});
  }

 private:
  template <key_width Keys>
  static constexpr open_addressing_config of(u32 window, probing_kind probing) {
    return {.keys = Keys, .lanes = 1, .window = window, .probing = probing};
  }
};

}  // namespace pivotscope
