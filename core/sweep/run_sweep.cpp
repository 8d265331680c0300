#include "core/sweep/run_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "core/common/expect.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"
#include "core/machine/clocks.hpp"
#include "core/machine/device_memory.hpp"
#include "core/machine/timed_runs.hpp"
#include "core/run/load_workload.hpp"
#include "core/run/standard_search.hpp"
#include "core/sweep/sweep_shard.hpp"
#include "core/sweep/time_script.hpp"
#include "core/traffic/traffic.hpp"
#include "core/tuning/adviser.hpp"
#include "core/workload/make_script.hpp"

namespace pivotscope {
namespace {

// The parts of a workload that make its keys.
workload keys_alone(const workload& w) {
  return {.keys = w.keys,
          .dist = w.dist,
          .uniformity = w.uniformity,
          .repeat = w.repeat,
          .seed = w.seed,
          .exponent = w.dist == distribution::zipf ? w.exponent : workload{}.exponent,
          .own_keys = w.own_keys};
}

class runner {
 public:
  runner(const sweep& what, machine& on, const machine_source& machines, const sweep_options& options,
         const job_control& control, std::vector<sweep_point>& points)
      : what_(what), on_(on), machines_(machines), options_(options), control_(control), points_(points) {
    for (const sweep_row& row : what.rows)
      if (!is_measured(row)) whole_ += weight_of(scaled(row, options.scale), options.rounds.least);
  }

  status run(const each_point& each) {
    for (const sweep_row& row : what_.rows) {
      if (is_measured(row)) continue;
      sweep_point point{.row = scaled(row, options_.scale)};
      const auto began = options_.now();
      tell(point, "making keys", 0);
      const status measured = measure(point);
      if (control_.cancelled()) return job_control::cancelled_problem();
      // Nothing of this row's own: another process measures it.
      if (!measured && measured.error().ends_machine) return measured.error();
      if (!measured) {
        point.problem = measured.error().words;
        point.wrong = measured.error().wrong;
      }
      for (const tuning_reject& out : point.rejected)
        if (out.wrong && !point.wrong)
          point.wrong = true, point.problem = fmt::format("{}: {}", to_line(out.config), out.words);
      if (point.wrong) point.ranking.clear(), point.advised_alone.reset();
      point.took_s = seconds_between(began, options_.now());
      spent_ += weight_of(point.row, options_.rounds.least);
      const sweep_point& told = insert(std::move(point));
      for (sweep_point& one : points_) one.wants = tell_wants(one, points_);  // a row kept before may lean on this one
      if (status kept = each(told); !kept) return kept;
    }
    return fine();
  }

 private:
  bool is_measured(const sweep_row& row) const {
    return std::any_of(points_.begin(), points_.end(), [&](const sweep_point& p) { return p.row.id == row.id; });
  }

  // In the order of the rows, among those that were there before.
  const sweep_point& insert(sweep_point point) {
    const auto before = [&](const sweep_point& there) { return what_.row(there.row.id) < what_.row(point.row.id); };
    return *points_.insert(std::partition_point(points_.begin(), points_.end(), before), std::move(point));
  }

  void tell(const sweep_point& point, const std::string& words, double share) const {
    if (!options_.report) return;
    const double now = spent_ + share * weight_of(point.row, options_.rounds.least);
    options_.report({fmt::format("row {} of {}, {}: {}", points_.size() + 1, what_.rows.size(), point.row.id, words),
                     whole_ > 0 ? std::min(1.0, now / whole_) : 0});
  }

  outcome<machine*> machine_for(const sweep_row& row) {
    if (!row.on || *row.on == on_.info().kind) return &on_;
    std::unique_ptr<machine>& other = others_[*row.on];
    if (!other) {
      outcome<std::unique_ptr<machine>> opened = machines_.open(*row.on, {});
      if (!opened) return opened.error();
      other = std::move(*opened);
    }
    return other.get();
  }

  static bool sorts(const sweep_row& row) {
    return std::any_of(row.wants.begin(), row.wants.end(),
                       [](const want& w) { return w.what == measure::sort_and_build; });
  }
  // The keys of the row before, where they are the same; but what it is to sort them, and the memory for that, takes keys
  // that are not sorted yet.
  status load(machine& on, const sweep_row& row) {
    const workload wanted = keys_alone(row.load);
    if (!sorts(row) && set_ && set_of_ == wanted && set_->width() == row.width && set_on_ == &on) return fine();
    forget_batch();
    set_ = nullptr;  // frees its memory before more is taken
    forget_most_device_memory();
    outcome<loaded_key_set> loaded = load_keys(row.load, row.width, on, inner_);
    if (!loaded) return loaded.error();
    set_ = std::move(loaded->set), set_of_ = wanted, set_on_ = &on;
    return fine();
  }

  // The batch of the row before, where it is the same, with the answers that are known to be right.
  outcome<const batch*> batch_of(const sweep_row& row) {
    if (asked_ && asked_of_ == row.load) return &*asked_;
    forget_batch();
    outcome<loaded_workload> made = load_workload(row.load, row.width, *set_on_, inner_, true, set_);
    if (!made) return made.error();
    asked_ = std::move(made->asked), asked_of_ = row.load;
    return &*asked_;
  }
  void forget_batch() { asked_.reset(), known_ = {}, script_.reset(); }
  // The script of the row before, if it is the same.
  outcome<const script*> script_of(const sweep_row& row) {
    if (script_ && asked_of_ == row.load) return &*script_;
    forget_batch();
    outcome<script> made = make_script(set_->keys(), row.load, inner_);
    if (!made) return made.error();
    script_ = std::move(*made), asked_of_ = row.load;
    return &*script_;
  }

  outcome<std::vector<index_config>> configs_of(sweep_point& point) const {
    const sweep_row& row = point.row;
    std::vector<index_config> list;
    if (!row.configs_of.empty()) {
      const sweep_point* other = point_of(points_, row.configs_of);
      if (other == nullptr)
        return problem{fmt::format("{} was not measured, whose config it is about", row.configs_of)};
      list.push_back(other->best()->config);
    }
    for (const std::string& line : row.configs) {
      outcome<index_config> config = config_from_line(line);
      if (!config) return problem{fmt::format("{}: {}", line, config.error().words)};
      config->keys = row.width;
      if (auto refused = check(*config)) return problem{fmt::format("{}: {}", line, *refused)};
      list.push_back(*config);
    }
    if (!row.advised) return list;
    point.advised = advise(facts_of(row.load, row.width), point.machine).best();
    return list;
  }

  status measure(sweep_point& point) {
    const sweep_row& row = point.row;
    const auto began = options_.now();
    outcome<machine*> on = machine_for(row);
    if (!on) return on.error();
    point.machine = (*on)->info();
    if (row.gather_lanes != 0) return measure_gather(point, **on);
    outcome<std::vector<index_config>> configs = configs_of(point);
    if (!configs) return configs.error();
    const std::vector<index_config> own = *configs;
    const bool beside = point.advised && std::find(own.begin(), own.end(), *point.advised) == own.end();
    if (beside) configs->push_back(*point.advised);
    forget_most_device_memory();
    if (status loaded = load(**on, row); !loaded) return loaded;
    if (sorts(row)) {
      const outcome<stage_time> alone = (**on).library_sort(*set_->resident(), inner_);
      if (!alone) return alone.error();
      if (!alone->samples_ms.empty()) point.library_sort_ms = alone->median();
      forget_most_device_memory();
    }
    if (has_script(row.load)) return measure_script(point, **on, *configs);
    const outcome<const batch*> made = batch_of(row);
    if (!made) return made.error();
    const batch& asked = **made;
    point.prepared_s = seconds_between(began, options_.now());
    if (row.standard_search) return measure_standard(point, asked);

    tuning_options how{.finalists = static_cast<u32>(configs->size()),
                       .rounds = options_.rounds,
                       .candidates = *configs,
                       .known = &known_,
                       .now = options_.now};
    how.report = [&](const tuning_progress& now) {
      tell(point, now.words, now.planned == 0 ? 0 : static_cast<double>(now.done) / now.planned);
    };
    outcome<tuning> done = tune(**on, *set_, asked, how, inner_);
    if (!done) return done.error();
    point.clocks = clocks_now((*on)->info().kind);
    point.device_bytes = most_device_memory();
    point.governor = done->conditions.governor, point.load = done->conditions.load;
    point.ranking = std::move(done->ranking), point.rejected = std::move(done->rejected);
    // One that was only looked at has no figures of the whole batch.
    std::erase_if(point.ranking, [](const tuned_config& one) { return !one.finalist; });
    if (beside) take_advised_out(point);
    if (status told = model(point, **on, asked); !told) return told;
    if (status listed = write_rows(point, **on, asked); !listed) return listed;
    if (status timed = time_rays(point, **on, asked); !timed) return timed;
    count(point);
    if (!set_->resident()->sort_time().samples_ms.empty()) point.sort_ms = set_->resident()->sort_time().median();
    return fine();
  }

  // It is compared with the row's configs, and is none of them.
  static void take_advised_out(sweep_point& point) {
    const auto at = std::find_if(point.ranking.begin(), point.ranking.end(),
                                 [&](const tuned_config& one) { return one.config == *point.advised; });
    if (at == point.ranking.end()) return;
    point.advised_alone = *at;
    point.ranking.erase(at);
  }

  // What the best one's lookups move: counted as a GPU's warps ask for it, whatever measured them; on a GPU also what it
  // allows at most, which says nothing of a CPU. A point is one without as well; but a machine that does no more work has not
  // measured it to the end.
  status model(sweep_point& point, machine& on, const batch& asked) const {
    constexpr u64 sample = 4096;
    const auto without = [](const problem& why) { return why.ends_machine ? status(why) : fine(); };
    const tuned_config* best = point.best();
    if (best == nullptr || asked.kind != operation::find) return fine();
    tell(point, "modelling", 1);
    const auto index = on.build(best->config, set_->resident(), inner_);
    if (!index) return without(index.error());
    const traffic_machine gpu = modelled_gpu(on.info(), options_.rates);
    const outcome<traffic> counted = count_traffic(**index, asked.keys, sample, gpu, inner_);
    if (!counted) return without(counted.error());
    if (counted->lookups == 0) return fine();
    point.sectors = static_cast<double>(counted->sectors()) / static_cast<double>(counted->lookups);
    // The model takes each lookup to be as likely as any other, whatever was asked before.
    if (on.info().kind != machine_kind::cuda || point.row.load.popular != popularity::uniform) return fine();
    const traffic_prediction told = predict(*counted, best->config, asked.size(), gpu);
    point.model_rate = told.lookups_per_second();
    point.model_bound = told.bound();
    point.model_words = gpu.rates.words();
    return fine();
  }

  // Writes the row ids of the best one's matches: a join's third part. Every row id of every run is checked. What is
  // refused, for want of memory perhaps, is said beside the figures that there are.
  status write_rows(sweep_point& point, machine& on, const batch& asked) const {
    constexpr u32 runs = 3;
    if (!point.writes_rows()) return fine();
    tell(point, "writing row ids", 1);
    const auto without = [&](const problem& why) {
      if (why.ends_machine || why.wrong || control_.cancelled()) return status(why);
      point.problem = fmt::format("its row ids were not written: {}", why.words);
      return fine();
    };
    const auto index = on.build(point.best()->config, set_->resident(), inner_);
    if (!index) return without(index.error());
    std::vector<double> samples_ms;
    for (u32 run = 0; run < runs; ++run) {
      const outcome<run_record> done = run_batch(on, **index, *set_, asked, {.batch = {.rows = true}}, inner_);
      if (!done) return without(done.error());
      if (done->check.wrong > 0) return problem{done->check.first_wrong, false, true};
      double& ms = samples_ms.emplace_back(0);
      for (const stage_time& stage : done->row_times) ms += stage.median();
    }
    point.write_ms = summary_of(samples_ms).median;
    return fine();
  }

  // The rays alone of the best one's lookups, where the plot tells them from the rest.
  status time_rays(sweep_point& point, machine& on, const batch& asked) const {
    constexpr u32 runs = 5;
    if (!what_.rays || point.best() == nullptr || asked.kind != operation::find) return fine();
    if (family_of(point.best()->config).part_of_lookups() != "rays") return fine();
    tell(point, "timing rays", 1);
    const auto index = on.build(point.best()->config, set_->resident(), inner_);
    if (!index) return index.error();
    const outcome<run_record> done =
        run_batch(on, **index, *set_, asked, {.batch = {.repeats = runs, .warm_ups = 1, .part = true}}, inner_);
    if (!done) return done.error();
    if (done->check.wrong > 0) return problem{done->check.first_wrong, false, true};
    point.rays_ms = done->part.median();
    return fine();
  }

  // By the GPU itself. A point is one without counters too, and says why.
  void count(sweep_point& point) const {
    const tuned_config* best = point.best();
    if (!what_.counters || best == nullptr) return;
    if (point.machine.kind != machine_kind::cuda)
      return void(point.counters_problem = "only a GPU counts what its warps do");
    if (!options_.counters) return void(point.counters_problem = "nothing reads the GPU's counters here");
    tell(point, "counting", 1);
    const outcome<hardware_counters> counted = options_.counters(point.row.load, best->config, inner_);
    if (counted)
      point.counters = *counted;
    else
      point.counters_problem = counted.error().words;
  }

  status measure_standard(sweep_point& point, const batch& asked) {
    tell(point, standard_search_name, 0);
    const batch_options how{.warm_ups = 1, .until = options_.rounds.alone(), .now = options_.now};
    outcome<run_record> done = run_standard_search(set_->checker(), asked, how, inner_);
    if (!done) return done.error();
    if (done->check.wrong > 0)
      return problem{fmt::format("{}: {}", standard_search_name, done->check.first_wrong), false, true};
    point.clocks = done->conditions.clocks;
    point.governor = done->conditions.governor, point.load = done->conditions.load;
    point.ranking = {{.index_bytes = done->index_bytes,
                      .operations = done->operations,
                      .samples_ms = done->time.samples_ms,
                      .how = done->time.how,
                      .finalist = true}};
    return fine();
  }

  // A script is run once for each config, and each of its batches as often as a finalist is at least.
  status measure_script(sweep_point& point, machine& on, const std::vector<index_config>& configs) {
    const auto began = options_.now();
    const outcome<const script*> asked = script_of(point.row);
    if (!asked) return asked.error();
    point.prepared_s += seconds_between(began, options_.now());
    const measuring_conditions met = conditions_before({.repeats = options_.rounds.least_runs()});
    for (std::size_t i = 0; i < configs.size(); ++i) {
      tell(point, fmt::format("script {} of {}: {}", i + 1, configs.size(), to_line(configs[i])),
           static_cast<double>(i) / static_cast<double>(configs.size()));
      outcome<tuned_config> one =
          time_script(on, configs[i], *set_, **asked, point.row.load, options_.rounds.least_runs(), inner_);
      if (!one && (one.error().ends_machine || control_.cancelled())) return one.error();
      if (one)
        point.ranking.push_back(std::move(*one));
      else
        point.rejected.push_back({configs[i], one.error().wrong, one.error().words});
    }
    if (point.ranking.empty() && !point.rejected.empty()) return problem{point.rejected.front().words};
    rank(point.ranking);
    point.clocks = clocks_now(on.info().kind);
    point.device_bytes = most_device_memory();
    point.governor = met.governor, point.load = met.load;
    if (!set_->resident()->sort_time().samples_ms.empty()) point.sort_ms = set_->resident()->sort_time().median();
    return fine();
  }

  // Loads of no index, each checked by its thread's sum.
  status measure_gather(sweep_point& point, machine& on) {
    tell(point, *point.row.program(), 0);
    forget_batch();
    set_ = nullptr;
    forget_most_device_memory();
    const gather_question asked = gather_of(point.row);
    const batch_options how{.warm_ups = 1, .until = options_.rounds.alone(), .now = options_.now};
    const measuring_conditions met = conditions_before(how);
    auto done = on.gather({&asked, 1}, how, inner_);
    if (!done) return done.error();
    gather_times& times = done->front();
    if (times.time.samples_ms.empty()) return problem{fmt::format("there was no room for {}", gather_words(asked))};
    point.clocks = clocks_now(on.info().kind);
    point.device_bytes = most_device_memory();
    point.governor = met.governor, point.load = met.load;
    point.ranking = {{.index_bytes = asked.bytes,
                      .operations = times.requests * asked.lanes,
                      .samples_ms = std::move(times.time.samples_ms),
                      .how = times.time.how,
                      .finalist = true}};
    return fine();
  }

  const sweep& what_;
  machine& on_;
  const machine_source& machines_;
  const sweep_options& options_;
  const job_control& control_;
  const job_control inner_ = job_control::part_of(control_);  // the row's progress is shown, and no stage's
  std::vector<sweep_point>& points_;
  std::map<machine_kind, std::unique_ptr<machine>> others_;
  std::shared_ptr<const key_set> set_;
  workload set_of_;
  std::optional<batch> asked_;    // of set_
  std::optional<script> script_;  // in place of it
  workload asked_of_;
  known_answers known_;  // of asked_
  machine* set_on_ = nullptr;
  double whole_ = 0, spent_ = 0;
};

}  // namespace

status run_sweep(const sweep& what, machine& on, const machine_source& machines, const sweep_options& options,
                 const job_control& control, std::vector<sweep_point>& points, const each_point& each) {
  return runner(what, on, machines, options, control, points).run(each);
}

}  // namespace pivotscope
