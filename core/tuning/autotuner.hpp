// autotuner: measures configs on this machine and this batch, and ranks them.
//
//   coarse   every candidate, on a slice of the batch
//   nearby   the best of them with other blocks, pinning and reordering, on the same slice
//   fine     the best few on the whole batch, in rounds, so that a drift of the clock affects all of them equally; on
//            request also the config that is in use, and std::lower_bound
//
// Every answer of every run is checked. A config with a wrong answer is out, and so is one that the machine refuses.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/common/measured_by.hpp"
#include "core/common/time_source.hpp"
#include "core/index/family.hpp"
#include "core/run/named_time.hpp"
#include "core/run/run.hpp"
#include "core/statistics/rounds.hpp"

namespace pivotscope {

struct tuning_progress {
  u32 done = 0, planned = 0;  // measurements; `planned` becomes more exact as it goes on
  std::string words = {};     // "first look 12 of 47: EO+KS lanes=2"
};

// A run of a batch, and one of its slice, over one key set, that were checked and found right. Equal answers
// then need no second check.
struct known_answers {
  std::optional<run_record> of_slice = {}, of_all = {};
};

struct tuning_options {
  u64 slice = 0;  // greatest number of operations in the coarse rounds; 0: 2^24 on cuda, 2^16 on cpu
  u32 coarse_repeats = 3;
  u32 leaders = 3;                                            // configs whose neighbours are tried
  u32 finalists = 6;                                          // configs that are measured on the whole batch
  round_plan rounds = {.least = 3, .most = 3, .repeats = 5};  // of the finalists
  bool ascending = false;                                     // only orders that keep the entries in ascending order
  bool smallest = false;                                      // only orders that store nothing beside the entries
  std::vector<index_config> candidates = {};  // empty: tuning_candidates(), and configs near the best of them
  std::optional<index_config> current = {};   // measured as a finalist if it serves the batch
  bool standard_search = false;               // also std::lower_bound over the whole batch, if that is of lookups
  known_answers* known = nullptr;             // kept for the next tune() of the same batch; null: only for this one
  std::function<void(const tuning_progress&)> report = {};
  time_source now = std::chrono::steady_clock::now;
};

// The times of one config. Rates are in operations per second.
struct tuned_config {
  index_config config = {};
  u64 index_bytes = 0;
  std::optional<u64> held = {};  // entries of the index (core/run/entry_count.hpp); nothing: not known
  double build_ms = 0;
  std::vector<named_time> build_stages = {};  // of which build_ms is the sum; empty: not kept
  u64 operations = 0;                         // per run
  std::optional<double> last_batch_ms = {};   // of a script: the median of its last batch
  std::vector<double> samples_ms = {};        // one per run
  sampling how = {};                          // how the samples were taken, in all rounds
  bool finalist = false;                      // measured on the whole batch
  bool beats_next = false;                    // faster than the next in the ranking, by told_apart()
  sample_summary summary() const { return summary_of(samples_ms); }
  // Returns true if the stopping rule would go on.
  bool noisy() const { return summary().noise.value_or(0) > stopping_options{}.noise; }
  double rate() const;                                // by the median
  double rate_at(double share_of_faster_runs) const;  // 0.25: a quarter of the runs were faster
};

struct tuning_reject {
  index_config config = {};
  bool wrong = false;  // true: a wrong answer; false: it could not be measured
  std::string words = {};
};

struct tuning {
  measured_by by = {};  // whose measurement it is; whoever keeps it sets this
  machine_kind kind = machine_kind::cpu;
  std::string machine = {};              // its name
  std::string detail = {}, driver = {};  // as machine_info has them
  measuring_conditions conditions = {};  // governor and load at the begin of the first run, clocks after the last
  u32 rounds = 0, repeats = 0;           // per finalist, rounds that were done; 0: not known
  u64 keys = 0;
  operation asked = operation::find;
  u64 operations = 0;  // of the batch
  key_width width = key_width::u32;
  bool ascending = false, smallest = false;
  std::vector<tuned_config> ranking = {};  // the fastest first: the finalists, then the others
  std::vector<tuning_reject> rejected = {};
  // tuning_options::current, if it is no candidate and so is not in the ranking.
  std::optional<tuned_config> current = {};
  // std::lower_bound, on this computer's processors; its config means nothing.
  std::optional<tuned_config> standard = {};
  double seconds = 0;

  const tuned_config* winner() const { return ranking.empty() ? nullptr : &ranking.front(); }
  const tuned_config* finalist_of(const index_config& config) const;  // its figures on the whole batch; null: none
  // Returns how many configs, from the first on, cannot be told apart from the fastest.
  u32 tied_with_winner() const;
};

// Returns true if two configs can be told apart: the middle halves of their runs do not overlap, and their medians
// differ by more than one hundredth, because a second measurement of the same config may differ by that much.
bool told_apart(const tuned_config& a, const tuned_config& b);
// Sorts by median rate, finalists before the others, and sets beats_next.
void rank(std::vector<tuned_config>& configs);

// Returns what the families propose, each accepted by check().
std::vector<index_config> tuning_candidates(const candidate_question& question);

// Measures and ranks. Problem: the batch is empty, nothing could be measured, or cancelled.
outcome<tuning> tune(machine& on, const key_set& keys, const batch& asked, const tuning_options& options,
                     const job_control& control);

}  // namespace pivotscope
