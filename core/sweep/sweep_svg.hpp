// A sweep's plot as an SVG: for papers, and for a page beside what the paper saw.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/sweep/sweep_figures.hpp"

namespace pivotscope {

// Words of the drawing: one line, as wide as its letters are.
enum class words_anchor : u8 { start, middle, end };
struct drawn_words {
  double x = 0, y = 0;  // where on the letters' base line, by the anchor
  std::string_view words, fill;
  double size = usual_size;
  words_anchor anchor = words_anchor::start;
  bool semibold = false, italic = false;
  bool upwards = false;  // turned by a quarter around that place

  static constexpr double usual_size = 12;
};
// How they stand in the SVG: elements of it.
using words_writer = std::function<std::string(const drawn_words&)>;
std::string words_as_text(const drawn_words& words);  // in the reader's fonts

// Dark on light, 960 units wide. Of a sweep with a plot; series without points are in its legend, and those that are
// missing, by name. Ends with a line's end.
std::string sweep_svg(const sweep& of, const sweep_head& head, std::span<const sweep_point> points,
                      const words_writer& words = words_as_text);

// The same without its title and what stands below it, as wide as there is room: for a page that says these itself.
std::string sweep_plot_svg(const sweep& of, const sweep_head& head, std::span<const sweep_point> points);

// What both are drawn with, beside the series' colours: a page that is dark has others in their place.
struct svg_paint {
  std::string_view paper, ink, dim, rule;
};
inline constexpr svg_paint paint_on_white = {"#ffffff", "#1f2328", "#59636e", "#d8dee4"};

// Colours that colour-blind eyes can tell apart, and shapes: what series number i has. Eight and six, so that 24
// differ.
struct series_style {
  u32 rgb;
  u32 shape;  // 0 circle, 1 square, 2 triangle, 3 diamond, 4 cross, 5 triangle upside down
};
inline constexpr u32 series_shapes = 6;
series_style style_of_series(std::size_t i);

}  // namespace pivotscope
