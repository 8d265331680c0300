// The autotuner: measures configs on the machine and the batch at hand, and ranks them.
//
//   coarse   every candidate, on a slice of the batch
//   nearby   the best of them with other blocks, pinning and reordering, on the same slice
//   fine     the best few on the whole batch, in rounds, so that a drift of the clock meets all of them alike; and beside
//            them, on request, the config that is in use, and std::lower_bound
//
// Every answer of every run is checked: a config with a wrong one is out, and so is one that the machine refuses.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/common/measured_by.hpp"
#include "core/common/time_source.hpp"
#include "core/index/family.hpp"
#include "core/run/run.hpp"
#include "core/statistics/rounds.hpp"

namespace pivotscope {

struct tuning_progress {
  u32 done = 0, planned = 0;  // measurements; how many there are is known better as it goes on
  std::string words = {};     // "first look 12 of 47: EO+KS lanes=2"
};

// Runs of one batch, and of the slice of it, over one key set, whose answers were checked and right: the same answers need no
// second check.
struct known_answers {
  std::optional<run_record> of_slice = {}, of_all = {};
};

struct tuning_options {
  u64 slice = 0;  // operations of the coarse rounds at most; 0: 2^24 on cuda, 2^16 on cpu
  u32 coarse_repeats = 3;
  u32 leaders = 3;                                            // whose neighbours are tried
  u32 finalists = 6;                                          // that are measured on the whole batch
  round_plan rounds = {.least = 3, .most = 3, .repeats = 5};  // of the finalists
  bool ascending = false;                                     // only orders that keep the entries in ascending order
  bool smallest = false;                                      // only orders without anything beside the entries
  std::vector<index_config> candidates = {};  // empty: tuning_candidates(), and what is near the best of them
  std::optional<index_config> current = {};   // is measured as a finalist is, where it serves the batch
  bool standard_search = false;               // std::lower_bound over the whole batch as well, where that is of lookups
  known_answers* known = nullptr;             // kept for the next tune() of the same batch; null: for this one alone
  std::function<void(const tuning_progress&)> report = {};
  time_source now = std::chrono::steady_clock::now;
};

// One config's times. Rates are operations a second.
struct tuned_config {
  index_config config = {};
  u64 index_bytes = 0;
  std::optional<u64> held = {};  // entries of the index (core/run/entry_count.hpp); nothing: not known
  double build_ms = 0;
  u64 operations = 0;                   // of a run
  std::vector<double> samples_ms = {};  // of each run
  sampling how = {};                    // how these came to be, in all rounds
  bool finalist = false;                // measured on the whole batch
  bool beats_next = false;              // told apart from the next in the ranking
  sample_summary summary() const { return summary_of(samples_ms); }
  bool noisy() const { return summary().noise.value_or(0) > stopping_options{}.noise; }  // the rule would go on
  double rate() const;                                                                   // by the median
  double rate_at(double share_of_faster_runs) const;  // 0.25: a quarter of the runs were faster
};

struct tuning_reject {
  index_config config = {};
  bool wrong = false;  // it answered wrong; else it could not be measured
  std::string words = {};
};

struct tuning {
  measured_by by = {};  // whose measurement it is: set by who keeps it
  machine_kind kind = machine_kind::cpu;
  std::string machine = {};              // its name
  std::string detail = {}, driver = {};  // as machine_info has them
  measuring_conditions conditions = {};  // governor and load as the first run began, clocks after the last
  u32 rounds = 0, repeats = 0;           // of each finalist, rounds that there were; 0: not known
  u64 keys = 0;
  operation asked = operation::find;
  u64 operations = 0;  // of the batch
  key_width width = key_width::u32;
  bool ascending = false, smallest = false;
  std::vector<tuned_config> ranking = {};  // the fastest first: finalists, then what was only looked at
  std::vector<tuning_reject> rejected = {};
  std::optional<tuned_config> current =
      {};  // tuning_options::current, where it is no candidate and so not in the ranking
  std::optional<tuned_config> standard =
      {};  // std::lower_bound, on this computer's processors; its config says nothing
  double seconds = 0;

  const tuned_config* winner() const { return ranking.empty() ? nullptr : &ranking.front(); }
  const tuned_config* finalist_of(const index_config& config) const;  // its figures of the whole batch; null: none
  // How many, from the first on, cannot be told apart from the fastest.
  u32 tied_with_winner() const;
};

// Two configs are told apart when the middle halves of their runs do not overlap and their medians lie more than one
// hundredth apart: a second measurement of the same config differs by as much.
bool told_apart(const tuned_config& a, const tuned_config& b);
// Sorts by median rate, finalists before the others, and sets beats_next.
void rank(std::vector<tuned_config>& configs);

// What the families propose, each accepted by check().
std::vector<index_config> tuning_candidates(const candidate_question& question);

// Problem: an empty batch, nothing could be measured, or cancelled.
outcome<tuning> tune(machine& on, const key_set& keys, const batch& asked, const tuning_options& options,
                     const job_control& control);

}  // namespace pivotscope
