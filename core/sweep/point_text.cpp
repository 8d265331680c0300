#include "core/sweep/point_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/common/json_words.hpp"
#include "core/common/sealed_json.hpp"
#include "core/index/config_text.hpp"
#include "core/run/json_parts.hpp"

namespace pivotscope {
namespace {

constexpr int file_format = 2;  // 1 had no checksum

// A count, or the library's exception: get() would make one of any number, of 1e300 as well.
u64 whole_number(const nlohmann::json& json, const char* name) {
  return json.at(name).get_ref<const nlohmann::json::number_unsigned_t&>();
}

nlohmann::json json_of(const sweep_point& point, const tuned_config& one) {
  return {{"config", point.name_of(one)},
          {"index_bytes", one.index_bytes},
          {"build_ms", one.build_ms},
          {"build_stages", to_text(one.build_stages)},
          {"operations", one.operations},
          {"last_batch_ms", one.last_batch_ms ? nlohmann::json(*one.last_batch_ms) : nlohmann::json()},
          {"samples_ms", one.samples_ms},
          {"beats_next", one.beats_next},
          {"stopped", stop_name(one.how.why)},
          {"thrown_away", one.how.thrown_away},
          {"held_back", one.how.held_back},
          {"held", one.held ? nlohmann::json(*one.held) : nlohmann::json()}};
}

outcome<tuned_config> config_from(const nlohmann::json& json, const sweep_row& row) {
  tuned_config one{.finalist = true};
  if (!row.program()) {  // which has none
    const outcome<index_config> config = config_from_line(json.at("config").get<std::string>());
    if (!config) return config.error();
    one.config = *config;
  }
  one.index_bytes = whole_number(json, "index_bytes");
  one.build_ms = json.at("build_ms").get<double>();
  one.operations = whole_number(json, "operations");
  one.samples_ms = json.at("samples_ms").get<std::vector<double>>();
  one.beats_next = json.at("beats_next").get<bool>();
  if (one.samples_ms.empty()) return problem{"a config without times"};
  for (const double ms : one.samples_ms)
    if (!std::isfinite(ms) || ms < 0) return problem{"a time that is none"};
  // Which came later than the format.
  one.how.why = stop_of_name(json.value("stopped", "")), one.how.held_back = json.value("held_back", false);
  if (json.contains("thrown_away")) one.how.thrown_away = whole_number(json, "thrown_away");
  if (json.contains("held") && !json.at("held").is_null()) one.held = whole_number(json, "held");
  if (json.contains("last_batch_ms") && !json.at("last_batch_ms").is_null()) {
    one.last_batch_ms = json.at("last_batch_ms").get<double>();
    if (!std::isfinite(*one.last_batch_ms) || *one.last_batch_ms < 0) return problem{"a time that is none"};
  }
  outcome<std::vector<named_time>> stages = named_times_from_text(json.value("build_stages", ""));
  if (!stages) return stages.error();
  one.build_stages = std::move(*stages);
  one.how.drift = drift_of(one.samples_ms);
  return one;
}

nlohmann::json json_of(const hardware_counters& counters) {
  nlohmann::json json = {{"occupancy", counters.occupancy},
                         {"instructions", counters.instructions},
                         {"cycles_per_instruction", counters.cycles_per_instruction}};
  if (counters.memory)
    for (const memory_counter& one : all_memory_counters) json["memory"][one.name] = (*counters.memory).*one.value;
  return json;
}

outcome<memory_counters> memory_from(const nlohmann::json& json) {
  memory_counters memory;
  for (const memory_counter& one : all_memory_counters) {
    const double value = json.at(one.name).get<double>();
    if (!may_be(one, value)) return problem{fmt::format("a counter {} that is none", one.name)};
    memory.*one.value = value;
  }
  return memory;
}

outcome<hardware_counters> counters_from(const nlohmann::json& json) {
  hardware_counters counters{.occupancy = json.at("occupancy").get<double>(),
                             .instructions = whole_number(json, "instructions"),
                             .cycles_per_instruction = json.at("cycles_per_instruction").get<double>()};
  const double cycles = counters.warp_cycles();
  if (!(counters.occupancy >= 0 && counters.occupancy <= 1) || !std::isfinite(cycles) || cycles < 0)
    return problem{"counters that are none"};
  if (!json.contains("memory")) return counters;  // which came later than the others
  const outcome<memory_counters> memory = memory_from(json.at("memory"));
  if (!memory) return memory.error();
  counters.memory = *memory;
  return counters;
}

outcome<sweep_point> point_from(const nlohmann::json& json, const sweep_row& row) {
  if (json.at("row") != row.id) return problem{fmt::format("it is of the row {}", json.at("row").get<std::string>())};
  if (json.at("workload") != to_line(row.load)) return problem{"it is of another workload"};
  sweep_point point{.row = row};
  outcome<machine_info> machine = machine_from_json(json.at("machine"));
  if (!machine) return machine.error();
  point.machine = std::move(*machine);
  for (const nlohmann::json& entry : json.at("ranking")) {
    outcome<tuned_config> one = config_from(entry, row);
    if (!one) return one.error();
    point.ranking.push_back(std::move(*one));
  }
  for (const nlohmann::json& entry : json.at("rejected")) {
    const outcome<index_config> config = config_from_line(entry.at("config").get<std::string>());
    if (!config) return config.error();
    point.rejected.push_back({*config, entry.at("wrong").get<bool>(), entry.at("words").get<std::string>()});
  }
  if (!json.at("advised").is_null()) {
    const outcome<index_config> config = config_from_line(json.at("advised").get<std::string>());
    if (!config) return config.error();
    point.advised = *config;
  }
  if (!json.at("advised_alone").is_null()) {
    outcome<tuned_config> one = config_from(json.at("advised_alone"), row);
    if (!one) return one.error();
    point.advised_alone = std::move(*one);
  }
  point.clocks = json.at("clocks").get<std::string>();
  point.governor = json.value("governor", "");
  if (json.contains("load") && !json.at("load").is_null()) point.load = json.at("load").get<double>();
  point.model_rate = json.at("model_rate").get<double>();
  point.model_bound = json.at("model_bound").get<std::string>();
  point.model_words = json.value("model_words", "");  // which came later than the format
  point.sectors = json.value("sectors", 0.0);         // as this did
  if (!std::isfinite(point.sectors) || point.sectors < 0) return problem{"a number of sectors that is none"};
  point.counters_problem = json.value("counters_problem", "");  // and the counters
  if (json.contains("counters") && !json.at("counters").is_null()) {
    const outcome<hardware_counters> counters = counters_from(json.at("counters"));
    if (!counters) return counters.error();
    point.counters = *counters;
  }
  point.sort_ms = json.at("sort_ms").get<double>();
  point.library_sort_ms = json.value("library_sort_ms", 0.0);
  if (json.contains("write_ms") && !json.at("write_ms").is_null()) {  // which came later than the format
    point.write_ms = json.at("write_ms").get<double>();
    if (!std::isfinite(*point.write_ms) || *point.write_ms < 0) return problem{"a time of writing that is none"};
  }
  if (json.contains("rays_ms") && !json.at("rays_ms").is_null()) {  // and this
    point.rays_ms = json.at("rays_ms").get<double>();
    if (!std::isfinite(*point.rays_ms) || *point.rays_ms < 0) return problem{"a time of rays that is none"};
  }
  point.device_bytes = whole_number(json, "device_bytes");
  point.prepared_s = json.at("prepared_s").get<double>(), point.took_s = json.at("took_s").get<double>();
  point.problem = json.at("problem").get<std::string>(), point.wrong = json.at("wrong").get<bool>();
  if (point.wrong && point.best() != nullptr) return problem{"it has figures of wrong answers"};
  return point;
}

}  // namespace

std::string point_text(const sweep_point& point) {
  nlohmann::json ranking = nlohmann::json::array(), rejected = nlohmann::json::array();
  for (const tuned_config& one : point.ranking) ranking.push_back(json_of(point, one));
  for (const tuning_reject& one : point.rejected)
    rejected.push_back({{"config", to_line(one.config)}, {"wrong", one.wrong}, {"words", one.words}});
  const nlohmann::json advised = point.advised ? nlohmann::json(to_line(*point.advised)) : nlohmann::json();
  const nlohmann::json alone = point.advised_alone ? json_of(point, *point.advised_alone) : nlohmann::json();
  const nlohmann::json all = {{"format", file_format},
                              {"row", point.row.id},
                              {"workload", to_line(point.row.load)},
                              {"machine", machine_json(point.machine)},
                              {"ranking", ranking},
                              {"rejected", rejected},
                              {"advised", advised},
                              {"advised_alone", alone},
                              {"clocks", point.clocks},
                              {"governor", point.governor},
                              {"load", point.load ? nlohmann::json(*point.load) : nlohmann::json()},
                              {"model_rate", point.model_rate},
                              {"model_bound", point.model_bound},
                              {"model_words", point.model_words},
                              {"sectors", point.sectors},
                              {"counters", point.counters ? json_of(*point.counters) : nlohmann::json()},
                              {"counters_problem", point.counters_problem},
                              {"sort_ms", point.sort_ms},
                              {"library_sort_ms", point.library_sort_ms},
                              {"write_ms", point.write_ms ? nlohmann::json(*point.write_ms) : nlohmann::json()},
                              {"rays_ms", point.rays_ms ? nlohmann::json(*point.rays_ms) : nlohmann::json()},
                              {"device_bytes", point.device_bytes},
                              {"prepared_s", point.prepared_s},
                              {"took_s", point.took_s},
                              {"problem", point.problem},
                              {"wrong", point.wrong}};
  return sealed(all.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

outcome<nlohmann::json> point_json(std::string_view text) { return parse_sealed(text, file_format); }

outcome<sweep_point> point_from_text(std::string_view text, const sweep_row& row) {
  const outcome<nlohmann::json> json = point_json(text);
  if (!json) return json.error();
  try {
    return point_from(*json, row);
  } catch (const nlohmann::json::exception& e) {
    return problem{json_words(e)};
  }
}

}  // namespace pivotscope
