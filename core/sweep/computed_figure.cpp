#include "core/sweep/computed_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/common/xml_text.hpp"
#include "core/sweep/theorem_6_1.hpp"

namespace pivotscope {
namespace {

// Units of the picture, as a sweep's (sweep_svg.cpp).
constexpr double width = 960, plot_left = 76, plot_right = 660, plot_top = 66, plot_bottom = 430;
constexpr double legend_left = plot_right + 24, line_height = 17, radius = 3.6;
constexpr std::size_t words_a_line = 170;

std::set<double> all_x(const computed_figure& of) {
  std::set<double> all;
  for (const computed_series& one : of.series)
    for (const computed_dot& dot : one.dots) all.insert(dot.x);
  return all;
}

std::string quoted(const std::string& cell) { return cell.find(',') == cell.npos ? cell : fmt::format("\"{}\"", cell); }

class computed_drawing {
 public:
  computed_drawing(const computed_figure& of, const words_writer& words) : of_(of), words_(words) {
    const std::set<double> all = all_x(of);
    if (!all.empty()) x_low_ = *all.begin(), x_high_ = std::max(*all.rbegin(), x_low_ + 1);
    y_low_ = 1e300;
    each_dot([&](const computed_dot& dot) { y_low_ = std::min(y_low_, dot.y), y_high_ = std::max(y_high_, dot.y); });
    y_low_ = std::min(y_low_, y_high_) / 1.3, y_high_ *= 1.3;
  }

  std::string take() {
    axes();
    for (const computed_series& one : of_.series) draw(one);
    legend();
    const paint_words paint;
    text({.x = 16, .y = 26, .words = of_.sentence, .fill = paint.ink, .size = 17, .semibold = true});
    const std::string source = fmt::format("{} ({})", of_.name, of_.source);
    text({16, 46, source, paint.dim});
    double y = plot_bottom + 70;
    for (std::string_view left = of_.below; !left.empty(); y += line_height) {
      const std::size_t end = left.size() <= words_a_line ? left.size() : left.rfind(' ', words_a_line);
      text({16, y, left.substr(0, end), paint.dim, 10.5});
      left.remove_prefix(std::min(left.size(), end + 1));
    }
    const double bottom = std::max(y, legend_bottom_) + 4;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" font-family=\"Inter, Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
        "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"{3}\"/>\n{4}</svg>\n",
        width, bottom, xml_text(of_.name), paint_on_white.paper, body_);
  }

 private:
  struct paint_words {
    std::string_view ink = paint_on_white.ink, dim = paint_on_white.dim, rule = paint_on_white.rule;
  };

  // f(dot) of those that are shown.
  template <class F>
  void each_dot(F&& f) const {
    for (const computed_series& one : of_.series)
      for (const computed_dot& dot : one.dots)
        if (is_shown(dot)) f(dot);
  }
  bool is_shown(const computed_dot& dot) const { return dot.y > 0 && dot.y >= of_.least_y; }
  double px(double x) const { return plot_left + (x - x_low_) / (x_high_ - x_low_) * (plot_right - plot_left); }
  double py(double y) const {
    return plot_bottom - std::log(y / y_low_) / std::log(y_high_ / y_low_) * (plot_bottom - plot_top);
  }
  void text(const drawn_words& words) { body_ += words_(words); }
  void stroke(double x0, double y0, double x1, double y1, std::string_view paint, std::string_view more = "") {
    body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" {}/>\n", x0, y0,
                         x1, y1, paint, more);
  }

  void axes() {
    const paint_words paint;
    const double decades = std::log10(y_high_ / y_low_);
    for (int power = static_cast<int>(std::floor(std::log10(y_low_))); power <= std::log10(y_high_); ++power) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double at = digit * std::pow(10, power);
        if (at < y_low_ || at > y_high_ || (digit > 1 && decades > 3)) continue;
        stroke(plot_left, py(at), plot_right, py(at), paint.rule);
        const std::string words = fmt::format("{:g}", at);
        text({plot_left - 8, py(at) + 4, words, paint.dim, 12, words_anchor::end});
      }
    }
    constexpr double x_step = 10;
    for (double x = std::ceil(x_low_ / x_step) * x_step; x <= x_high_; x += x_step) {
      stroke(px(x), plot_bottom, px(x), plot_bottom + 4, paint.dim);
      const std::string words = fmt::format("{:g}", x);
      text({px(x), plot_bottom + 19, words, paint.dim, 12, words_anchor::middle});
    }
    stroke(plot_left, plot_bottom, plot_right, plot_bottom, paint.dim);
    stroke(plot_left, plot_top, plot_left, plot_bottom, paint.dim);
    text({(plot_left + plot_right) / 2, plot_bottom + 40, of_.x_words, paint.ink, 12, words_anchor::middle});
    text({.x = 16,
          .y = (plot_top + plot_bottom) / 2,
          .words = of_.y_words,
          .fill = paint.ink,
          .anchor = words_anchor::middle,
          .upwards = true});
  }
  static std::string colour_of(const computed_series& one) {
    return fmt::format("#{:06x}", style_of_series(one.colour).rgb);
  }
  static std::string_view dashes_of(const computed_series& one) {
    return one.how == drawn_as::dashes ? " stroke-dasharray=\"6 4\"" : "";
  }
  // Hollow where nothing joins them.
  void dot(double x, double y, const computed_series& one, const std::string& title) {
    body_ += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" "
        "stroke-width=\"1.4\"><title>{}</title></circle>\n",
        x, y, radius, one.how == drawn_as::joined_dots ? colour_of(one) : std::string(paint_on_white.paper),
        colour_of(one), xml_text(title));
  }
  void draw(const computed_series& one) {
    std::string path;
    for (const computed_dot& at : one.dots)
      if (is_shown(at)) path += fmt::format("{:.1f},{:.1f} ", px(at.x), py(at.y));
    if (one.how != drawn_as::dots)
      body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n", path,
                           colour_of(one), dashes_of(one));
    if (one.how == drawn_as::line || one.how == drawn_as::dashes) return;
    for (const computed_dot& at : one.dots)
      if (is_shown(at)) dot(px(at.x), py(at.y), one, fmt::format("{} at {:g}: {:.4g}", one.name, at.x, at.y));
  }
  void legend() {
    double y = plot_top + 8;
    for (const computed_series& one : of_.series) {
      if (one.how != drawn_as::dots)
        stroke(legend_left, y - 4, legend_left + 22, y - 4, colour_of(one),
               fmt::format("stroke-width=\"1.6\"{}", dashes_of(one)));
      if (one.how == drawn_as::dots || one.how == drawn_as::joined_dots) dot(legend_left + 11, y - 4, one, one.name);
      text({legend_left + 29, y, one.name, paint_on_white.ink, 11.5});
      y += line_height;
    }
    legend_bottom_ = y;
  }

  const computed_figure& of_;
  const words_writer& words_;
  double x_low_ = 0, x_high_ = 1, y_low_ = 0.1, y_high_ = 1e-300, legend_bottom_ = 0;
  std::string body_;
};

constexpr figure_recipe recipes[] = {theorem_6_1_tries, theorem_6_1_failure};

}  // namespace

std::string computed_csv(const computed_figure& of) {
  std::string csv = quoted(of.x_words);
  for (const computed_series& one : of.series) csv += "," + quoted(one.name);
  csv += "\n";
  for (const double x : all_x(of)) {
    csv += fmt::format("{:g}", x);
    for (const computed_series& one : of.series) {
      const auto at = std::ranges::find(one.dots, x, &computed_dot::x);
      csv += at == one.dots.end() ? "," : fmt::format(",{:.6g}", at->y);
    }
    csv += "\n";
  }
  return csv;
}

std::string computed_svg(const computed_figure& of, const words_writer& words) {
  return computed_drawing(of, words).take();
}

std::span<const figure_recipe> figure_recipes() { return recipes; }

const figure_recipe* find_figure(std::string_view name) {
  const auto at = std::ranges::find(recipes, name, &figure_recipe::name);
  return at == std::end(recipes) ? nullptr : &*at;
}

}  // namespace pivotscope
