// Is it faster? Two lots of runs, compared by ranks: nothing is assumed of how their times are spread.
//
//   the estimate   the median of all ratios of a run before and a run now (Hodges and Lehmann)
//   its interval   the ratios that a rank test (Mann and Whitney) would not refuse, with an error of 1 in 100
//
// Both are functions of the runs alone: no dice, so the same files say the same thing everywhere.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/statistics/samples.hpp"

namespace pivotscope {

// How often as fast the runs of `now` are as those of `before`: 2 is half of the time.
struct speed_ratio {
  bool known = false;  // false: too few runs
  double middle = 1, least = 1, most = 1;
};
// Times that are not above 0 are left out. Of each side at most 128 runs count, evenly from its order: more would make
// the interval narrower than what else differs between two measurements.
speed_ratio ratio_of(std::span<const double> before, std::span<const double> now);

// A second measurement of the same thing differs by as much, whatever the noise within each.
inline constexpr double worth_telling = 0.01;

enum class speed_verdict : u8 { cannot_tell, faster, slower };

struct speed_comparison {
  speed_verdict says = speed_verdict::cannot_tell;
  speed_ratio ratio = {};
  u64 runs_before = 0, runs_now = 0;
  double noise = 0;  // of the noisier side; 0: not known

  // "12% faster than the baseline (11% to 13%)", "2.3 times as fast as the baseline (2.2 to 2.4)", "8% slower than the
  // baseline (7% to 9%)"; with nothing to name without "than ...". Else why not: "can't tell: 1 run is too few", "can't
  // tell (noise 3%)", "can't tell: less than 1% apart"
  std::string words(std::string_view beside = {}) const;
};
// Faster or slower: the interval is on one side of 1, and the estimate more than worth_telling from it.
speed_comparison compare_speeds(std::span<const double> before, std::span<const double> now);

// By how much later runs are slower than earlier ones, as a share of the time: the second half beside the first. 0
// where that cannot be told from noise. Below 0: they grew faster.
double drift_of(std::span<const double> in_order);

// "0.4%", "3%", "12%": a share as people read it.
std::string share_words(double share);

}  // namespace pivotscope
