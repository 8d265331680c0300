// Puts the steps of a lookup in an index of nodes into words.
#pragma once

#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_nodes(lookup_trace& trace, const stored_index& index);

}  // namespace pivotscope
