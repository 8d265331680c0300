#include "core/tuning/autotuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/common/expect.hpp"
#include "core/index/config_text.hpp"
#include "core/run/standard_search.hpp"
#include "core/tuning/name_alone.hpp"
#include "core/tuning/tuning_candidates.hpp"

namespace pivotscope {
namespace {

struct timed_batch {
  const batch* asked = nullptr;
  std::optional<run_record>* right = nullptr;
};

class tuner {
 public:
  tuner(machine& on, const key_set& keys, const tuning_options& options, const job_control& control)
      : on_(on), keys_(keys), options_(options), control_(control) {}

  outcome<tuning> run(const batch& asked) {
    const auto began = options_.now();
    const std::string_view noun = operation_noun(asked.kind);
    if (asked.size() == 0)
      return problem{fmt::format("There are no {} to time: a workload to tune for needs some", noun)};
    first_ = first_of(asked, std::min(asked.size(), slice_size()));
    slice_ = {&first_, &known_.of_slice};
    all_ = {&asked, &known_.of_all};

    std::vector<index_config> candidates = options_.candidates;
    const bool own = candidates.empty();
    if (own)
      candidates = tuning_candidates({.machine = on_.info().kind,
                                      .keys = keys_.size(),
                                      .width = keys_.width(),
                                      .ascending = options_.ascending,
                                      .smallest = options_.smallest,
                                      .asked = asked.kind,
                                      .cache_bytes = cache_of(on_.info()),
                                      .large_scratch = has_large_scratch(on_.info())});
    const u32 nearby =
        own ? options_.leaders * static_cast<u32>(configs_near(default_config(), on_.info().kind).size()) : 0;
    plan(candidates.size() + nearby);

    if (status looked = look_at(candidates, "first look"); !looked) return looked.error();
    rank(result_.ranking);
    if (own) {
      const std::vector<index_config> near = near_the_leaders();
      plan(candidates.size() + near.size());
      if (status looked = look_at(near, "near the best"); !looked) return looked.error();
      rank(result_.ranking);
    }
    if (status measured = measure_finalists(); !measured) return measured.error();
    rank(result_.ranking);
    if (result_.ranking.empty()) return nothing_left();
    if (status measured = measure_standard(); !measured) return measured.error();

    result_.kind = on_.info().kind;
    result_.machine = on_.info().name;
    result_.detail = on_.info().detail, result_.driver = on_.info().driver;
    result_.keys = keys_.size();
    result_.asked = asked.kind;
    result_.operations = asked.size();
    result_.width = keys_.width();
    result_.ascending = options_.ascending;
    result_.smallest = options_.smallest;
    result_.seconds = seconds_between(began, options_.now());
    return std::move(result_);
  }

 private:
  u64 slice_size() const {
    if (options_.slice != 0) return options_.slice;
    return on_.info().kind == machine_kind::cuda ? 1ull << 24 : 1ull << 16;
  }

  // A run of the whole batch is worth as many of the slice as it is longer.
  double fine_weight() const {
    const double coarse = static_cast<double>(slice_.asked->size()) * (options_.coarse_repeats + 1);
    return std::max(1.0, static_cast<double>(all_.asked->size()) * (options_.rounds.repeats + 1) / coarse);
  }
  void plan(std::size_t coarse) {
    planned_ = static_cast<u32>(coarse) + options_.finalists * options_.rounds.least;
    whole_ = static_cast<double>(coarse) + options_.finalists * options_.rounds.least * fine_weight();
  }
  void tell(const std::string& stage, std::size_t i, std::size_t of, const index_config& config) {
    PIVOTSCOPE_EXPECT(i < of);
    control_.progress("tuning", whole_ > 0 ? std::min(spent_ / whole_, 1.0) : -1);
    if (options_.report)
      options_.report({done_, planned_, fmt::format("{} {} of {}: {}", stage, i + 1, of, to_line(config))});
  }

  status look_at(const std::vector<index_config>& configs, const std::string& stage) {
    for (std::size_t i = 0; i < configs.size(); ++i) {
      tell(stage, i, configs.size(), configs[i]);
      tuned_config one{.config = configs[i]};
      if (status done = measure(one, slice_, options_.coarse_repeats); !done) return done;
      if (!one.samples_ms.empty()) result_.ranking.push_back(std::move(one));
      ++done_, spent_ += 1;
    }
    return fine();
  }

  std::vector<index_config> near_the_leaders() const {
    std::vector<index_config> list;
    const auto known = [&](const index_config& config) {
      return std::find(list.begin(), list.end(), config) != list.end() ||
             std::any_of(result_.ranking.begin(), result_.ranking.end(),
                         [&](const tuned_config& c) { return c.config == config; }) ||
             std::any_of(result_.rejected.begin(), result_.rejected.end(),
                         [&](const tuning_reject& r) { return r.config == config; });
    };
    for (std::size_t i = 0; i < std::min<std::size_t>(options_.leaders, result_.ranking.size()); ++i) {
      for (const index_config& config : configs_near(result_.ranking[i].config, on_.info().kind)) {
        if (!known(config)) list.push_back(config);
      }
    }
    return list;
  }

  // The config that is in use is measured with the finalists, though it is none. True: it stays out of the ranking, being no
  // candidate.
  bool add_current(std::vector<tuned_config>& finalists) {
    if (!options_.current) return false;
    const index_config& config = *options_.current;
    const auto is_it = [&](const tuned_config& one) { return one.config == config; };
    if (std::any_of(finalists.begin(), finalists.end(), is_it)) return false;
    if (!family_of(config).serves(all_.asked->kind) || keys_.size() > family_of(config).sensible_keys(config) ||
        std::any_of(result_.rejected.begin(), result_.rejected.end(),
                    [&](const tuning_reject& out) { return out.config == config; }))
      return false;
    const auto looked_at = std::find_if(result_.ranking.begin(), result_.ranking.end(), is_it);
    const bool ranked = looked_at != result_.ranking.end();
    if (ranked) result_.ranking.erase(looked_at);
    finalists.push_back({.config = config, .finalist = true});
    planned_ += options_.rounds.least;
    whole_ += options_.rounds.least * fine_weight();
    return !ranked;
  }

  // What a program does without an index. Where there is no memory for it, it has no figure.
  status measure_standard() {
    if (!options_.standard_search || all_.asked->kind != operation::find) return fine();
    if (options_.report) options_.report({done_, planned_, standard_search_name});
    const batch_options how{.repeats = options_.coarse_repeats, .warm_ups = 1};
    const outcome<run_record> done = run_standard_search(keys_.checker(), *all_.asked, how, inner_);
    if (control_.cancelled()) return job_control::cancelled_problem();
    if (!done || done->check.wrong > 0) return fine();
    result_.standard = tuned_config{.index_bytes = done->index_bytes,
                                    .operations = all_.asked->size(),
                                    .samples_ms = done->time.samples_ms,
                                    .how = done->time.how,
                                    .finalist = true};
    return fine();
  }

  status measure_finalists() {
    const std::size_t count = std::min<std::size_t>(options_.finalists, result_.ranking.size());
    std::vector<tuned_config> finalists;
    for (std::size_t i = 0; i < count; ++i)
      finalists.push_back({.config = result_.ranking[i].config, .finalist = true});
    result_.ranking.erase(result_.ranking.begin(), result_.ranking.begin() + static_cast<std::ptrdiff_t>(count));
    const bool apart = add_current(finalists);
    const round_plan& plan = options_.rounds;
    rounds_rule rule(plan, finalists.size(), options_.now);
    while (rule.go_on()) {
      const u32 round = rule.rounds() + 1;
      const bool planned = round <= plan.least;  // how many there are beyond those nobody knows
      for (std::size_t i = 0; i < finalists.size(); ++i) {
        tuned_config& one = finalists[i];
        if (round > 1 && one.samples_ms.empty()) continue;  // out
        tell(fmt::format("round {} of {}, finalist", round,
                         planned ? fmt::format("{}", plan.least) : fmt::format("at most {}", plan.most)),
             i, finalists.size(), one.config);
        if (status done = measure(one, all_, plan.repeats); !done) return done;
        if (planned) ++done_, spent_ += fine_weight();
      }
      std::vector<std::span<const double>> samples(finalists.size());
      std::transform(finalists.begin(), finalists.end(), samples.begin(),
                     [](const tuned_config& one) { return std::span(one.samples_ms); });
      rule.add_round(samples);
    }
    result_.rounds = rule.rounds(), result_.repeats = plan.repeats;
    if (!plan.fixed())
      for (std::size_t i = 0; i < finalists.size(); ++i) finalists[i].how.why = rule.why(i);
    if (apart) {
      if (!finalists.back().samples_ms.empty()) result_.current = std::move(finalists.back());
      finalists.pop_back();
    }
    std::erase_if(finalists, [](const tuned_config& one) { return one.samples_ms.empty(); });
    result_.ranking.insert(result_.ranking.end(), finalists.begin(), finalists.end());
    return fine();
  }

  // Adds runs to `one`; takes all of them away when an answer is wrong or the machine refuses. Problem: cancelled.
  status measure(tuned_config& one, timed_batch& on_these, u32 repeats) {
    const auto out = [&](bool wrong, const std::string& words) -> status {
      if (control_.cancelled()) return job_control::cancelled_problem();
      one.samples_ms.clear();
      result_.rejected.push_back({one.config, wrong, words});
      return fine();
    };
    if (control_.cancelled()) return job_control::cancelled_problem();
    const batch& asked = *on_these.asked;
    const run_options options{.batch = {.repeats = repeats, .warm_ups = 1},
                              .right = *on_these.right ? &**on_these.right : nullptr};
    outcome<run_record> done = run_config(on_, one.config, keys_, asked, options, inner_);
    if (!done && done.error().ends_machine) return done.error();
    if (!done) return out(false, done.error().words);
    const check_report& check = done->check;
    if (check.wrong > 0)
      return out(true, fmt::format("{} of {} answers are wrong: {}", check.wrong, asked.size(), check.first_wrong));
    note_conditions(done->conditions);
    one.operations = asked.size();
    one.index_bytes = done->index_bytes;
    one.held = done->held;
    one.build_ms = done->build_ms();
    one.build_stages = named_times(done->builds);
    const bool first = one.samples_ms.empty();
    one.samples_ms.insert(one.samples_ms.end(), done->time.samples_ms.begin(), done->time.samples_ms.end());
    one.how = first ? done->time.how : joined(one.how, done->time.how, one.samples_ms);
    if (!*on_these.right) *on_these.right = std::move(*done);
    return fine();
  }

  void note_conditions(measuring_conditions& met) {
    measuring_conditions& all = result_.conditions;
    if (all.governor.empty() && !all.load) all = met;
    if (!met.clocks.empty()) all.clocks = met.clocks;
  }

  problem nothing_left() const {
    if (result_.rejected.empty()) return problem{"There is no config to measure"};
    const tuning_reject& first = result_.rejected.front();
    const bool wrong =
        std::any_of(result_.rejected.begin(), result_.rejected.end(), [](const auto& r) { return r.wrong; });
    return {fmt::format("None of {} configs could be measured; the first, {}: {}", result_.rejected.size(),
                        to_line(first.config), first.words),
            false, wrong};
  }

  machine& on_;
  const key_set& keys_;
  const tuning_options& options_;
  const job_control& control_;
  const job_control inner_ = job_control::part_of(control_);  // the machine's own stages are not shown
  known_answers own_;
  known_answers& known_ = options_.known ? *options_.known : own_;
  batch first_;
  timed_batch slice_, all_;  // of first_, of the whole
  tuning result_;
  u32 done_ = 0, planned_ = 0;
  double spent_ = 0, whole_ = 0;
};

}  // namespace

outcome<tuning> tune(machine& on, const key_set& keys, const batch& asked, const tuning_options& options,
                     const job_control& control) {
  return tuner(on, keys, options, control).run(asked);
}

}  // namespace pivotscope
