// The windows of a family whose search goes from one to the next, in Layout: their frames around the cells, and above
// the row the way that the key looked for takes through them. Where the table is too large for its cells to be read,
// the lookup's windows have a row of their own, with the axis broken between those that lie apart.
#pragma once

#include <span>
#include <vector>

#include "viz/layout/layout_picture.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// One window of the key's way, in its order.
struct probe_stop {
  u64 window = 0;
  std::optional<u32> step;  // of the path that read it; none: it would be next, if nothing had ended the search
};
// Those that the path read, and the one after them, if there is one; of a model with windows.
std::vector<probe_stop> probe_stops(const index_model& model, const lookup_trace& trace);

// Their windows, each once, in the order of the search.
std::vector<u64> windows_of(const index_model& model, const lookup_trace& trace);
// Do searches go on to the next window in memory, so that full windows side by side are one long way?
bool forms_clusters(const index_model& model);

// Frames and numbers, a bar above full windows side by side, and between windows that lie apart how many there are.
void draw_window_frames(const frame& f, const layout_picture& p);
// From the windows of the lookup's own row to where they lie in the table.
void draw_window_links(const frame& f, const layout_picture& p);
void draw_probe_way(const frame& f, const layout_picture& p);

}  // namespace pivotscope::viz
