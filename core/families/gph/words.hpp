// A trace of `gph` in words.
#pragma once

#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_cells(lookup_trace& trace, const stored_index& index);

}  // namespace pivotscope
