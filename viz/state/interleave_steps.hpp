// The accesses that Interleave steps through, and the line that it shows.
#pragma once

#include <string>

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

void step_accesses(frame& f, int accesses);    // so many on, or back where negative
void step_to_switch(frame& f, int direction);  // to the next access of another operation, or with -1 the one before
// Shows operations in an order, with `step` of its accesses done.
void show_interleaving(frame& f, const std::string& line, std::size_t step = 0);
void show_interleaving(frame& f, const interleaved_case& of, std::size_t step = 0);

}  // namespace pivotscope::viz
