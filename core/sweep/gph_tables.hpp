// What the sweeps of gph share: the tables of its figures as lines, and how a grid becomes a sweep.
#pragma once

#include <string>

#include "core/sweep/sweep_grid.hpp"

namespace pivotscope {

// The paper's four, as it ran them; without their load.
inline constexpr const char *warpcore = "HT+OA lanes=8 window=8 probing=double",
                            *dycuckoo = "HT+CUCKOO lanes=16 bucket=16 homes=2 layout=soa",
                            *cudpp = "HT+CUCKOO lanes=1 bucket=1 homes=4 stash=64",
                            *papers_gph = "GPH lanes=4 bucket=16 virtuals=8 bits=8 per_cell=13";

// `source`: "Section 7.2, Figure 9".
sweep gph_sweep(std::string name, std::string sentence, const char* source, const sweep_grid& grid, sweep_plot plot,
                std::string saw);

}  // namespace pivotscope
