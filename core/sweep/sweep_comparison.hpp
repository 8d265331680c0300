// Two measurements of one sweep, row by row: faster, slower, or can't tell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/statistics/compare.hpp"
#include "core/sweep/sweep_result.hpp"

namespace pivotscope {

// A row that both have figures of: of the best config of each.
struct row_comparison {
  std::string row = {};
  double before_ms = 0, now_ms = 0;  // medians of the batch
  std::string other_config = {};     // the best one before, where it is another one now; else empty
  speed_comparison said = {};
  double apart() const;  // of the medians, as a share of the smaller one
};

// Why the sweep, measured at that scale, may not be compared with a result, in a sentence; empty: it may.
std::string not_comparable(const sweep_result& before, const sweep& of, u32 scale);

// In the order of `now`. Rows without figures, or over another workload, are left out.
std::vector<row_comparison> compare_rows(std::span<const sweep_point> before, std::span<const sweep_point> now);

// "Of 28 rows 24 can't be told apart, 1 is faster and 3 are slower; the medians are 0.04% apart in the middle, 2.6% at
// most (AO+BS at 2^24), 27 of them less than 2%." Without rows: that there are none in common.
std::string comparison_summary(std::span<const row_comparison> rows);

}  // namespace pivotscope
