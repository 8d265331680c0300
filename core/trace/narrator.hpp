// Puts a trace's steps into words: what was compared, what it rules out, where the search goes.
#pragma once

#include "core/index/ordered/shape.hpp"
#include "core/trace/trace.hpp"

namespace pivotscope {

// Fills in left_first, left_end, words and next of every step, and the verdict. Reads only what the steps recorded: a
// key that was seen to be smaller rules out itself and all before it, whatever the order in memory.
void narrate(lookup_trace& trace, const index_shape& shape);

// The same for a range's trace: the steps of the search for its low end, and the scans.
void narrate_range(lookup_trace& trace, const index_shape& shape);

}  // namespace pivotscope
