// A sweep's points as its plot has them: for the SVG and the window.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/sweep/sweep_point.hpp"

namespace pivotscope {

// A value with the middle half of the runs around it: as slow as a quarter of them was, as fast as a quarter was.
struct plotted_value {
  double value = 0, low = 0, high = 0;
};
// What all runs of the batch tell, by their median; else one build does.
bool of_runs(plot_y y);

// The GPU counts it: only points with counters have it.
bool is_counted(plot_y y);

// Nothing of a point without figures. `part`: which of plot_y_parts(), where it has some.
std::optional<plotted_value> plotted(plot_y y, const sweep_point& point, std::size_t part = 0);
// "1.5 G a second"; with a part "0.83 hit rate, by cache: L2".
std::string value_words(plot_y y, double value, std::string_view part);

struct plot_dot {
  const sweep_point* point = nullptr;
  double x = 0;
  plotted_value y = {};
};
struct plot_line {
  std::string series;               // with its part: "BTREE, L2"
  bool level = false;               // one dot, which holds all along the axis
  std::vector<plot_dot> dots = {};  // by x
  std::string_view part = {};       // of plot_y_parts(); empty: y has none
};

// Of a sweep with a plot; in the order of its series, of each in the order of y's parts, those without a dot too; but for the write of a join that asks for no matches. The
// points outlive them.
std::vector<plot_line> plot_lines(const sweep& of, std::span<const sweep_point> points);

// A mark on an axis.
struct plot_tick {
  double at;
  std::string words;
};
// Of x: each place, or each number that dots lie at, of each second where they are more than `most`; even ones of a
// count.
std::vector<plot_tick> x_ticks(const sweep_plot& plot, std::span<const plot_line> lines, std::size_t most);
// Of y between two values: of 1, 2 and 5 times powers of ten, a few of them.
std::vector<plot_tick> y_ticks(const sweep_plot& plot, double low, double high);

// The numbers of x at which an index of the size of a sorted array leaves that much cache; nothing where x is not the
// keys.
std::optional<double> leaves_cache_at(const sweep_plot& plot, u64 cache_bytes);

// Where along its drawn line the index of a series, by its own bytes, leaves that much cache: between two dots of which
// one fits and the next does not. Nothing where none does, and where x is not the keys.
struct leaving_place {
  double x = 0, y = 0;
};
std::optional<leaving_place> leaves_cache_at(const sweep_plot& plot, const plot_line& line, u64 cache_bytes);

// y = slope x + at_zero through all dots by least squares, and Pearson's correlation of x and y. Nothing of fewer than
// two dots, and of such with the same x or y.
struct line_fit {
  std::size_t dots = 0;
  double slope = 0, at_zero = 0, correlation = 0;
};
std::optional<line_fit> fit_of(std::span<const plot_line> lines);
std::string fit_words(const line_fit& fit);  // "Pearson's correlation of the 4 points is 0.9980"

// What an axis shows, from and to, with some room; log2 or log10 where it is logarithmic.
struct plot_range {
  double low = 0, high = 1;
};
bool is_log_x(const sweep_plot& plot);
// Dots whose x is measured too: nothing joins them, and a straight line is fitted through them.
bool is_scatter(const sweep_plot& plot);
plot_range x_range(const sweep_plot& plot, std::span<const plot_line> lines);
plot_range y_range(const sweep_plot& plot, std::span<const plot_line> lines);

// What the dots of a scatter are, above them; of such that lie too near to each other for words of their own, at the
// first.
struct dot_label {
  double x = 0, y = 0;
  std::string words;  // "8 lanes, 4 lanes"
};
std::vector<dot_label> dot_labels(const sweep_plot& plot, std::span<const plot_line> lines);

// "12.5", "1.5 M", "200 k"
std::string short_number(double value);

}  // namespace pivotscope
