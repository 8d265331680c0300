// The papers' measured figures as sweeps: axes and series as the papers have them, of the structures that there are
// here.
#pragma once

#include <vector>

#include "core/sweep/sweep.hpp"

namespace pivotscope {

std::vector<sweep> lightweight_sweeps();  // "Is Binary Search Really All You Need?", Sections 1, 5 and 6
std::vector<sweep> short_sweeps();        // "All You Need Is Binary Search!"
std::vector<sweep> gph_sweeps();          // "GPH", Section 7
std::vector<sweep> btree_sweeps();        // "Engineering a High-Performance GPU B-Tree", Section 5
std::vector<sweep> rx_sweeps();           // "cgRX", Figure 1: the limits of RX
std::vector<sweep> cgrx_sweeps();         // "More Bang For Your Buck(et)", Sections 5 and 6

}  // namespace pivotscope
