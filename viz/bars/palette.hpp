// The command palette: all that can be done, found by a few letters of its words.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

struct palette_entry {
  std::string words;  // "method EO+KS"
  std::string keys;   // empty: it has none
  bool possible = true;
  std::function<void(frame&)> act;
};

// The commands, the panels, the lessons, the machines, and each value of each axis that a config near this one can
// have.
std::vector<palette_entry> palette_entries(const frame& f);
// Those that have the letters of `sought` in their order, the best first: where each is. Of nothing: all, as they are.
std::vector<std::size_t> palette_found(const std::vector<palette_entry>& entries, std::string_view sought);

// The palette, when it is open.
void command_palette(frame& f);

}  // namespace pivotscope::viz
