#include "core/run/run_record.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/index/config_text.hpp"
#include "core/run/json_parts.hpp"
#include "core/run/run_figures.hpp"

namespace pivotscope {
namespace {

nlohmann::json times_json(const run_record& record) {
  nlohmann::json times = nlohmann::json::array();
  if (!record.sort.name.empty()) times.push_back(time_json(record.sort));
  for (const stage_time& build : record.builds) times.push_back(time_json(build));
  times.push_back(time_json(record.time));
  if (!record.route.samples_ms.empty()) times.push_back(time_json(record.route));
  if (!record.part.samples_ms.empty()) times.push_back(time_json(record.part));
  for (const stage_time& time : record.row_times) times.push_back(time_json(time));
  return times;
}

// As they are shown: name, hint and value of each.
nlohmann::json figures_json(const figure_line& line) {
  nlohmann::json figures = nlohmann::json::array();
  for (const figure& f : line)
    if (f.name != "problem")  // a record that has one has no figures
      figures.push_back({{"name", f.name}, {"hint", hint_name(f.hint)}, {"value", json_value(f)}});
  return figures;
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
  const bool sums = answer_of(record.kind) == answer_kind::sum;
  const auto many = [&](operation kind) { return record.kind == kind ? record.operations : 0; };
  nlohmann::json config;
  to_json(config, record.config);
  json = {{"config", config},
          {"config_line", to_line(record.config)},
          {"machine", machine_json(record.machine)},
          {"keys", record.keys},
          {"checked", record.checked},
          {"wrong", record.check.wrong}};
  for (const operation kind : read_operations) json[std::string(info_of(kind).field)] = many(kind);
  // A wrong index has no figures.
  if (record.check.wrong > 0) {
    json["first_wrong"] = record.check.first_wrong;
    return;
  }
  // Each value once: what has a field of its own beside the list has it from there.
  const figure_line figures = figures_of(record);
  const auto put = [&](const std::string& field, std::string_view name) {
    json[field] = json_value(figure_of(figures, name));
  };
  if (record.checked) put("found", "found");
  put("held", "held");
  json["bytes"] = {{"index", record.index_bytes}};
  for (const index_region& region : record.regions) json["bytes"][region.id] = region.bytes();
  json["figures"] = figures_json(figures);
  json["times"] = times_json(record);
  json["conditions"] = conditions_json(record.conditions);
  put(fmt::format("{}_per_second", info_of(record.kind).field), "per_second");
  if (sums) put("entries", "entries"), put("entries_per_second", "entries_per_second");
  json["kernels"] = nlohmann::json::array();
  for (const kernel_info& kernel : record.kernels) json["kernels"].push_back(kernel_json(kernel));
}

}  // namespace pivotscope
