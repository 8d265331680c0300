// Puts a trace's steps into words: what was compared, what it rules out, where the search goes.
#pragma once

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

// Fills in left_first, left_end, words and next of every step, and the verdict, of a lookup or of a range. Reads only
// what the steps recorded: a key that was seen to be smaller rules out itself and all before it, whatever the order in
// memory.
void narrate(lookup_trace& trace);

}  // namespace pivotscope
