// What `pivotscope sweep` prints: of the sweeps that there are, of one of them, of what was measured.
#pragma once

#include <vector>

#include "core/sweep/computed_figure.hpp"
#include "core/sweep/sweep_figures.hpp"
#include "core/sweep/sweep_result.hpp"

namespace pivotscope {

// The exit status.
int print_sweeps();
int print_sweep(const sweep& of);  // what it is made of, and what the paper saw
int print_figure(const figure_recipe& of);
void print_computed(const computed_figure& of);  // a row for each x, and a column for each series

// Each row beside the same one of a result that was measured before; `name`: where that lies.
void print_comparison(std::string_view name, const sweep_result& before, const std::vector<sweep_point>& now);

// `kept` of the points were measured before; `seconds` that the others took.
void print_points(const sweep& what, const sweep_head& head, const std::vector<sweep_point>& points, std::size_t kept,
                  double seconds);

}  // namespace pivotscope
