#include "core/run/run_figures.hpp"

#include <fmt/format.h>

#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

double sum_of_medians(const std::vector<stage_time>& times) {
  double sum = 0;
  for (const stage_time& time : times) sum += time.median();
  return sum;
}

double rate(u64 count, double ms) { return static_cast<double>(count) / ms * 1e3; }

}  // namespace

figure_line figures_of(const stage_time& time) {
  using hint = figure_hint;
  const sample_summary of = time.summary();
  figure_builder out;
  const auto if_run = [&](double ms) {
    return of.count > 0 ? std::optional(ms) : std::nullopt;
  };  // else it was not done
  out.text("stage", time.name);
  out.value("median_ms", hint::milliseconds, if_run(of.median));
  out.value("lower_quartile_ms", hint::milliseconds, if_run(of.lower_quartile));
  out.value("upper_quartile_ms", hint::milliseconds, if_run(of.upper_quartile));
  out.value("least_ms", hint::milliseconds, if_run(of.least));
  out.value("greatest_ms", hint::milliseconds, if_run(of.greatest));
  out.count("runs", of.count);
  out.value("noise", hint::share, of.noise);
  out.text("stopped", std::string(stop_name(time.how.why)));
  out.count("thrown_away", time.how.thrown_away);
  out.value("drift", hint::share, time.how.drift);
  return out.take();
}

figure_line figures_of(const run_record& record) {
  using hint = figure_hint;
  const bool right = record.check.wrong == 0, timed = right && !record.time.samples_ms.empty();
  const bool sums = answer_of(record.kind) == answer_kind::sum;
  const sample_summary of = record.time.summary();
  const sampling& how = record.time.how;
  const measuring_conditions& met = record.conditions;
  const auto if_right = [&](bool known, double value) {
    return right && known ? std::optional<double>(value) : std::nullopt;
  };
  const auto if_timed = [&](double value) { return if_right(timed, value); };
  const auto rate_at = [&](double ms) { return if_right(timed && ms > 0, ms > 0 ? rate(record.operations, ms) : 0); };
  figure_builder out;
  out.text("config", to_line(record.config));
  out.text("machine", std::string(machine_name(record.machine.kind)));
  out.text("device", record.machine.name);
  out.count("keys", record.keys);
  out.text("key_width", record.config.keys == key_width::u32 ? "u32" : "u64");
  out.text("asked", std::string(operation_noun(record.kind)));
  out.count("operations", record.operations);
  out.value("per_second", hint::rate, if_timed(record.operations_per_second()));
  out.value("lower_quartile", hint::rate, rate_at(of.upper_quartile));
  out.value("upper_quartile", hint::rate, rate_at(of.lower_quartile));
  out.value("median_ms", hint::milliseconds, if_timed(of.median));
  out.value("least_ms", hint::milliseconds, if_timed(of.least));
  out.value("greatest_ms", hint::milliseconds, if_timed(of.greatest));
  out.count("runs", right ? std::optional<u64>(of.count) : std::nullopt);
  out.value("noise", hint::share, of.noise ? if_timed(*of.noise) : std::nullopt);
  out.text("stopped", timed ? std::string(stop_name(how.why)) : "");
  out.count("thrown_away", right ? std::optional<u64>(how.thrown_away) : std::nullopt);
  out.value("index_bytes", hint::bytes, if_right(true, static_cast<double>(record.index_bytes)));
  out.value("sort_ms", hint::milliseconds, if_right(!record.sort.samples_ms.empty(), record.sort.median()));
  out.value("build_ms", hint::milliseconds, if_right(true, record.build_ms()));
  out.value("route_ms", hint::milliseconds, if_right(!record.route.samples_ms.empty(), record.route.median()));
  out.value("rays_ms", hint::milliseconds, if_right(record.part.name == "rays", record.part.median()));
  out.value("rows_ms", hint::milliseconds, if_right(!record.row_times.empty(), sum_of_medians(record.row_times)));
  out.count("entries", right && sums ? std::optional<u64>(record.entries) : std::nullopt);
  out.value("entries_per_second", hint::rate, sums ? if_timed(record.entries_per_second()) : std::nullopt);
  out.count("found", right && record.checked ? std::optional<u64>(record.check.found) : std::nullopt);
  out.count("held", right ? record.held : std::nullopt);
  out.text("clocks", met.clocks);
  out.text("governor", met.governor);
  out.value("load", hint::ratio, met.load);
  out.count("wrong", record.check.wrong);
  out.text("problem", record.check.first_wrong);
  return out.take();
}

figure_line figures_of(const machine_info& on, const run_head& head) {
  const std::optional<stopping_options>& until = head.batch.until;
  figure_builder out;
  out.text("driver", on.driver);
  out.text("workload", head.workload);
  out.count("seed", head.seed);
  out.text("repeats", until ? "auto" : fmt::format("{}", head.batch.repeats));
  out.value("most_noise", figure_hint::share, until ? std::optional(until->noise) : std::nullopt);
  out.value("most_seconds", figure_hint::seconds, until ? std::optional(until->seconds) : std::nullopt);
  out.count("warm_ups", head.batch.warm_ups);
  out.text("cold", head.batch.cold ? "true" : "false");
  out.text("program", head.by.program);
  out.text("commit", head.by.commit);
  return out.take();
}

std::string run_csv(std::span<const run_record> records, const run_head& head) {
  const auto line_of = [&](const run_record& record) {
    return joined(figures_of(record), figures_of(record.machine, head));
  };
  std::vector<figure_line> lines;
  for (const run_record& record : records) lines.push_back(line_of(record));
  return csv_of(line_of(run_record{}), lines);
}

}  // namespace pivotscope
