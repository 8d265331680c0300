// Which config is faster, and whether that can be said.
#include <algorithm>

#include "core/statistics/compare.hpp"
#include "core/tuning/autotuner.hpp"

namespace pivotscope {

double tuned_config::rate_at(double share) const {
  std::vector<double> sorted = samples_ms;
  std::sort(sorted.begin(), sorted.end());
  const double ms = quantile(sorted, share);
  return ms > 0 ? static_cast<double>(operations) / ms * 1e3 : 0;
}

double tuned_config::rate() const { return rate_at(0.5); }

bool told_apart(const tuned_config& a, const tuned_config& b) {
  const double fast = std::max(a.rate(), b.rate()), slow = std::min(a.rate(), b.rate());
  if (fast - slow <= worth_telling * fast) return false;
  return a.rate_at(0.75) > b.rate_at(0.25) || b.rate_at(0.75) > a.rate_at(0.25);
}

void rank(std::vector<tuned_config>& configs) {
  std::stable_sort(configs.begin(), configs.end(), [](const tuned_config& a, const tuned_config& b) {
    return a.finalist != b.finalist ? a.finalist : a.rate() > b.rate();
  });
  for (std::size_t i = 0; i < configs.size(); ++i)
    configs[i].beats_next = i + 1 < configs.size() && told_apart(configs[i], configs[i + 1]);
}

const tuned_config* tuning::finalist_of(const index_config& config) const {
  for (const tuned_config& one : ranking)
    if (one.finalist && one.config == config) return &one;
  return current && current->config == config ? &*current : nullptr;
}

u32 tuning::tied_with_winner() const {
  u32 tied = 0;
  while (tied < ranking.size() && (tied == 0 || !told_apart(ranking.front(), ranking[tied]))) ++tied;
  return tied;
}

}  // namespace pivotscope
