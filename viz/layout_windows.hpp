// The windows of a family whose search goes from one to the next, in Layout: their frames around the cells, and above the row
// the way that the key looked for takes through them.
#pragma once

#include <span>
#include <vector>

#include "viz/layout_picture.hpp"
#include "viz/view_state.hpp"

namespace pivotscope::viz {

// One window of the key's way, in its order.
struct probe_stop {
  u64 window = 0;
  std::optional<u32> step;  // of the path that read it; none: it would be next, if nothing had ended the search
};
// Those that the path read, and the one after them, if there is one; of a model with windows.
std::vector<probe_stop> probe_stops(const index_model& model, const lookup_trace& trace);

void draw_window_frames(const frame& f, const layout_picture& p);
void draw_probe_way(const frame& f, const layout_picture& p);

}  // namespace pivotscope::viz
