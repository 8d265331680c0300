#include "app/cli/printed_json.hpp"

#include <nlohmann/json.hpp>

#include "app/built/this_program.hpp"
#include "app/cli/output.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/trace/trace_source.hpp"

namespace pivotscope {
namespace {

using nlohmann::json;

constexpr int format = 1;
constexpr int runs_format = 2;  // of `run`: its figures are a list of name, hint and value

void put(const json& value) {
  // Names from files and systems may be no UTF-8: replace what is not rather than throw. Nothing but ASCII: a terminal
  // takes some other letters for orders.
  print(value.dump(2, ' ', true, json::error_handler_t::replace));
  print("\n");
}

std::string_view width_name(key_width width) { return width == key_width::u32 ? "u32" : "u64"; }

json with_line(const index_config& config) {
  json fields;
  to_json(fields, config);
  return {{"config", fields}, {"config_line", to_line(config)}};
}

json advised(const index_config& config, const std::vector<advice_reason>& reasons) {
  json list = json::array();
  for (const advice_reason& reason : reasons) list.push_back({{"words", reason.words}, {"source", reason.source}});
  json out = with_line(config);
  out["reasons"] = list;
  return out;
}

json machine_of(const machine_report& report) {
  json out = {{"kind", machine_name(report.kind)}, {"available", report.available}};
  if (!report.available) {
    out["why_not"] = report.why_not;
    return out;
  }
  out["name"] = report.info.name;
  out["detail"] = report.info.detail;
  out["driver"] = report.info.driver;
  out["processors"] = report.info.processors;
  out["memory_bytes"] = report.info.memory_bytes;
  out["l2_bytes"] = report.info.l2_bytes;
  out["compute_capability"] = report.info.compute_capability;
  out["max_threads_per_block"] = report.info.max_threads_per_block;
  return out;
}

json traced_of(const traced_rays& one, const ray_record& of) {
  json out = {{"tracer", one.tracer}};
  if (!one.why_not.empty()) {
    out["why_not"] = one.why_not;
    return out;
  }
  if (!one.failed.empty()) {
    out["failed"] = one.failed;
    return out;
  }
  out["name"] = one.name, out["on"] = one.runs_on, out["caution"] = one.caution, out["sharing"] = one.sharing;
  out["wrong"] = one.others;
  if (one.others > 0) {
    out["first_wrong"] = one.first_other;
    return out;
  }
  out["build_ms"] = one.cost.build_ms, out["upload_ms"] = one.cost.upload_ms, out["bytes"] = one.cost.bytes;
  out["trace_ms"] = one.times.trace_ms, out["copy_ms"] = one.times.upload_ms;
  out["handover_ms"] = one.times.handover_ms;
  const auto per_second = [&](u64 count) {
    return one.times.trace_ms == 0 ? json() : json(static_cast<double>(count) / (one.times.trace_ms / 1000));
  };
  out["rays_per_second"] = per_second(of.rays()), out["lookups_per_second"] = per_second(of.lookups);
  return out;
}

json rays_of(const ray_row& row) {
  json out = with_line(row.config), tracers = json::array();
  for (const traced_rays& one : row.record.by) tracers.push_back(traced_of(one, row.record));
  out["lookups"] = row.record.lookups, out["triangles"] = row.record.triangles;
  out["index_build_ms"] = row.record.index_build_ms;
  out["rounds"] = row.record.rounds;
  out["tracers"] = tracers;
  return out;
}

json traffic_of(const traffic_row& row, const std::string& model_words) {
  json out = with_line(row.config);
  out["wrong"] = row.check.wrong;
  if (row.check.wrong > 0) return out;
  json counted;
  to_json(counted, row.counted);
  out["model"] = prediction_json(row.prediction, model_words);
  out.update(counted);
  if (row.lengths) out["lengths"] = *row.lengths;
  return out;
}

// What was run: which program, over what, and how.
json runs_of(const run_request& request, const std::string& workload_words, const std::vector<made_workload>& all_made,
             u64 wrong, const json& records) {
  json made = json::array();
  for (const made_workload& one : all_made)
    made.push_back({{"keys", width_name(one.width)}, {"keys_ms", one.keys_ms}, {"lookups_ms", one.batch_ms}});
  const std::optional<stopping_options>& until = request.batch.until;
  const measured_by by = this_program();
  return {{"format", runs_format},
          {"program", by.program},
          {"commit", by.commit},
          {"workload", workload_words},
          {"seed", request.load.seed},
          {"repeats", until ? json("auto") : json(request.batch.repeats)},
          {"most_noise", until ? json(until->noise) : json()},
          {"most_seconds", until ? json(until->seconds) : json()},
          {"warm_ups", request.batch.warm_ups},
          {"cold", request.batch.cold},
          {"made", made},
          {"wrong", wrong},
          {"results", records}};
}

}  // namespace

void print_json(const workload_facts& facts, const machine_info& on, const advice& given) {
  json out = advised(given.config, given.reasons);
  out["format"] = format;
  out["facts"] = {{"keys", facts.keys},
                  {"key_width", width_name(facts.width)},
                  {"input_bytes", input_bytes(facts)},
                  {"ascending", facts.ascending},
                  {"smallest", facts.smallest},
                  {"short_rebuild", facts.short_rebuild},
                  {"range_share", facts.range_share},
                  {"range_entries", facts.range_entries}};
  out["machine"] = {{"kind", machine_name(on.kind)}, {"name", on.name}, {"l2_bytes", on.l2_bytes}};
  out["measured"] = given.measured ? advised(*given.measured, given.measured_reasons) : json();
  put(out);
}

void print_json(std::span<const machine_report> machines, std::string_view best, std::span<const nvrtc_place> search) {
  json list = json::array(), places = json::array();
  for (const machine_report& report : machines) list.push_back(machine_of(report));
  for (const nvrtc_place& place : search) {
    places.push_back({{"place", place.root}, {"why", place.why}, {"found", place.files}});
  }
  put(json{{"format", format}, {"machines", list}, {"best", best}, {"nvrtc_search", places}});
}

void print_json(const run_request& request, const run_results& results) {
  json records = json::array();
  u64 wrong = 0;
  for (const run_record& record : results.records) {
    wrong += record.check.wrong;
    to_json(records.emplace_back(), record);
  }
  put(runs_of(request, request.options.words(request.load), results.made, wrong, records));
}

void print_json(const run_request& request, const script_results& results) {
  json records = json::array();
  u64 wrong = 0;
  for (const script_record& record : results.records) {
    wrong += record.wrong();
    to_json(records.emplace_back(), record);
  }
  put(runs_of(request, to_line(request.options.in_full(request.load)), results.made, wrong, records));
}

void print_json(const lookup_trace& trace, u64 wrong, bool with_source) {
  json out;
  to_json(out, trace);
  if (with_source) add_source(out, trace);
  out["wrong"] = wrong;
  put(out);
}

void print_json(std::string_view workload_words, const traffic_machine& modelled, std::span<const traffic_row> rows) {
  u64 wrong = 0;
  json results = json::array();
  const std::string model = traffic_model_words(modelled.rates);
  for (const traffic_row& row : rows) wrong += row.check.wrong, results.push_back(traffic_of(row, model));
  const measured_by by = this_program();
  put(json{{"format", format},
           {"program", by.program},
           {"commit", by.commit},
           {"workload", workload_words},
           {"modelled",
            {{"l1_bytes", modelled.l1_bytes},
             {"l2_bytes", modelled.l2_bytes},
             {"processors", modelled.processors},
             {"rates", {{"device", modelled.rates.device}, {"built_in", modelled.rates.built_in}}}}},
           {"wrong", wrong},
           {"results", results}});
}

void print_json(std::string_view workload_words, std::span<const ray_row> rows) {
  json results = json::array();
  for (const ray_row& row : rows) results.push_back(rays_of(row));
  const measured_by by = this_program();
  put(json{{"format", format},
           {"program", by.program},
           {"commit", by.commit},
           {"workload", workload_words},
           {"results", results}});
}

void print_json(std::string_view workload_words, const tuning& done, int wrong) {
  json out = done;
  out["format"] = format;
  out["workload"] = workload_words;
  out["wrong"] = wrong;
  put(out);
}

void print_json(const verify_result& result, machine_kind on, std::string_view failing) {
  json out = {{"format", format},
              {"machine", machine_name(on)},
              {"seed", result.seed},
              {"cases", result.cases},
              {"keys", result.counts.keys},
              {"operations", result.counts.operations},
              {"traces", result.counts.traces},
              {"wrong", result.failure ? 1 : 0}};
  for (const operation kind : read_operations) out[std::string(info_of(kind).field)] = result.counts.of(kind);
  if (result.failure) out["failing"] = {{"command", failing}, {"words", result.failure->second.words}};
  put(out);
}

}  // namespace pivotscope
