// Configs that the code of the host is compiled for, so that the compiler turns a node into vector instructions; all
// others it reads while it runs.
#pragma once

#include "core/config/index_config.hpp"

// A function with all that it calls compiled into it, for what a few loads and branches are the whole work of.
#if defined(NDEBUG)
#define PIVOTSCOPE_FLATTEN [[gnu::flatten]]
#else  // a sanitizer's build would take minutes longer
#define PIVOTSCOPE_FLATTEN
#endif

namespace pivotscope {

// A family's hot configs: with<width>(config, f) returns f(a static config) if there is one that works as `config` does,
// and otherwise f(the dynamic config). Here no config is a constant.
struct no_hot_configs {
  template <key_width, class Config, class F>
  static auto with(const Config& config, F&& f) {
    return f(dynamic_config{config});
  }
};

// Returns f(a static or the dynamic config, a key of its width).
template <class Hot, class Config, class F>
auto with_hot_config(const Config& config, F&& f) {
  return config.keys == key_width::u32
             ? Hot::template with<key_width::u32>(config, [&](auto search) { return f(search, u32{}); })
             : Hot::template with<key_width::u64>(config, [&](auto search) { return f(search, u64{}); });
}

// Returns f(a static or the dynamic config, a key of its width), for writes and what goes beside them.
template <class Hot, class Config, class F>
auto with_hot_config_of_writes(const Config& config, F&& f) {
  if constexpr (requires { Hot::writes_as_usual(config); }) {
    if (!Hot::writes_as_usual(config)) return with_hot_config<no_hot_configs>(config, f);
  }
  return with_hot_config<Hot>(config, f);
}

}  // namespace pivotscope
