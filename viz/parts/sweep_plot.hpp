// A sweep's points drawn as its plot, in the window.
#pragma once

#include <span>

#include "core/sweep/plot_lines.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

struct pointed_dot {
  const plot_dot* dot = nullptr;  // null: the mouse is at none
  std::size_t line = 0;
  std::optional<ImVec2> first = {};  // where the first dot of all is
};

// What another machine came to, behind one's own lines: thin, without marks, and named at an end.
struct curves_behind {
  std::string device;
  std::vector<plot_line> lines;  // of the same sweep, in the same order
};

// A series' colour as it can be seen on the panel, and how its line is drawn: 0 through, else of dashes. No two of 24
// are alike, with the mark's shape.
ImU32 ink_of_series(std::size_t i);
u32 dashes_of_series(std::size_t i);

// Lines with a mark a point, the middle half of the runs as a band; a rule where a sorted array leaves the cache of so
// many bytes, and a tick across each line where its own index does, where that is known.
pointed_dot draw_sweep_plot(const pivotscope::sweep& of, std::span<const plot_line> lines,
                            std::span<const curves_behind> behind, u64 cache_bytes, ImVec2 size);

// Each series with its mark, then what is missing, in rows as wide as `width`; the line that the mouse is at, in bold;
// what the ticks are, where there are some.
void draw_sweep_legend(const pivotscope::sweep& of, std::span<const plot_line> lines, u64 cache_bytes,
                       std::optional<std::size_t> pointed, float width);

}  // namespace pivotscope::viz
