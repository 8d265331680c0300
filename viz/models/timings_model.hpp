// What Timings says of runs: which stand on one axis, and how the last one lies to the baseline. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/statistics/compare.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope::viz {

// Is it of what is chosen now, and right? Else it is of something before, and its figures are none of this.
bool is_of(const session_run& run, const session_choice& choice);

// The same keys and batch on the same machine; the index may be another one.
bool same_question(const session_run& a, const session_run& b);

struct run_history {
  std::vector<const session_run*> runs = {};  // oldest first; the last is the newest of all
  u64 left_out = 0;                           // of the same time, that asked something else or elsewhere
};
// The last `most` runs that ask what the newest asks.
run_history history_of(const std::vector<session_run>& runs, std::size_t most);

// May others be compared with it? Wrong or few runs are no baseline.
bool can_be_baseline(const session_run& run);

// "64 lookups over 14 keys are too few to time: ..."; empty: its times tell something.
std::string too_few_words(const session_run& run);

struct beside_baseline {
  speed_verdict says = speed_verdict::cannot_tell;
  // "12% faster than the baseline (11% to 13%)", "can't tell (noise 3%)", "This is the baseline"; of another workload
  // or machine that it is so
  std::string words = {};
  bool same_axis = false;
};
beside_baseline beside(const session_run& baseline, const session_run& run);

// "18.7 to 21.2 ms"
std::string middle_half_text(const sample_summary& of);

// What a measurement met, a line each; empty where nothing is known.
std::string conditions_words(const measuring_conditions& met);

}  // namespace pivotscope::viz
