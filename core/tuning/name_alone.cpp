#include "core/tuning/name_alone.hpp"

#include "core/index/axes.hpp"

namespace pivotscope {

u64 cache_of(const machine_info& on) { return on.l2_bytes != 0 ? on.l2_bytes : assumed_cache; }

bool has_large_scratch(const machine_info& on) {
  const u32 c = on.compute_capability;
  return on.kind == machine_kind::cuda && (c == 0 || c == 80 || (c >= 90 && c < 110));
}

index_config config_for(const typed_config& typed, u64 keys, const machine_info& on) {
  if (!typed.name_alone) return typed.config;
  const key_width width = typed.config.keys;
  index_config named = family_of(typed.config)
                           .named({.machine = on.kind,
                                   .keys = keys,
                                   .width = width,
                                   .cache_bytes = cache_of(on),
                                   .large_scratch = has_large_scratch(on)});
  named.keys = width;
  return named;
}

index_config config_for(const typed_config& typed, u64 keys, machine_kind on, std::span<const machine_report> found) {
  machine_info info;
  info.kind = on;
  for (const machine_report& report : found)
    if (report.kind == on && report.available) info = report.info;
  return config_for(typed, keys, info);
}

std::string words_of(const typed_config& typed) {
  return typed.name_alone ? method_name(typed.config) : to_line(typed.config);
}

}  // namespace pivotscope
