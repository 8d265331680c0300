// What is said of the times of many runs: places in their order, which a few strays do not move.
#pragma once

#include <optional>
#include <span>

#include "core/common/portable.hpp"

namespace pivotscope {

// Of fewer runs nothing is said but the places of those that there are.
inline constexpr u64 few_samples = 5;

struct sample_summary {
  u64 count = 0;
  // In the samples' unit; 0 without samples.
  double least = 0, lower_quartile = 0, median = 0, upper_quartile = 0, greatest = 0;
  // By how much a run differs from another, as a share of the median: the width of the middle half over 1.349, which is
  // the standard deviation where samples are normal. A tail of less than a quarter is not in it. None of few samples.
  std::optional<double> noise = {};
};

// Where `share` of the sorted samples lie below: between two samples on the line that joins them. 0 without samples.
double quantile(std::span<const double> sorted, double share);

// No sample is a NaN.
sample_summary summary_of(std::span<const double> samples);

}  // namespace pivotscope
