// A figure whose points have no time: a theorem beside what indexes do. Like a sweep's plot it has series over an axis, and comes
// as CSV and SVG.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/sweep/sweep_svg.hpp"

namespace pivotscope {

class machine;

// How a series is drawn: what a formula says as a line, what is counted by dots.
enum class drawn_as : u8 { line, dashes, dots, joined_dots };

struct computed_dot {
  double x = 0, y = 0;
};
struct computed_series {
  std::string name;
  drawn_as how = drawn_as::line;
  u32 colour = 0;  // style_of_series(): what belongs together has the same
  std::vector<computed_dot> dots = {};
};
struct computed_figure {
  std::string name = {}, sentence = {}, source = {}, x_words = {}, y_words = {};
  std::string below = {};  // how it was made, in a sentence or two
  double least_y = 0;      // y is logarithmic, and shown from here on
  std::vector<computed_series> series = {};
};

// x, then a column for each series; empty where it has no dot.
std::string computed_csv(const computed_figure& of);
// Ends with a line's end.
std::string computed_svg(const computed_figure& of, const words_writer& words = words_as_text);

// A figure that can be made, on the cpu machine.
struct figure_recipe {
  std::string_view name, sentence, source;
  outcome<computed_figure> (*make)(machine& cpu, const job_control& control);
};
std::span<const figure_recipe> figure_recipes();
const figure_recipe* find_figure(std::string_view name);  // null: there is none of that name

}  // namespace pivotscope
