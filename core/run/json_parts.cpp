#include "core/run/json_parts.hpp"

#include <algorithm>
#include <string_view>

#include "core/run/run_figures.hpp"

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
  nlohmann::json json;
  for (const figure& f : figures_of(time)) json[std::string(f.name)] = json_value(f);
  json["held_back"] = time.how.held_back;
  json["samples_ms"] = time.samples_ms;
  return json;
}

nlohmann::json conditions_json(const measuring_conditions& met) {
  return {{"clocks", met.clocks},
          {"governor", met.governor},
          {"load", met.load ? nlohmann::json(*met.load) : nlohmann::json()},
          {"bound_threads", met.bound_threads},
          {"blocked", met.blocked ? nlohmann::json(*met.blocked) : nlohmann::json()}};
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
  return {{"kind", machine_name(info.kind)}, {"name", info.name},
          {"detail", info.detail},           {"driver", info.driver},
          {"processors", info.processors},   {"memory_bytes", info.memory_bytes},
          {"l2_bytes", info.l2_bytes},       {"compute_capability", info.compute_capability}};
}

outcome<machine_info> machine_from_json(const nlohmann::json& json) {
  // get() would make a count of any number, of 1e300 as well.
  const auto count = [&](const char* name) -> u64 {
    return json.at(name).get_ref<const nlohmann::json::number_unsigned_t&>();
  };
  const auto small = [&](const char* name) { return static_cast<u32>(std::min<u64>(count(name), ~0u)); };
  machine_info info;
  const std::string kind = json.at("kind").get<std::string>();
  if (kind != machine_name(machine_kind::cpu) && kind != machine_name(machine_kind::cuda))
    return problem{"an unknown machine"};
  info.kind = kind == machine_name(machine_kind::cpu) ? machine_kind::cpu : machine_kind::cuda;
  info.name = json.at("name").get<std::string>(), info.detail = json.at("detail").get<std::string>();
  info.driver = json.value("driver", "");
  info.processors = small("processors"), info.memory_bytes = count("memory_bytes"), info.l2_bytes = count("l2_bytes");
  info.compute_capability = small("compute_capability");
  return info;
}

}  // namespace pivotscope
