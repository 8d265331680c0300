// A sweep's plot as an SVG: for papers, and for a page beside what the paper saw.
#pragma once

#include <string>
#include <string_view>

#include "core/sweep/sweep_figures.hpp"

namespace pivotscope {

// Dark on light, 960 units wide, letters as text. Of a sweep with a plot; series without points are in its legend, and those that are missing,
// by name. Ends with a line's end.
std::string sweep_svg(const sweep& of, const sweep_head& head, std::span<const sweep_point> points);

// The same without its title and what stands below it, as wide as there is room: for a page that says these itself.
std::string sweep_plot_svg(const sweep& of, const sweep_head& head, std::span<const sweep_point> points);

// What both are drawn with, beside the series' colours: a page that is dark has others in their place.
struct svg_paint {
  std::string_view paper, ink, dim, rule;
};
inline constexpr svg_paint paint_on_white = {"#ffffff", "#1f2328", "#59636e", "#d8dee4"};

// Colours that colour-blind eyes can tell apart, and shapes: what series number i has. Eight and six, so that 24 differ.
struct series_style {
  u32 rgb;
  u32 shape;  // 0 circle, 1 square, 2 triangle, 3 diamond, 4 cross, 5 triangle upside down
};
inline constexpr u32 series_shapes = 6;
series_style style_of_series(std::size_t i);

}  // namespace pivotscope
