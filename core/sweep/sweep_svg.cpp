#include "core/sweep/sweep_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/common/xml_text.hpp"
#include "core/sweep/plot_lines.hpp"
#include "core/workload/host_memory.hpp"

namespace pivotscope {
namespace {

// Units of the picture.
constexpr double width = 960, plot_left = 76, plot_right = 660, plot_top = 66, plot_bottom = 430;
constexpr double legend_left = plot_right + 24, line_height = 17;
constexpr double usual = drawn_words::usual_size, tiny = 10.5, small = 11.5, large = 17;  // letters
constexpr std::size_t words_a_line = 155, small_words_a_line = 180;
constexpr std::string_view paper = paint_on_white.paper, ink = paint_on_white.ink, dim = paint_on_white.dim,
                           rule = paint_on_white.rule;

std::string colour(u32 rgb) { return fmt::format("#{:06x}", rgb); }

std::vector<std::string> wrapped(const std::string& words, std::size_t most) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (words.size() - at > most) {
    std::size_t end = words.rfind(' ', at + most);
    if (end == words.npos || end <= at) end = at + most;
    lines.push_back(words.substr(at, end - at));
    at = end + (words[end] == ' ' ? 1 : 0);
  }
  lines.push_back(words.substr(at));
  return lines;
}

class drawing {
 public:
  drawing(const sweep& of, const sweep_head& head, std::span<const sweep_point> points, const words_writer& words)
      : of_(of), head_(head), plot_(*of.plot), points_(points), words_(words), lines_(plot_lines(of, points)) {
    x_ = x_range(plot_, lines_), y_ = y_range(plot_, lines_);
  }

  std::string take() {
    draw();
    title();
    const double bottom = std::max(foot(), legend_bottom_) + 14;
    return fmt::format("{} width=\"{:.0f}\" height=\"{:.0f}\" {}{}", head(0, bottom), width, bottom, font, content());
  }

  std::string take_plot() {
    draw();
    const double top = plot_top - 16, bottom = std::max(plot_bottom + 50 + below_ticks_, legend_bottom_);
    return fmt::format("{} {}{}", head(top, bottom - top), font, content());
  }

 private:
  static constexpr const char* font = "font-family=\"Inter, Helvetica, Arial, sans-serif\" font-size=\"12\">\n";

  void draw() {
    grid();
    cache_rule();
    fit();
    for (std::size_t i = 0; i < lines_.size(); ++i) band(i);
    for (std::size_t i = 0; i < lines_.size(); ++i) line(i);
    for (std::size_t i = 0; i < lines_.size(); ++i) leaving_mark(i);
    legend();
  }
  static std::string head(double top, double height) {
    return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {:.0f} {:.0f} {:.0f}\"", top, width,
                       height);
  }
  std::string content() const {
    return fmt::format(
        "<title>{}</title>\n<desc>{}</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n{}</svg>\n",
        xml_text(of_.name), xml_text(repeat_words()), paper, body_);
  }

  double px(double x) const {
    const double share =
        is_log_x(plot_) ? std::log(x / x_.low) / std::log(x_.high / x_.low) : (x - x_.low) / (x_.high - x_.low);
    return plot_left + share * (plot_right - plot_left);
  }
  double py(double y) const {
    const double share =
        plot_.log_y ? std::log(y / y_.low) / std::log(y_.high / y_.low) : (y - y_.low) / (y_.high - y_.low);
    return plot_bottom - share * (plot_bottom - plot_top);
  }

  void text(const drawn_words& words) { body_ += words_(words); }
  void stroke(double x0, double y0, double x1, double y1, std::string_view paint, const char* more = "") {
    body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" {}/>\n", x0, y0,
                         x1, y1, paint, more);
  }

  void grid() {
    for (const plot_tick& tick : y_ticks(plot_, y_.low, y_.high)) {
      stroke(plot_left, py(tick.at), plot_right, py(tick.at), rule);
      text({plot_left - 8, py(tick.at) + 4, tick.words, dim, usual, words_anchor::end});
    }
    constexpr std::size_t most_ticks = 15;
    const std::vector<plot_tick> ticks = x_ticks(plot_, lines_, most_ticks);
    below_ticks_ = meet(ticks) ? 15 : 0;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      const double x = px(ticks[i].at), down = i % 2 == 0 ? 0 : below_ticks_;
      stroke(x, plot_bottom, x, plot_bottom + 4 + down, dim);
      text({x, plot_bottom + 19 + down, ticks[i].words, dim, usual, words_anchor::middle});
    }
    stroke(plot_left, plot_bottom, plot_right, plot_bottom, dim);
    stroke(plot_left, plot_top, plot_left, plot_bottom, dim);
    text({(plot_left + plot_right) / 2, plot_bottom + 40 + below_ticks_, plot_.x_words, ink, usual,
          words_anchor::middle});
    text({.x = 16,
          .y = (plot_top + plot_bottom) / 2,
          .words = plot_y_words(plot_.y),
          .fill = ink,
          .anchor = words_anchor::middle,
          .upwards = true});
  }

  // Whether words of neighbours would run into each other in one row: every second one then stands below.
  bool meet(const std::vector<plot_tick>& ticks) const {
    constexpr double a_letter = 0.52 * usual, apart = 6;
    const auto half = [](const plot_tick& tick) { return static_cast<double>(tick.words.size()) * a_letter / 2; };
    for (std::size_t i = 1; i < ticks.size(); ++i)
      if (px(ticks[i].at) - px(ticks[i - 1].at) < half(ticks[i - 1]) + half(ticks[i]) + apart) return true;
    return false;
  }

  void cache_rule() {
    const auto at = leaves_cache_at(plot_, head_.machine.l2_bytes);
    if (!at || *at <= x_.low || *at >= x_.high) return;
    stroke(px(*at), plot_top, px(*at), plot_bottom, dim, "stroke-dasharray=\"2 3\"");
    const std::string words = fmt::format("a sorted array leaves the {} of L2", bytes_text(head_.machine.l2_bytes));
    text({px(*at) - 4, plot_top + 11, words, dim, tiny, words_anchor::end});
  }

  // Across a series' line, where its own index leaves the cache.
  void leaving_mark(std::size_t i) {
    const auto at = leaves_cache_at(plot_, lines_[i], head_.machine.l2_bytes);
    if (!at) return;
    constexpr double half = 8;
    const double x = px(at->x), y = py(at->y);
    body_ += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
        "stroke-width=\"2.4\"><title>{4}</title></line>\n",
        x, y - half, y + half, colour(style_of_series(i).rgb),
        xml_text(fmt::format("{}: its index leaves the {} of L2 at {} keys", lines_[i].series,
                             bytes_text(head_.machine.l2_bytes), short_number(at->x))));
    marks_leaving_ = true;
  }

  // A straight line through all dots of a scatter, from edge to edge.
  void fit() {
    const std::optional<line_fit> fitted = is_scatter(plot_) ? fit_of(lines_) : std::nullopt;
    if (!fitted) return;
    const auto y = [&](double x) { return std::clamp(fitted->at_zero + fitted->slope * x, y_.low, y_.high); };
    stroke(px(x_.low), py(y(x_.low)), px(x_.high), py(y(x_.high)), dim, "stroke-dasharray=\"5 4\"");
    text({plot_left + 10, plot_top + 14, fit_words(*fitted), dim, tiny, words_anchor::start});
    for (const dot_label& label : dot_labels(plot_, lines_))
      text({px(label.x), py(label.y) - 9, label.words, ink, tiny, words_anchor::middle});
  }

  // The middle half of the runs.
  void band(std::size_t i) {
    const plot_line& drawn = lines_[i];
    if (drawn.dots.empty() || is_scatter(plot_)) return;
    std::string path, back;
    if (drawn.level) {
      const plotted_value& y = drawn.dots.front().y;
      path = fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}", plot_left, py(y.low), plot_right,
                         py(y.low), plot_right, py(y.high), plot_left, py(y.high));
    } else {
      for (const plot_dot& dot : drawn.dots) {
        path += fmt::format("{:.1f},{:.1f} ", px(dot.x), py(dot.y.high));
      }
      for (auto dot = drawn.dots.rbegin(); dot != drawn.dots.rend(); ++dot)
        back += fmt::format("{:.1f},{:.1f} ", px(dot->x), py(dot->y.low));
    }
    body_ += fmt::format("<polygon points=\"{}{}\" fill=\"{}\" fill-opacity=\"0.22\"/>\n", path, back,
                         colour(style_of_series(i).rgb));
  }

  void line(std::size_t i) {
    const plot_line& drawn = lines_[i];
    if (drawn.dots.empty()) return;
    const series_style style = style_of_series(i);
    if (drawn.level) {
      const double y = py(drawn.dots.front().y.value);
      stroke(plot_left, y, plot_right, y, colour(style.rgb), "stroke-width=\"1.5\" stroke-dasharray=\"7 4\"");
      return;
    }
    std::string path;
    for (const plot_dot& dot : drawn.dots) path += fmt::format("{:.1f},{:.1f} ", px(dot.x), py(dot.y.value));
    if (!is_scatter(plot_))
      body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", path,
                           colour(style.rgb));
    for (const plot_dot& dot : drawn.dots)
      mark(px(dot.x), py(dot.y.value), style,
           fmt::format("{}: {}, {}", dot.point->row.id, dot.point->name_of(*dot.point->best()),
                       value_words(plot_.y, dot.y.value, drawn.part)));
  }

  void mark(double x, double y, const series_style& style, const std::string& words) {
    constexpr double r = 3.6;
    const auto points = [&](std::initializer_list<std::pair<double, double>> corners) {
      std::string list;
      for (const auto& [dx, dy] : corners) list += fmt::format("{:.1f},{:.1f} ", x + dx * r, y + dy * r);
      return fmt::format("<polygon points=\"{}\"", list);
    };
    std::string shape;
    switch (style.shape) {
      case 0:
        shape = fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"", x, y, r);
        break;
      case 1:
        shape = points({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
        break;
      case 2:
        shape = points({{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}});
        break;
      case 3:
        shape = points({{0, -1.3}, {1.1, 0}, {0, 1.3}, {-1.1, 0}});
        break;
      case 4:
        shape = points({{-1.2, -0.4},
                        {-0.4, -0.4},
                        {-0.4, -1.2},
                        {0.4, -1.2},
                        {0.4, -0.4},
                        {1.2, -0.4},
                        {1.2, 0.4},
                        {0.4, 0.4},
                        {0.4, 1.2},
                        {-0.4, 1.2},
                        {-0.4, 0.4},
                        {-1.2, 0.4}});
        break;
      default:
        shape = points({{0, 1.2}, {1.1, -0.8}, {-1.1, -0.8}});
    }
    body_ += fmt::format("{} fill=\"{}\" stroke=\"{}\" stroke-width=\"0.8\"><title>{}</title></{}>\n", shape,
                         colour(style.rgb), paper, xml_text(words), style.shape == 0 ? "circle" : "polygon");
  }

  void legend() {
    double y = plot_top + 8;
    for (std::size_t i = 0; i < lines_.size(); ++i, y += line_height) {
      const series_style style = style_of_series(i);
      const bool empty = lines_[i].dots.empty();
      stroke(legend_left, y - 4, legend_left + 22, y - 4, colour(style.rgb),
             lines_[i].level ? "stroke-width=\"1.5\" stroke-dasharray=\"7 4\"" : "stroke-width=\"1.6\"");
      if (!lines_[i].level) mark(legend_left + 11, y - 4, style, lines_[i].series);
      const std::string words = empty ? lines_[i].series + ": no points" : lines_[i].series;
      text({legend_left + 29, y, words, empty ? dim : ink, small});
    }
    for (const missing_series& one : of_.missing) {
      const std::string words = "missing: " + one.name;
      text({.x = legend_left + 29, .y = y, .words = words, .fill = dim, .size = small, .italic = true});
      y += line_height;
    }
    if (marks_leaving_) {
      stroke(legend_left + 11, y - 12, legend_left + 11, y + 2, ink, "stroke-width=\"2.4\"");
      const std::string words = fmt::format("its own index leaves {} of L2", bytes_text(head_.machine.l2_bytes));
      text({legend_left + 29, y, words, dim, small});
      y += line_height;
    }
    legend_bottom_ = y;
  }

  void title() {
    text({.x = 16, .y = 26, .words = of_.sentence, .fill = ink, .size = large, .semibold = true});
    const std::string cut = head_.scale == 0 ? "" : fmt::format(", every count divided by 2^{}", head_.scale);
    const std::string words = fmt::format("{} ({}) on {}{}", of_.name, of_.source, head_.machine.name, cut);
    text({16, 46, words, dim});
  }

  std::string workload_words() const { return points_.empty() ? "" : to_line(points_.back().row.load); }
  // Driver and clocks; of points that were put together from a folder the last one's.
  std::string machine_state() const {
    std::string words;
    if (!head_.machine.driver.empty()) words += fmt::format("; driver {}", head_.machine.driver);
    if (!head_.clocks_before.empty()) words += fmt::format("; clocks before: {}", head_.clocks_before);
    if (!head_.clocks_after.empty()) words += fmt::format("; clocks after: {}", head_.clocks_after);
    const bool told = !head_.clocks_before.empty() || !head_.clocks_after.empty();
    if (!told && !points_.empty() && !points_.back().clocks.empty())
      words += fmt::format("; clocks at the last point: {}", points_.back().clocks);
    return words;
  }
  std::string repeat_words() const {
    const std::string runs =
        of_runs(plot_.y) && !is_scatter(plot_)
            ? fmt::format("; medians of {}; bands: the middle half of the runs", head_.rounds.runs_words())
            : "";
    return fmt::format("{}, commit {}{}{}; the last point's workload: {}", head_.program, head_.commit, machine_state(),
                       runs, workload_words());
  }

  // Its last line's height.
  double foot() {
    double y = plot_bottom + 70 + below_ticks_;
    std::vector<std::string> lines;
    if (!of_.saw.empty()) lines = wrapped("The paper saw: " + of_.saw, words_a_line);
    for (const std::string& words : lines) text({16, y, words, ink}), y += line_height;
    std::size_t lacking = 0;
    for (const sweep_point& point : points_) lacking += point.best() == nullptr;
    const std::string lack = fmt::format("{} of {} points have no figures.", lacking, points_.size());
    if (lacking > 0) text({16, y, lack, dim}), y += line_height;
    for (const std::string& words : wrapped(repeat_words(), small_words_a_line))
      text({16, y, words, dim, tiny}), y += line_height;
    return y - line_height;
  }

  const sweep& of_;
  const sweep_head& head_;
  const sweep_plot& plot_;
  std::span<const sweep_point> points_;
  const words_writer& words_;
  std::vector<plot_line> lines_;
  plot_range x_, y_;
  double legend_bottom_ = 0;
  double below_ticks_ = 0;      // of a second row of their words
  bool marks_leaving_ = false;  // some series
  std::string body_;
};

}  // namespace

std::string words_as_text(const drawn_words& words) {
  std::string how;
  if (words.size != drawn_words::usual_size) how += fmt::format(" font-size=\"{}\"", words.size);
  if (words.semibold) how += " font-weight=\"600\"";
  if (words.italic) how += " font-style=\"italic\"";
  if (words.anchor != words_anchor::start)
    how += words.anchor == words_anchor::end ? " text-anchor=\"end\"" : " text-anchor=\"middle\"";
  if (words.upwards) how += fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", words.x, words.y);
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\"{}>{}</text>\n", words.x, words.y, words.fill, how,
                     xml_text(words.words));
}

series_style style_of_series(std::size_t i) {
  // Okabe and Ito's, without yellow, which is pale on white, and with a grey.
  constexpr std::array<u32, 8> colours = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                          0x56b4e9, 0xb8860b, 0x000000, 0x7f7f7f};
  return {colours[i % colours.size()], static_cast<u32>(i % series_shapes)};
}

std::string sweep_svg(const sweep& of, const sweep_head& head, std::span<const sweep_point> points,
                      const words_writer& words) {
  return drawing(of, head, points, words).take();
}

std::string sweep_plot_svg(const sweep& of, const sweep_head& head, std::span<const sweep_point> points) {
  return drawing(of, head, points, words_as_text).take_plot();
}

}  // namespace pivotscope
