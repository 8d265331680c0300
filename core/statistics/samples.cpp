#include "core/statistics/samples.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/common/expect.hpp"

namespace pivotscope {

double quantile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return 0;
  PIVOTSCOPE_EXPECT(!std::isnan(sorted.front()) && !std::isnan(sorted.back()));  // no order has a NaN in it
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

sample_summary summary_of(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  sample_summary s;
  s.count = sorted.size();
  s.least = quantile(sorted, 0), s.greatest = quantile(sorted, 1);
  s.lower_quartile = quantile(sorted, 0.25), s.upper_quartile = quantile(sorted, 0.75);
  s.median = quantile(sorted, 0.5);
  constexpr double middle_half_of_normal = 1.349;  // in standard deviations
  if (s.count >= few_samples && s.median > 0)
    s.noise = (s.upper_quartile - s.lower_quartile) / middle_half_of_normal / s.median;
  return s;
}

}  // namespace pivotscope
