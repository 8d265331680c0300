#include "core/run/run_record.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

nlohmann::json time_json(const stage_time& time) {
  return {{"stage", time.name},
          {"median_ms", time.median()},
          {"least_ms", time.least()},
          {"greatest_ms", time.greatest()},
          {"samples_ms", time.samples_ms}};
}

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

nlohmann::json times_json(const run_record& record) {
  nlohmann::json times = nlohmann::json::array();
  if (!record.sort.name.empty()) times.push_back(time_json(record.sort));
  for (const stage_time& build : record.builds) times.push_back(time_json(build));
  times.push_back(time_json(record.time));
  for (const stage_time& time : record.row_times) times.push_back(time_json(time));
  return times;
}

double per_second(u64 count, double ms) { return ms > 0 ? static_cast<double>(count) / ms * 1e3 : 0; }

}  // namespace

double run_record::build_ms() const {
  double sum = 0;
  for (const stage_time& part : builds) sum += part.median();
  return sum;
}
double run_record::operations_per_second() const { return per_second(operations, time.median()); }
double run_record::entries_per_second() const { return per_second(entries, time.median()); }

void to_json(nlohmann::json& json, const run_record& record) {
  const bool of_ranges = record.kind == operation::range;
  const auto many = [&](operation kind) { return record.kind == kind ? record.operations : 0; };
  nlohmann::json config;
  to_json(config, record.config);
  json = {{"config", config},
          {"config_line", to_line(record.config)},
          {"machine",
           {{"kind", machine_name(record.machine.kind)},
            {"name", record.machine.name},
            {"detail", record.machine.detail},
            {"processors", record.machine.processors},
            {"memory_bytes", record.machine.memory_bytes},
            {"l2_bytes", record.machine.l2_bytes},
            {"compute_capability", record.machine.compute_capability}}},
          {"keys", record.keys},
          {"lookups", many(operation::find)},
          {"ranges", many(operation::range)},
          {"successors", many(operation::successor)},
          {"checked", record.checked},
          {"wrong", record.check.wrong}};
  // A wrong index has no figures.
  if (record.check.wrong > 0) {
    json["first_wrong"] = record.check.first_wrong;
    return;
  }
  if (record.checked) json["found"] = record.check.found;
  json["bytes"] = {{"index", record.index_bytes}};
  for (const index_region& region : record.regions) json["bytes"][region.id] = region.bytes();
  json["times"] = times_json(record);
  json[fmt::format("{}_per_second", operation_noun(record.kind))] = record.operations_per_second();
  if (of_ranges) {
    json["entries"] = record.entries;
    json["entries_per_second"] = record.entries_per_second();
  }
  json["kernels"] = nlohmann::json::array();
  for (const kernel_info& kernel : record.kernels) json["kernels"].push_back(kernel_json(kernel));
}

}  // namespace pivotscope
