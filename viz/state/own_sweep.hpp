// A plot of one's own as a sweep: configs over an axis that one chooses, by the workload that is chosen.
#pragma once

#include <span>
#include <string>

#include "core/sweep/sweep.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

inline constexpr std::size_t own_axis_count = 9;
const char* name_of(own_axis x);      // "n"
const char* sentence_of(own_axis x);  // what it varies

// A row for each config at each place of the axis that it can be at: one that lacks the knob or the operation, or that
// check() refuses there, has none, and is missing where it has no row at all. Problem: no config has a row.
outcome<pivotscope::sweep> own_sweep(own_axis x, plot_y y, std::span<const index_config> configs, const workload& load);

}  // namespace pivotscope::viz
