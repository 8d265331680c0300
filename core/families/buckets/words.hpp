// The steps of a search or a write in words: which slab, what it met there, and where it goes on.
#pragma once

#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_chain(lookup_trace& trace, const stored_index& index);

}  // namespace pivotscope
