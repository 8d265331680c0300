#include "core/measure/autotuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/config/config_text.hpp"
#include "core/measure/tuning_candidates.hpp"
#include "core/reference/answer_checker.hpp"

namespace pivotscope {
namespace {

key_array first_of(const key_array& all, u64 count) {
  return all.visit([count](const auto& keys) {
    return key_array(
        std::remove_cvref_t<decltype(keys)>(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count)));
  });
}

// Lookups, and the answers to them that were checked: the same answers need no second check.
struct batch {
  const key_array* lookups = nullptr;
  std::vector<u32> right;
};

class tuner {
 public:
  tuner(machine& on, const key_array& keys, const tuning_options& options, const job_control& control)
      : on_(on), checker_(keys), options_(options), control_(control), inner_([this](std::string_view, double) {
          if (control_.cancelled()) inner_.cancel();
        }) {}

  outcome<tuning> run(std::shared_ptr<const resident_keys> resident, const key_array& lookups) {
    const auto began = options_.now();
    if (lookups.size() == 0) return problem{"There are no lookups to time: a workload to tune for needs some"};
    if (!resident) {
      auto loaded = on_.load(checker_.keys(), control_);
      if (!loaded) return loaded.error();
      resident = std::move(*loaded);
    }
    resident_ = std::move(resident);
    first_lookups_ = first_of(lookups, std::min(lookups.size(), slice_size()));
    slice_.lookups = &first_lookups_;
    all_.lookups = &lookups;

    std::vector<index_config> candidates = options_.candidates;
    const bool own = candidates.empty();
    if (own)
      candidates = tuning_candidates(on_.info().kind, checker_.keys().size(), checker_.keys().width(),
                                     options_.ascending, options_.smallest);
    const u32 nearby =
        own ? options_.leaders * static_cast<u32>(configs_near(index_config{}, on_.info().kind).size()) : 0;
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

    result_.kind = on_.info().kind;
    result_.machine = on_.info().name;
    result_.keys = checker_.keys().size();
    result_.lookups = lookups.size();
    result_.width = checker_.keys().width();
    result_.ascending = options_.ascending;
    result_.smallest = options_.smallest;
    result_.seconds = seconds_between(began, options_.now());
    return std::move(result_);
  }

 private:
  u64 slice_size() const {
    if (options_.slice != 0) return options_.slice;
    return on_.info().kind == machine_kind::cuda ? 1ull << 22 : 1ull << 16;
  }

  // A run on all lookups is worth as many on the slice as it is longer.
  double fine_weight() const {
    const double coarse = static_cast<double>(slice_.lookups->size()) * (options_.coarse_repeats + 1);
    return std::max(1.0, static_cast<double>(all_.lookups->size()) * (options_.repeats + 1) / coarse);
  }
  void plan(std::size_t coarse) {
    planned_ = static_cast<u32>(coarse) + options_.finalists * options_.rounds;
    whole_ = static_cast<double>(coarse) + options_.finalists * options_.rounds * fine_weight();
  }
  void tell(const std::string& stage, std::size_t i, std::size_t of, const index_config& config) {
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

  status measure_finalists() {
    const std::size_t count = std::min<std::size_t>(options_.finalists, result_.ranking.size());
    std::vector<tuned_config> finalists;
    for (std::size_t i = 0; i < count; ++i)
      finalists.push_back({.config = result_.ranking[i].config, .finalist = true});
    result_.ranking.erase(result_.ranking.begin(), result_.ranking.begin() + static_cast<std::ptrdiff_t>(count));
    for (u32 round = 0; round < options_.rounds; ++round) {
      for (std::size_t i = 0; i < finalists.size(); ++i) {
        tuned_config& one = finalists[i];
        if (round > 0 && one.samples_ms.empty()) continue;  // out
        tell(fmt::format("round {} of {}, finalist", round + 1, options_.rounds), i, finalists.size(), one.config);
        if (status done = measure(one, all_, options_.repeats); !done) return done;
        ++done_, spent_ += fine_weight();
      }
    }
    std::erase_if(finalists, [](const tuned_config& one) { return one.samples_ms.empty(); });
    result_.ranking.insert(result_.ranking.end(), finalists.begin(), finalists.end());
    return fine();
  }

  // Adds runs to `one`; takes all of them away when an answer is wrong or the machine refuses. Problem: cancelled.
  status measure(tuned_config& one, batch& on_these, u32 repeats) {
    const auto out = [&](bool wrong, const std::string& words) -> status {
      if (control_.cancelled()) return job_control::cancelled_problem();
      one.samples_ms.clear();
      result_.rejected.push_back({one.config, wrong, words});
      return fine();
    };
    if (control_.cancelled()) return job_control::cancelled_problem();
    const auto index = on_.build(one.config, resident_, inner_);
    if (!index) return out(false, index.error().words);
    const outcome<lookup_result> looked_up =
        on_.lookup(**index, *on_these.lookups, {.repeats = repeats, .warm_ups = 1}, inner_);
    if (!looked_up) return out(false, looked_up.error().words);
    if (on_these.right.empty() || looked_up->answers != on_these.right) {
      const check_report checked = checker_.lookups(*on_these.lookups, looked_up->answers, inner_);
      if (control_.cancelled()) return job_control::cancelled_problem();
      if (checked.wrong > 0)
        return out(true, fmt::format("{} of {} answers are wrong: {}", checked.wrong, on_these.lookups->size(),
                                     checked.first_wrong));
      if (on_these.right.empty()) on_these.right = looked_up->answers;
    }
    one.lookups = on_these.lookups->size();
    one.index_bytes = (*index)->bytes();
    one.build_ms = 0;
    for (const stage_time& stage : (*index)->build_times()) one.build_ms += stage.median();
    one.samples_ms.insert(one.samples_ms.end(), looked_up->time.samples_ms.begin(), looked_up->time.samples_ms.end());
    return fine();
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
  const answer_checker checker_;
  const tuning_options& options_;
  const job_control& control_;
  job_control inner_;  // the machine's own stages are not shown; the user's cancel goes through
  std::shared_ptr<const resident_keys> resident_;
  key_array first_lookups_;
  batch slice_, all_;
  tuning result_;
  u32 done_ = 0, planned_ = 0;
  double spent_ = 0, whole_ = 0;
};

}  // namespace

outcome<tuning> tune(machine& on, const key_array& keys, std::shared_ptr<const resident_keys> resident,
                     const key_array& lookups, const tuning_options& options, const job_control& control) {
  return tuner(on, keys, options, control).run(std::move(resident), lookups);
}

}  // namespace pivotscope
