#include "core/memory_benchmark/memory_benchmark_store.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/common/json_store.hpp"
#include "core/common/json_words.hpp"

namespace pivotscope {
namespace {

constexpr json_store_words words{"floors", "What was measured before of devices", "The floor",
                                 "the next `pivotscope floor`"};

nlohmann::json point_json(const benchmark_point& point) {
  nlohmann::json json;
  for (const figure& f : figures_of(point)) json[std::string(f.name)] = json_value(f);
  return json;
}

// A count, or the library's exception: get() would make one of any number, of 1e300 as well.
u64 count_in(const nlohmann::json& json, const char* name) {
  return json.at(name).get_ref<const nlohmann::json::number_unsigned_t&>();
}

double time_in(const nlohmann::json& json, const char* name) {
  const double ms = json.at(name).get<double>();
  return std::isfinite(ms) && ms >= 0 ? ms : -1;
}

// Into the point that this one is of: what is asked may have become another question since.
bool take_point(const nlohmann::json& json, benchmark_point& point) {
  const nlohmann::json of = point_json(point);
  for (const char* name : {"kind", "array_bytes", "request_bytes", "lanes"})
    if (json.at(name) != of.at(name)) return false;
  point.requests = count_in(json, "requests"), point.threads = count_in(json, "threads");
  point.runs = count_in(json, "runs");
  point.ms = time_in(json, "ms"), point.lower_quartile_ms = time_in(json, "lower_quartile_ms");
  point.upper_quartile_ms = time_in(json, "upper_quartile_ms");
  return point.ms >= 0 && point.lower_quartile_ms >= 0 && point.upper_quartile_ms >= 0 &&
         (point.runs == 0 || point.ms > 0);
}

bool is_of(const nlohmann::json& entry, machine_kind kind, const std::string& name,
           const std::optional<std::string>& driver) {
  const nlohmann::json& machine = entry.at("machine");
  return machine.at("kind") == machine_name(kind) && machine.at("name") == name &&
         (!driver || machine.at("driver") == *driver);
}

}  // namespace

std::filesystem::path memory_benchmark_path(const std::string& cache_folder) {
  return cached_file(cache_folder, "floors.json");
}

void to_json(nlohmann::json& json, const memory_benchmark& what) {
  json = {{"program", what.by.program},
          {"commit", what.by.commit},
          {"machine",
           {{"kind", machine_name(what.kind)},
            {"name", what.name},
            {"driver", what.driver},
            {"processors", what.processors},
            {"l2_bytes", what.l2_bytes}}},
          {"clocks", what.clocks},
          {"seconds", what.seconds},
          {"points", nlohmann::json::array()}};
  for (const benchmark_point& point : what.points) json["points"].push_back(point_json(point));
}

outcome<memory_benchmark> memory_benchmark_from_json(const nlohmann::json& json) {
  try {
    const nlohmann::json& machine = json.at("machine");
    const std::string kind = machine.at("kind").get<std::string>();
    if (kind != machine_name(machine_kind::cpu) && kind != machine_name(machine_kind::cuda))
      return problem{"an unknown machine"};
    memory_benchmark out{.kind = kind == machine_name(machine_kind::cpu) ? machine_kind::cpu : machine_kind::cuda};
    out.by = {json.value("program", ""), json.value("commit", "")};  // which came later than the list
    out.name = machine.at("name").get<std::string>(), out.driver = machine.at("driver").get<std::string>();
    out.processors = static_cast<u32>(count_in(machine, "processors")), out.l2_bytes = count_in(machine, "l2_bytes");
    out.clocks = json.at("clocks").get<std::string>(), out.seconds = json.at("seconds").get<double>();
    out.points = benchmark_points(out.kind);
    const nlohmann::json& points = json.at("points");
    if (!points.is_array() || points.size() != out.points.size()) return problem{"it has other points"};
    for (std::size_t i = 0; i < points.size(); ++i)
      if (!take_point(points[i], out.points[i])) return problem{fmt::format("point {} is not the one asked for", i)};
    return out;
  } catch (const nlohmann::json::exception& e) {
    return problem{json_words(e)};
  }
}

kept_memory_benchmark load_memory_benchmark(const std::filesystem::path& path, machine_kind kind,
                                            const std::string& name, const std::optional<std::string>& driver) {
  const json_store_entries kept = read_json_store(path, words);
  if (!kept.note.empty()) return {.note = kept.note};
  for (const nlohmann::json& entry : kept.entries) {
    try {
      if (!is_of(entry, kind, name, driver)) continue;
    } catch (const nlohmann::json::exception&) {
      continue;
    }
    outcome<memory_benchmark> found = memory_benchmark_from_json(entry);
    if (found) return {.found = std::move(*found)};
    return {.note = fmt::format("What was measured before of {}, in {}, cannot be used ({}); `pivotscope floor` "
                                "measures it anew.",
                                name, path.string(), found.error().words)};
  }
  return {.note = kept.damaged};
}

outcome<std::string> keep_memory_benchmark(const std::filesystem::path& path, const memory_benchmark& what) {
  return add_to_json_store(
      path, words, what, [&](const nlohmann::json& entry) { return is_of(entry, what.kind, what.name, what.driver); });
}

figure_line figures_of(const benchmark_point& point) {
  using hint = figure_hint;
  const gather_question& asked = point.asked;
  const bool latency = point.kind == benchmark_kind::latency;
  figure_builder out;
  out.text("kind", std::string(floor_name(point.kind)));
  out.count("array_bytes", asked.bytes);
  out.count("request_bytes", asked.copy ? 0 : asked.request_bytes());
  out.count("lanes", asked.lanes);
  out.count("requests", point.requests);
  out.count("threads", point.threads);
  out.count("runs", point.runs);
  out.value("ms", hint::milliseconds, point.ms);
  out.value("lower_quartile_ms", hint::milliseconds, point.lower_quartile_ms);
  out.value("upper_quartile_ms", hint::milliseconds, point.upper_quartile_ms);
  out.value("per_second", hint::rate, point.per_second());
  out.value("step_ns", hint::ratio, latency ? std::optional(point.step_ns()) : std::nullopt);
  return out.take();
}

std::string memory_benchmark_csv(const memory_benchmark& what) {
  const auto line_of = [&](const benchmark_point& point) {
    figure_builder of_all;
    of_all.text("machine", std::string(machine_name(what.kind)));
    of_all.text("device", what.name);
    of_all.text("driver", what.driver);
    of_all.text("clocks", what.clocks);
    of_all.text("program", what.by.program);
    of_all.text("commit", what.by.commit);
    return joined(figures_of(point), of_all.take());
  };
  std::vector<figure_line> lines;
  for (const benchmark_point& point : what.points)
    if (point.measured()) lines.push_back(line_of(point));
  return csv_of(line_of({}), lines);
}

}  // namespace pivotscope
