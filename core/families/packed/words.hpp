// What a lookup of a packed index does, in words.
#pragma once

#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_packed(lookup_trace& trace, const stored_index& index);

}  // namespace pivotscope
