#include "core/machine/machine.hpp"

#include <algorithm>

namespace pivotscope {

double stage_time::least() const {
  return samples_ms.empty() ? 0 : *std::min_element(samples_ms.begin(), samples_ms.end());
}
double stage_time::greatest() const {
  return samples_ms.empty() ? 0 : *std::max_element(samples_ms.begin(), samples_ms.end());
}
double stage_time::median() const {
  if (samples_ms.empty()) return 0;
  std::vector<double> sorted = samples_ms;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::vector<machine_report> find_machines() { return {detail::report_cuda(), detail::report_cpu()}; }

outcome<std::unique_ptr<machine>> open_machine(machine_kind kind, const machine_options& options) {
  if (kind == machine_kind::cuda) return detail::open_cuda(options);
  return detail::open_cpu();
}

status check_ranges_fit(const index_config& config, const range_array& ranges) {
  if (ranges.low.width() != config.keys || ranges.high.width() != config.keys) {
    return problem{"the ranges' key width is not that of the index"};
  }
  if (ranges.low.size() != ranges.high.size())
    return problem{"the ranges have more ends of one kind than of the other"};
  return fine();
}

}  // namespace pivotscope
