#include "core/sweep/sweep_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

namespace {

constexpr double close = 0.02;

// Two digits: medians of a quiet machine lie hundredths of a percent apart.
std::string percent(double share) { return fmt::format("{:.2g}%", share * 100); }

std::string counted(u64 n, std::string_view what) { return fmt::format("{} {} {}", n, n == 1 ? "is" : "are", what); }

}  // namespace

double row_comparison::apart() const { return std::max(before_ms, now_ms) / std::min(before_ms, now_ms) - 1; }

std::string not_comparable(const sweep_result& before, const sweep& of, u32 scale) {
  if (before.of.name != of.name) return fmt::format("it is of {}, and not of {}", before.of.name, of.name);
  if (before.head.scale != scale)
    return fmt::format("it was measured with --scale {}, and this is --scale {}", before.head.scale, scale);
  return {};
}

std::vector<row_comparison> compare_rows(std::span<const sweep_point> before, std::span<const sweep_point> now) {
  std::vector<row_comparison> rows;
  for (const sweep_point& point : now) {
    const sweep_point* const other = point_of(before, point.row.id);
    if (other == nullptr || point.best() == nullptr || other->best() == nullptr) continue;
    if (!(other->row.load == point.row.load) || other->row.width != point.row.width) continue;
    const tuned_config &was = *other->best(), &is = *point.best();
    if (was.samples_ms.empty() || is.samples_ms.empty()) continue;
    rows.push_back({.row = point.row.id,
                    .before_ms = other->median_ms(),
                    .now_ms = point.median_ms(),
                    .other_config = was.config == is.config ? "" : other->name_of(was),
                    .said = compare_speeds(was.samples_ms, is.samples_ms)});
  }
  return rows;
}

std::string comparison_summary(std::span<const row_comparison> rows) {
  if (rows.empty()) return "No row has figures in both.";
  std::vector<double> apart;
  const auto says = [&](speed_verdict verdict) {
    return static_cast<u64>(
        std::count_if(rows.begin(), rows.end(), [&](const row_comparison& r) { return r.said.says == verdict; }));
  };
  const row_comparison* furthest = &rows.front();
  for (const row_comparison& row : rows) {
    apart.push_back(row.apart());
    if (row.apart() > furthest->apart()) furthest = &row;
  }
  std::sort(apart.begin(), apart.end());
  const auto near = static_cast<u64>(std::count_if(apart.begin(), apart.end(), [](double a) { return a < close; }));
  return fmt::format(
      "Of {} row{} {} can't be told apart, {} and {}; the medians are {} apart in the middle, {} at most ({}), {} of "
      "them less than {}.",
      rows.size(), rows.size() == 1 ? "" : "s", says(speed_verdict::cannot_tell),
      counted(says(speed_verdict::faster), "faster"), counted(says(speed_verdict::slower), "slower"),
      percent(quantile(apart, 0.5)), percent(furthest->apart()), furthest->row, near, percent(close));
}

}  // namespace pivotscope
