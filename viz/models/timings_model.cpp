#include "viz/models/timings_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/tuning/batch_to_time.hpp"
#include "viz/words/format.hpp"

namespace pivotscope::viz {

namespace {

bool same_machine(const session_run& a, const session_run& b) {
  return a.record.machine.kind == b.record.machine.kind && a.record.machine.name == b.record.machine.name;
}

}  // namespace

bool is_of(const session_run& run, const session_choice& choice) {
  return run.record.check.wrong == 0 && run.record.config == choice.config && run.load == choice.load &&
         run.record.machine.kind == choice.machine;
}

bool same_question(const session_run& a, const session_run& b) { return a.load == b.load && same_machine(a, b); }

run_history history_of(const std::vector<session_run>& runs, std::size_t most) {
  run_history history;
  for (auto run = runs.rbegin(); run != runs.rend() && history.runs.size() < most; ++run) {
    if (same_question(*run, runs.back()))
      history.runs.push_back(&*run);
    else
      ++history.left_out;
  }
  std::reverse(history.runs.begin(), history.runs.end());
  return history;
}

bool can_be_baseline(const session_run& run) {
  return run.record.check.wrong == 0 && run.record.time.samples_ms.size() >= few_samples;
}

std::string too_few_words(const session_run& run) {
  const run_record& r = run.record;
  return too_few_to_time(
      {r.keys, r.kind, r.operations, r.operations == 0 ? 0 : r.entries / r.operations, r.machine.kind});
}

beside_baseline beside(const session_run& baseline, const session_run& run) {
  if (baseline.number == run.number) return {.words = "This is the baseline", .same_axis = true};
  if (!same_machine(baseline, run))
    return {.words = fmt::format("The baseline was measured on {}", baseline.record.machine.name)};
  if (!same_question(baseline, run)) return {.words = "The baseline is of another workload"};
  if (!too_few_words(run).empty())
    return {.words = fmt::format("Can't tell: {} {} are too few to time", short_count(run.record.operations),
                                 operation_noun(run.record.kind)),
            .same_axis = true};
  const speed_comparison c = compare_speeds(baseline.record.time.samples_ms, run.record.time.samples_ms);
  return {c.says, capitalised(c.words("the baseline")), true};
}

std::string middle_half_text(const sample_summary& of) {
  std::string from = ms_text(of.lower_quartile);
  std::string to = ms_text(of.upper_quartile);
  if (from == to) return to;
  const std::size_t unit = to.rfind(' ');
  if (unit != to.npos && from.ends_with(to.substr(unit))) from.erase(from.size() - (to.size() - unit));
  return fmt::format("{} to {}", from, to);
}

std::string conditions_words(const measuring_conditions& met) {
  std::vector<std::string> lines;
  if (!met.clocks.empty()) lines.push_back(fmt::format("Clocks at its end: {}.", met.clocks));
  if (!met.governor.empty()) lines.push_back(fmt::format("Governor of the processors: {}.", met.governor));
  if (met.load) lines.push_back(fmt::format("Load of this computer as it began: {:.2f}.", *met.load));
  if (met.bound_threads > 0)
    lines.push_back(fmt::format("{} kept to a processor of {} own.", counted(met.bound_threads, "thread"),
                                met.bound_threads == 1 ? "its" : "their"));
  if (met.blocked)
    lines.push_back(*met.blocked ? "Launching the kernel is not in the times."
                                 : "Launching the kernel is in the times.");
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace pivotscope::viz
