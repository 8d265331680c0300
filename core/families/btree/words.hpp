// The steps of a trace through a tree, in words.
#pragma once

#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_tree(lookup_trace& trace, const stored_index& index);

}  // namespace pivotscope
