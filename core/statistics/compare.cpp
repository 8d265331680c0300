#include "core/statistics/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pivotscope {
namespace {

constexpr u64 most_that_count = 128;
constexpr double error = 0.01;         // of both sides of an interval together
constexpr double normal_tail = 2.576;  // standard deviations that leave half of it out, on each side

std::vector<double> that_count(std::span<const double> times) {
  std::vector<double> sorted;
  for (const double t : times)
    if (t > 0) sorted.push_back(t);
  std::sort(sorted.begin(), sorted.end());
  if (sorted.size() <= most_that_count) return sorted;
  std::vector<double> some;
  for (u64 i = 0; i < most_that_count; ++i)
    some.push_back(quantile(sorted, (static_cast<double>(i) + 0.5) / static_cast<double>(most_that_count)));
  return some;
}

// In how many orders of n runs among m others u pairs are the other way round: the coefficients of the product of
// (1 - q^(m + i)) / (1 - q^i) for i from 1 to n. Exact: there are at most 50 over 25 orders, fewer than 2^53.
std::vector<double> orders_by_pairs(u64 n, u64 m) {
  std::vector<double> orders(n * m + 1, 0.0);
  orders[0] = 1;
  for (u64 i = 1; i <= n; ++i) {
    for (u64 u = n * m; u >= m + i && u <= n * m; --u) orders[u] -= orders[u - m - i];
    for (u64 u = i; u <= n * m; ++u) orders[u] += orders[u - i];
  }
  return orders;
}

// How many of the n * m ratios lie outside of an interval, on each side; 0: so few runs allow none.
u64 ratios_outside(u64 n, u64 m) {
  if (n + m > 50) {
    const double pairs = static_cast<double>(n * m);
    const double deviation = std::sqrt(pairs * static_cast<double>(n + m + 1) / 12);
    return static_cast<u64>(std::max(0.0, std::floor(pairs / 2 - normal_tail * deviation)));
  }
  const std::vector<double> orders = orders_by_pairs(n, m);
  double all = 0;
  for (const double count : orders) all += count;
  u64 outside = 0;
  double sum = orders[0];
  while (sum <= all * error / 2) sum += orders[++outside];
  return outside;
}

}  // namespace

speed_ratio ratio_of(std::span<const double> before, std::span<const double> now) {
  const std::vector<double> a = that_count(before), b = that_count(now);
  if (a.size() < few_samples || b.size() < few_samples) return {};
  const u64 outside = ratios_outside(a.size(), b.size());
  if (outside == 0) return {};
  std::vector<double> ratios;
  ratios.reserve(a.size() * b.size());
  for (const double t : a)
    for (const double u : b) ratios.push_back(t / u);
  std::sort(ratios.begin(), ratios.end());
  return {true, quantile(ratios, 0.5), ratios[outside - 1], ratios[ratios.size() - outside]};
}

speed_comparison compare_speeds(std::span<const double> before, std::span<const double> now) {
  const sample_summary a = summary_of(before), b = summary_of(now);
  speed_comparison c;
  c.runs_before = a.count, c.runs_now = b.count;
  c.noise = std::max(a.noise.value_or(0), b.noise.value_or(0));
  c.ratio = ratio_of(before, now);
  if (!c.ratio.known || std::abs(c.ratio.middle - 1) <= worth_telling) return c;
  if (c.ratio.least > 1) c.says = speed_verdict::faster;
  if (c.ratio.most < 1) c.says = speed_verdict::slower;
  return c;
}

double drift_of(std::span<const double> in_order) {
  const std::size_t half = in_order.size() / 2;
  const speed_ratio later = ratio_of(in_order.first(half), in_order.last(half));
  if (!later.known || (later.least <= 1 && later.most >= 1)) return 0;
  return 1 / later.middle - 1;
}

std::string share_words(double share) {
  const double percent = std::abs(share) * 100;
  return percent < 9.95 ? fmt::format("{:.1f}%", percent) : fmt::format("{:.0f}%", percent);
}

std::string speed_comparison::words(std::string_view beside) const {
  if (!ratio.known) {
    const u64 fewer = std::min(runs_before, runs_now);
    return fmt::format("can't tell: {} run{} too few", fewer, fewer == 1 ? " is" : "s are");
  }
  const auto with = [&](const char* word) {
    return beside.empty() ? std::string() : fmt::format(" {} {}", word, beside);
  };
  if (says == speed_verdict::slower) {
    return fmt::format("{} slower{} ({} to {})", share_words(1 - ratio.middle), with("than"),
                       share_words(1 - ratio.most), share_words(1 - ratio.least));
  }
  if (says == speed_verdict::faster && ratio.middle >= 2) {
    return fmt::format("{:.1f} times as fast{} ({:.1f} to {:.1f})", ratio.middle, with("as"), ratio.least, ratio.most);
  }
  if (says == speed_verdict::faster) {
    return fmt::format("{} faster{} ({} to {})", share_words(ratio.middle - 1), with("than"),
                       share_words(ratio.least - 1), share_words(ratio.most - 1));
  }
  const bool apart = ratio.least > 1 || ratio.most < 1;
  const bool all_near = ratio.least > 1 - worth_telling && ratio.most < 1 + worth_telling;
  return apart || all_near ? fmt::format("can't tell: less than {:.0f}% apart", worth_telling * 100)
                           : fmt::format("can't tell (noise {})", share_words(noise));
}

}  // namespace pivotscope
