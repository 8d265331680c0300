// What the papers' sweeps have in common: their baselines, their combinations of optimisations, their blocks.
#pragma once

#include <string>
#include <vector>

#include "core/sweep/sweep_grid.hpp"

namespace pivotscope {

// Scratch that pinning fills: what the papers' devices have, but for a reordering's share.
inline constexpr const char* papers_scratch = "scratch=96KiB";

// 1024, 512, 256 and 128 threads; 1024 lookups a block, then 2048.
std::vector<grid_tick> papers_blocks();

// An optimisation of O2 and O3 together, or none.
struct optimisation {
  std::string name, config;
};
std::vector<optimisation> pinning_and_reordering();  // each of three with each of three
// A series of each, "{}" where the tick's part stands: those of a plot, or the candidates of one point.
std::vector<grid_series> series_by_optimisation(const std::string& line);
std::vector<std::string> candidates_by_optimisation(const std::string& line);

// WarpCore's table, at each load; the better one where there are two.
grid_series open_table(const std::string& name, const std::vector<u32>& loads);
// SlabHash's table, likewise: slabs of 15 entries, a lane for each and one for the link.
grid_series bucket_table(const std::string& name, const std::vector<u32>& loads);
// Awad's B+-tree: 16 lanes a node of 15 pairs, built to each fill; the better one where there are two.
grid_series tree(const std::string& name, const std::vector<u32>& fills);
std::vector<grid_series> both_trees();  // half full and full
grid_series as_level(grid_series series);

// Each method at its best, by a few configs that were best somewhere.
std::vector<grid_series> best_of_each();
grid_series best_of(const std::string& method);

}  // namespace pivotscope
