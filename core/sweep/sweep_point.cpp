#include "core/sweep/sweep_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/memory_benchmark/device_rates.hpp"
#include "core/run/entry_count.hpp"
#include "core/sweep/plot_lines.hpp"
#include "core/sweep/timed_part.hpp"

namespace pivotscope {
namespace {

// Bytes of the region that holds the entries.
double entry_bytes(const index_config& config, u64 keys) {
  const std::vector<index_region> regions = regions_of(config, keys);
  return regions.empty() || keys == 0 ? 0 : static_cast<double>(regions.front().bytes()) / static_cast<double>(keys);
}

// Nothing where that which it is relative to has no figures.
std::optional<told_want> tell_want(const sweep_point& point, const tuned_config& best, const want& wanted,
                                   std::span<const sweep_point> points) {
  told_want told{.wanted = wanted, .limit = wanted.value};
  if (wanted.what == measure::rate) told.got = best.rate();
  if (wanted.what == measure::time) told.got = point.median_ms();
  if (wanted.what == measure::sort_and_build) {
    const std::optional<double> both = point.sort_and_build_ms();
    if (!both) return std::nullopt;
    const bool beside_library = point.library_sort_ms > 0;
    const double alone = beside_library ? point.library_sort_ms : point.sort_ms;
    told.got = *both / alone;
    if (beside_library) told.words = fmt::format("times cub::DeviceRadixSort alone, {:.3g} ms", alone);
  }
  if (wanted.in == wanted_in::rate_of_row) {
    const sweep_point* other = point_of(points, wanted.row);
    if (other == nullptr) return std::nullopt;
    told.limit = wanted.value * other->best()->rate();
    told.words = fmt::format("{:g} of {}", wanted.value, wanted.row);
  }
  if (wanted.in == wanted_in::stream_of_all) {
    const workload& w = point.row.load;
    const double bytes = static_cast<double>(w.ranges) * static_cast<double>(std::min(w.range_hits, w.keys)) *
                         entry_bytes(best.config, w.keys);
    told.limit = wanted.value * bytes / h200_stream_bytes_per_second * 1e3;
    told.words = fmt::format("{:g} of streaming {:.3g} GB at {:.2f} TB/s", wanted.value, bytes / 1e9,
                             h200_stream_bytes_per_second / 1e12);
  }
  return told;
}

}  // namespace

double told_want::share() const {
  const double over = wanted.what == measure::rate ? got : limit, under = wanted.what == measure::rate ? limit : got;
  return under > 0 ? over / under : 0;
}

std::string sweep_point::name_of(const tuned_config& one) const { return row.program().value_or(to_line(one.config)); }

std::string sweep_point::note() const {
  if (best() == nullptr) return {};
  const sampling& how = best()->how;
  const std::string of_runs = how.doubtful() ? stop_words(how, best()->summary()) : held_back_words(how);
  const std::string of_index = held_words(best()->held, row.load.keys);
  return of_runs.empty() || of_index.empty() ? of_runs + of_index : of_runs + "; " + of_index;
}

u32 sweep_point::ties() const { return tuning{.ranking = ranking}.tied_with_winner(); }

double sweep_point::advised_share() const {
  if (!advised || ranking.empty() || ranking.front().rate() <= 0) return 0;
  if (advised_alone) return advised_alone->rate() / ranking.front().rate();
  for (const tuned_config& one : ranking)
    if (one.config == *advised) return one.rate() / ranking.front().rate();
  return 0;
}

double sweep_point::sorted_array_share() const {
  const u64 array = plotted_keys(row.load) * 2 * key_bytes(row.width);
  return ranking.empty() || array == 0 ? 0
                                       : static_cast<double>(ranking.front().index_bytes) / static_cast<double>(array);
}

std::optional<double> sweep_point::model_error() const {
  const double measured = best() == nullptr ? 0 : best()->rate();
  return model_rate > 0 && measured > 0 ? std::optional(model_rate / measured - 1) : std::nullopt;
}

double sweep_point::median_ms() const {
  const tuned_config* one = best();
  return one != nullptr && one->rate() > 0 ? static_cast<double>(one->operations) / one->rate() * 1e3 : 0;
}

std::optional<double> sweep_point::best_sort_ms() const {
  const bool sorted = best() != nullptr && !row.program() && family_of(best()->config).sorted_input();
  return sorted && sort_ms > 0 ? std::optional(sort_ms) : std::nullopt;
}

std::optional<double> sweep_point::best_build_ms() const {
  return best() != nullptr && !row.program() ? std::optional(best()->build_ms) : std::nullopt;
}

std::optional<double> sweep_point::sort_and_build_ms() const {
  const std::optional<double> sort = best_sort_ms(), build = best_build_ms();
  return sort && build ? std::optional(*sort + *build) : std::nullopt;
}

std::optional<double> sweep_point::ready_ms() const {
  const std::optional<double> build = best_build_ms();
  return build && !family_of(best()->config).sorted_input() ? build : sort_and_build_ms();
}

bool sweep_point::writes_rows() const {
  if (best() == nullptr || row.program() || has_script(row.load)) return false;
  const operation asked = operation_of(row.load);
  return asked == operation::matches && served_as(best()->config, asked) == operation::range;
}

std::optional<double> sweep_point::join_ms() const {
  const std::optional<double> build = ready_ms();
  if (!build || (writes_rows() && !write_ms)) return std::nullopt;
  return *build + median_ms() + write_ms.value_or(0);
}

std::optional<double> sweep_point::rate_per_byte() const {
  if (best() == nullptr || best()->index_bytes == 0) return std::nullopt;
  return best()->rate() / static_cast<double>(best()->index_bytes);
}

std::optional<std::string> not_judged(const sweep& of, const sweep_point& point, u32 scale) {
  if (scale != 0) return fmt::format("counts are cut by {} bits", scale);
  if (point.row.on == machine_kind::cpu) return std::nullopt;  // beside what ran on the same processors
  if (point.machine.name.find(of.device) == std::string::npos)
    return fmt::format("what is wanted is of {}, and this is {}", of.device, point.machine.name);
  return std::nullopt;
}

std::vector<told_want> tell_wants(const sweep_point& point, std::span<const sweep_point> points) {
  std::vector<told_want> all;
  const tuned_config* best = point.best();
  if (best == nullptr) return all;
  for (const want& wanted : point.row.wants)
    if (auto told = tell_want(point, *best, wanted, points)) all.push_back(std::move(*told));
  return all;
}

std::optional<model_errors> tell_model_errors(std::span<const sweep_point> points) {
  std::vector<double> sizes;
  model_errors told;
  for (const sweep_point& point : points) {
    const std::optional<double> error = point.model_error();
    if (!error) continue;
    if (sizes.empty() || std::abs(*error) > told.worst) told.worst = std::abs(*error), told.worst_row = point.row.id;
    sizes.push_back(std::abs(*error));
  }
  if (sizes.empty()) return std::nullopt;
  told.points = sizes.size(), told.median = summary_of(sizes).median;
  return told;
}

std::string model_beside(const sweep_point& point) {
  if (point.best() == nullptr) return {};
  if (const std::optional<double> error = point.model_error())
    return fmt::format(
        "The traffic model allows {}/s at most, {:.0f}% {} than the {}/s measured; {} is the narrowest. By {}.",
        short_number(point.model_rate), 100 * std::abs(*error), *error < 0 ? "less" : "more",
        short_number(point.best()->rate()), point.model_bound, point.model_words);
  if (operation_of(point.row.load) != operation::find || has_script(point.row.load))
    return "No traffic model: it is of point lookups.";
  if (point.machine.kind != machine_kind::cuda) return "No traffic model: it is of a GPU.";
  if (point.row.load.popular != popularity::uniform)
    return "No traffic model: it takes each lookup to be as likely as any other.";
  return {};
}

const sweep_point* point_of(std::span<const sweep_point> points, std::string_view id) {
  const auto at = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.row.id == id; });
  return at == points.end() || at->best() == nullptr ? nullptr : &*at;
}

}  // namespace pivotscope
