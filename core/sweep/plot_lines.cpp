#include "core/sweep/plot_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/sweep/timed_part.hpp"

namespace pivotscope {
namespace {

// Nothing of a point that was not counted, where x is counted.
std::optional<double> x_of(const sweep_plot& plot, const sweep_point& point) {
  const sweep_row& row = point.row;
  switch (plot.x) {
    case plot_x::keys:
      return static_cast<double>(plotted_keys(row.load));
    case plot_x::script_batch:
      return static_cast<double>(batch_of(row.load.recipe));
    case plot_x::range_entries:
      return static_cast<double>(row.load.range_hits);
    case plot_x::warp_cycles:
      return point.counters ? std::optional(point.counters->warp_cycles()) : std::nullopt;
    case plot_x::place:
      break;
  }
  return row.tick.value_or(0);
}

// A series, or one part of it.
plot_line line_of(const sweep& of, std::span<const sweep_point> points, const std::string& series,
                  std::string_view part, std::size_t which) {
  plot_line line{.series = part.empty() ? series : fmt::format("{}, {}", series, part), .part = part};
  for (const sweep_row& row : of.rows)
    if (row.series == series) line.level = !row.tick;
  for (const sweep_point& point : points) {
    if (point.row.series != series || !of.plot) continue;
    const auto x = x_of(*of.plot, point);
    if (const auto y = plotted(of.plot->y, point, which); x && y) line.dots.push_back({&point, *x, *y});
  }
  std::stable_sort(line.dots.begin(), line.dots.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  // Counts that a scale made the same are one measurement made again: the last one stands for all.
  const auto first =
      std::unique(line.dots.rbegin(), line.dots.rend(), [](const auto& a, const auto& b) { return a.x == b.x; });
  line.dots.erase(line.dots.begin(), first.base());
  return line;
}

// A join by lookups has no write of its own: the row ids are its answers.
bool has_part(const sweep& of, const std::string& series, std::string_view part) {
  if (of.plot->y != plot_y::join_parts || part != "write") return true;
  return std::any_of(of.rows.begin(), of.rows.end(), [&](const sweep_row& row) {
    return row.series == series && operation_of(row.load) == operation::matches;
  });
}

template <class F>
void each_value(std::span<const plot_line> lines, F&& f) {
  for (const plot_line& line : lines)
    for (const plot_dot& dot : line.dots) f(line, dot);
}

}  // namespace

bool of_runs(plot_y y) {
  return y == plot_y::batch_ms || y == plot_y::build_and_batch_ms || y == plot_y::growing_ms || y == plot_y::rate ||
         y == plot_y::rate_per_byte || y == plot_y::busy_ms || y == plot_y::join_ms || y == plot_y::join_parts ||
         y == plot_y::entry_ns;
}

bool is_counted(plot_y y) {
  return y == plot_y::occupancy || y == plot_y::warp_cycles || y == plot_y::busy_ms || y == plot_y::hit_rates ||
         y == plot_y::memory_rates;
}

std::string value_words(plot_y y, double value, std::string_view part) {
  return fmt::format("{} {}{}{}", short_number(value), plot_y_words(y), part.empty() ? "" : ": ", part);
}

std::optional<plotted_value> plotted(plot_y y, const sweep_point& point, std::size_t part) {
  const tuned_config* best = point.best();
  if (best == nullptr || best->rate() <= 0) return std::nullopt;
  const auto same = [](std::optional<double> v) -> std::optional<plotted_value> {
    return v && *v > 0 ? std::optional(plotted_value{*v, *v, *v}) : std::nullopt;
  };
  const double slow = best->rate_at(0.75), fast = best->rate_at(0.25), bytes = static_cast<double>(best->index_bytes);
  const double operations_ms = static_cast<double>(best->operations) * 1e3;
  switch (y) {
    case plot_y::batch_ms:
      return plotted_value{point.median_ms(), operations_ms / fast, operations_ms / slow};
    case plot_y::build_ms:
      return same(point.ready_ms());
    case plot_y::build_and_batch_ms: {
      const std::optional<double> before = point.ready_ms();
      if (!before) return std::nullopt;
      return plotted_value{*before + point.median_ms(), *before + operations_ms / fast, *before + operations_ms / slow};
    }
    case plot_y::wave_ms:
      return same(timed_part_of(point.row.load).writes ? best->last_batch_ms : point.ready_ms());
    case plot_y::growing_ms:
      return plotted(timed_part_of(point.row.load).writes ? plot_y::batch_ms : plot_y::build_ms, point);
    case plot_y::build_rate: {
      const std::optional<double> ms = point.ready_ms();
      return ms && *ms > 0 ? same(static_cast<double>(point.row.load.keys) / *ms * 1e3) : std::nullopt;
    }
    case plot_y::bytes:
      return same(bytes);
    case plot_y::rate:
      return plotted_value{best->rate(), slow, fast};
    case plot_y::rate_per_byte:
      if (bytes <= 0) return std::nullopt;
      return plotted_value{best->rate() / bytes, slow / bytes, fast / bytes};
    case plot_y::sectors:
      return same(point.sectors);
    case plot_y::occupancy:
      return point.counters ? same(point.counters->occupancy) : std::nullopt;
    case plot_y::warp_cycles:
      return point.counters ? same(point.counters->warp_cycles()) : std::nullopt;
    case plot_y::busy_ms: {
      if (!point.counters) return std::nullopt;
      const double share = point.counters->occupancy;
      return plotted_value{point.median_ms() * share, operations_ms / fast * share, operations_ms / slow * share};
    }
    case plot_y::hit_rates:
    case plot_y::memory_rates: {
      if (!point.counters || !point.counters->memory) return std::nullopt;
      using counted = memory_counters;
      constexpr double counted::*hit_rates[] = {&counted::l1_hit_rate, &counted::l2_hit_rate};
      constexpr double counted::*rates[] = {&counted::l1_bytes_per_second, &counted::l2_bytes_per_second,
                                            &counted::dram_bytes_per_second};
      // 0 is a value: a cache may have had nothing of what it was asked for.
      const double value = (*point.counters->memory).*(y == plot_y::hit_rates ? hit_rates[part] : rates[part]);
      return plotted_value{value, value, value};
    }
    case plot_y::join_ms: {
      const std::optional<double> whole = point.join_ms();
      if (!whole) return std::nullopt;
      const double beside = *whole - point.median_ms();
      return plotted_value{*whole, beside + operations_ms / fast, beside + operations_ms / slow};
    }
    case plot_y::join_parts:
      if (part == 0) return same(point.ready_ms());
      return part == 1 ? plotted(plot_y::batch_ms, point) : same(point.write_ms);
    case plot_y::load_factor: {
      const double share = point.sorted_array_share();
      return share > 0 ? same(1 / share) : std::nullopt;
    }
    case plot_y::entry_ns: {
      const workload& w = point.row.load;
      const double entries = static_cast<double>(w.ranges) * static_cast<double>(std::min(w.range_hits, w.keys));
      if (entries <= 0) return std::nullopt;
      const double ns = 1e6 / entries;
      return plotted_value{point.median_ms() * ns, operations_ms / fast * ns, operations_ms / slow * ns};
    }
    case plot_y::lookup_parts: {
      if (!point.rays_ms) return std::nullopt;
      return same(part == 0 ? *point.rays_ms : std::max(0.0, point.median_ms() - *point.rays_ms));
    }
    case plot_y::scene_parts: {
      const std::string_view stage = plot_y_parts(y)[part];
      if (part == 0) return same(point.best_sort_ms());
      for (const named_time& one : best->build_stages)
        if (one.name == stage) return same(one.ms);
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::vector<plot_line> plot_lines(const sweep& of, std::span<const sweep_point> points) {
  std::vector<plot_line> lines;
  for (const std::string& name : series_of(of)) {
    const std::span<const std::string_view> parts = of.plot ? plot_y_parts(of.plot->y) : plot_y_parts(plot_y::batch_ms);
    if (parts.empty()) lines.push_back(line_of(of, points, name, {}, 0));
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (has_part(of, name, parts[i])) lines.push_back(line_of(of, points, name, parts[i], i));
  }
  return lines;
}

bool is_log_x(const sweep_plot& plot) { return plot.x != plot_x::place && !is_scatter(plot); }

bool is_scatter(const sweep_plot& plot) { return plot.x == plot_x::warp_cycles; }

std::optional<line_fit> fit_of(std::span<const plot_line> lines) {
  line_fit fit;
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  each_value(lines, [&](const plot_line&, const plot_dot& dot) {
    ++fit.dots;
    const auto n = static_cast<double>(fit.dots);
    const double dx = dot.x - mean_x, dy = dot.y.value - mean_y;
    mean_x += dx / n, mean_y += dy / n;
    xx += dx * (dot.x - mean_x), yy += dy * (dot.y.value - mean_y), xy += dx * (dot.y.value - mean_y);
  });
  if (fit.dots < 2 || !(xx > 0) || !(yy > 0)) return std::nullopt;
  fit.slope = xy / xx;
  fit.at_zero = mean_y - fit.slope * mean_x;
  fit.correlation = xy / std::sqrt(xx * yy);
  return fit;
}

std::string fit_words(const line_fit& fit) {
  return fmt::format("Pearson's correlation of the {} points is {:.4f}", fit.dots, fit.correlation);
}

namespace {

// Of 1, 2 and 5 times a power of ten, about so many.
std::vector<plot_tick> even_ticks(double low, double high, int about) {
  std::vector<plot_tick> ticks;
  double step = std::pow(10, std::floor(std::log10((high - low) / about)));
  for (const double factor : {2.0, 2.5, 2.0})
    if ((high - low) / step > about) step *= factor;
  const auto first = static_cast<int>(std::ceil(low / step)),
             last = static_cast<int>(std::floor(high * (1 + 1e-12) / step));
  for (int i = first; i <= last; ++i) {
    const double at = static_cast<double>(i) * step;
    ticks.push_back({at, short_number(at)});
  }
  return ticks;
}

}  // namespace

std::vector<plot_tick> x_ticks(const sweep_plot& plot, std::span<const plot_line> lines, std::size_t most) {
  std::vector<plot_tick> ticks;
  if (plot.x == plot_x::place) {
    for (std::size_t i = 0; i < plot.ticks.size(); ++i) ticks.push_back({static_cast<double>(i), plot.ticks[i]});
    return ticks;
  }
  if (is_scatter(plot)) {
    const plot_range range = x_range(plot, lines);
    return even_ticks(range.low, range.high, static_cast<int>(std::min<std::size_t>(most, 8)));
  }
  std::vector<double> at;
  each_value(lines, [&](const plot_line& line, const plot_dot& dot) {
    if (!line.level) at.push_back(dot.x);
  });
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  const std::size_t step = at.size() > most ? (at.size() + most - 1) / most : 1;
  // Counted from the end: that is what the papers' figures are of.
  for (std::size_t i = at.size(); i > 0; i -= std::min(i, step))
    ticks.push_back({at[i - 1], fmt::format("2^{:g}", std::round(std::log2(at[i - 1]) * 10) / 10)});
  std::reverse(ticks.begin(), ticks.end());
  return ticks;
}

std::string short_number(double value) {
  constexpr std::pair<double, const char*> units[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [unit, name] : units)
    if (value >= unit * 0.9995) return fmt::format("{:.3g}{}", value / unit, name);
  return fmt::format("{:.3g}", value);
}

std::vector<plot_tick> y_ticks(const sweep_plot& plot, double low, double high) {
  std::vector<plot_tick> ticks;
  if (!(high > low)) return ticks;
  if (!plot.log_y) return even_ticks(low, high, 6);
  const double decades = std::log10(high / low);
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::ceil(std::log10(high)); ++power) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double at = digit * std::pow(10, power);
      if (at < low || at > high || (digit > 1 && decades > 3)) continue;
      ticks.push_back({at, short_number(at)});
    }
  }
  return ticks;
}

plot_range x_range(const sweep_plot& plot, std::span<const plot_line> lines) {
  if (plot.x == plot_x::place) return {-0.5, static_cast<double>(plot.ticks.size()) - 0.5};
  plot_range range{1e300, 0};
  each_value(lines, [&](const plot_line& line, const plot_dot& dot) {
    if (!line.level) range.low = std::min(range.low, dot.x), range.high = std::max(range.high, dot.x);
  });
  if (range.high <= 0) return is_log_x(plot) ? plot_range{1, 2} : plot_range{0, 1};
  if (is_scatter(plot)) return {0, range.high * 1.08};
  return {range.low / 1.4, range.high * 1.4};
}

plot_range y_range(const sweep_plot& plot, std::span<const plot_line> lines) {
  plot_range range{1e300, 0};
  each_value(lines, [&](const plot_line&, const plot_dot& dot) {
    range.low = std::min(range.low, dot.y.low), range.high = std::max(range.high, dot.y.high);
  });
  if (range.high <= 0) return {plot.log_y ? 0.1 : 0, 1};
  if (plot.log_y) return {range.low / 1.3, range.high * 1.3};
  return {0, range.high * 1.08};
}

std::vector<dot_label> dot_labels(const sweep_plot& plot, std::span<const plot_line> lines) {
  constexpr double near_x = 0.14, near_y = 0.06;  // of the axes
  const plot_range x = x_range(plot, lines), y = y_range(plot, lines);
  std::vector<dot_label> labels;
  each_value(lines, [&](const plot_line&, const plot_dot& dot) {
    const std::optional<u32> tick = dot.point->row.tick;
    if (!tick || *tick >= plot.ticks.size()) return;
    const auto beside = std::find_if(labels.begin(), labels.end(), [&](const dot_label& one) {
      return std::abs(one.x - dot.x) < near_x * (x.high - x.low) &&
             std::abs(one.y - dot.y.value) < near_y * (y.high - y.low);
    });
    if (beside == labels.end())
      labels.push_back({dot.x, dot.y.value, plot.ticks[*tick]});
    else
      beside->words += ", " + plot.ticks[*tick];
  });
  return labels;
}

std::optional<double> leaves_cache_at(const sweep_plot& plot, u64 cache_bytes) {
  constexpr double sorted_array_bytes = 8;  // of an entry of 32 bits
  if (plot.x != plot_x::keys || cache_bytes == 0) return std::nullopt;
  return static_cast<double>(cache_bytes) / sorted_array_bytes;
}

std::optional<leaving_place> leaves_cache_at(const sweep_plot& plot, const plot_line& line, u64 cache_bytes) {
  if (plot.x != plot_x::keys || cache_bytes == 0 || line.level) return std::nullopt;
  const auto bytes = [](const plot_dot& dot) { return static_cast<double>(dot.point->best()->index_bytes); };
  const auto cache = static_cast<double>(cache_bytes);
  const auto between = [](double a, double b, double part, bool logarithmic) {
    return logarithmic ? a * std::pow(b / a, part) : a + part * (b - a);
  };
  for (std::size_t i = 1; i < line.dots.size(); ++i) {
    const plot_dot &in = line.dots[i - 1], &out = line.dots[i];
    if (bytes(in) <= 0 || bytes(in) > cache || bytes(out) <= cache) continue;
    const double part = std::log(cache / bytes(in)) / std::log(bytes(out) / bytes(in));
    return leaving_place{between(in.x, out.x, part, is_log_x(plot)),
                         between(in.y.value, out.y.value, part, plot.log_y)};
  }
  return std::nullopt;
}

}  // namespace pivotscope
