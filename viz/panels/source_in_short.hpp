// The operation in some ten lines beside its source: what Source draws of them, and how the two lead to each other.
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

// How high all its lines are, with their heading.
float in_short_height(const linked_code& code);

// Lines that the step runs are marked; the mouse over one points at its lines in the source, a click shows them there,
// and goes to the next step that runs it where this one does not.
void in_short(frame& f, const lookup_trace& trace, u32 step, ImVec2 size);

}  // namespace pivotscope::viz
