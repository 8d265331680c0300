#include "core/run/json_parts.hpp"

#include <string_view>

namespace pivotscope {
namespace {

std::string_view origin_name(kernel_info::source origin) {
  switch (origin) {
    case kernel_info::source::none:
      return "none";
    case kernel_info::source::compiled:
      return "compiled";
    case kernel_info::source::disk_cache:
      return "disk cache";
    case kernel_info::source::memory_cache:
      return "memory cache";
  }
  return "none";
}

}  // namespace

nlohmann::json time_json(const stage_time& time) {
  return {{"stage", time.name},
          {"median_ms", time.median()},
          {"least_ms", time.least()},
          {"greatest_ms", time.greatest()},
          {"samples_ms", time.samples_ms}};
}

nlohmann::json kernel_json(const kernel_info& kernel) {
  return {{"name", kernel.name},
          {"registers", kernel.registers},
          {"shared_bytes", kernel.shared_bytes},
          {"local_bytes", kernel.local_bytes},
          {"blocks_per_sm", kernel.blocks_per_sm},
          {"occupancy", kernel.occupancy},
          {"compile_ms", kernel.compile_ms},
          {"origin", origin_name(kernel.origin)}};
}

nlohmann::json machine_json(const machine_info& info) {
  return {{"kind", machine_name(info.kind)},
          {"name", info.name},
          {"detail", info.detail},
          {"processors", info.processors},
          {"memory_bytes", info.memory_bytes},
          {"l2_bytes", info.l2_bytes},
          {"compute_capability", info.compute_capability}};
}

}  // namespace pivotscope
