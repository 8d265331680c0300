// The papers' measured figures as sweeps: axes and series as the papers have them, of the structures that there are
// here.
#pragma once

#include <vector>

#include "core/sweep/sweep.hpp"

namespace pivotscope {

std::vector<sweep> lightweight_sweeps();  // "Is Binary Search Really All You Need?", Sections 1, 5 and 6
std::vector<sweep> short_sweeps();
std::vector<sweep> gph_sweeps();  // "GPH", Section 7  // "All You Need Is Binary Search!"

}  // namespace pivotscope
