// Measuring a sweep: each row by the autotuner (core/choose), which goes the way that `run` goes, and what comes of it
// beside what is wanted.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "core/choose/autotuner.hpp"
#include "core/machine/machine_source.hpp"
#include "core/sweep/sweep.hpp"

namespace pivotscope {

struct sweep_progress {
  std::string words = {};  // "row 3 of 58, misses inside 2^16: round 1 of 2, finalist 1 of 2: PACKED"
  double fraction = 0;     // by the work that rows are, not by their number
};

struct sweep_options {
  u32 scale = 0;                // bits that every count is cut by
  u32 rounds = 2, repeats = 7;  // of each config: 14 runs
  std::function<void(const sweep_progress&)> report = {};
  time_source now = std::chrono::steady_clock::now;
};

// A wanted value beside what was measured.
struct told_want {
  want wanted = {};
  double limit = 0, got = 0;  // in the measure's own unit: operations a second, milliseconds, a multiple
  std::string words = {};     // of the limit: "0.9 of hits 2^20"
  // How much of it is reached: 1 and more is all. Of a rate got / limit, of the others limit / got.
  double share() const;
  bool reached() const { return share() >= 1; }
};

struct sweep_point {
  sweep_row row = {};                      // as it was measured: scaled
  machine_info machine = {};               // that it was measured on
  std::string clocks = {};                 // right after it; empty: unknown
  std::vector<tuned_config> ranking = {};  // the best first; a standard search is one without a config
  std::vector<tuning_reject> rejected = {};
  std::optional<index_config> advised = {};
  std::optional<tuned_config> advised_alone = {};  // its figures, where it is none of the row's configs
  double model_rate = 0;  // that the traffic model allows the best at most (docs/traffic.md); 0: not modelled
  std::string_view model_bound = {};  // "L2" or "DRAM": what it says is the narrower
  double sort_ms = 0;                 // of the keys, on the machine; 0: nothing was sorted
  u64 device_bytes = 0;               // of a GPU, that were held at most at once; 0: none
  double prepared_s = 0;              // making and sorting keys and lookups for it, by the host's clock
  double took_s = 0;                  // all of it
  std::vector<told_want> wants = {};
  std::string problem = {};  // why it was not measured; a wrong answer's words
  bool wrong = false;        // then it has no figures

  const tuned_config* best() const { return ranking.empty() ? nullptr : &ranking.front(); }
  std::string name_of(const tuned_config& one) const;
  u32 ties() const;                   // configs that cannot be told apart from the best, and the best
  double advised_share() const;       // of the best's rate, which it may be ahead of; 0: not measured
  double sorted_array_share() const;  // the best's bytes, of those of the sorted array of key and row id
};

// Whether wants of the sweep may be judged by figures of that machine at that scale; else why not, in words.
std::optional<std::string> not_judged(const sweep& of, const sweep_point& point, u32 scale);

// Measures its rows in order on `on`, rows that name another machine on that one, and appends a point for each: what was
// measured before a cancellation is there. `each` is called after each. A row that cannot be measured is a point with
// words. Problem: cancelled.
status run_sweep(
    const sweep& what, machine& on, const machine_source& machines, const sweep_options& options,
    const job_control& control, std::vector<sweep_point>& points, const std::function<void()>& each = [] {});

}  // namespace pivotscope
