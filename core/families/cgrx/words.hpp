// The words of a trace of a cgRX index.
#pragma once

#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_cgrx(lookup_trace& trace, const stored_index& index);

}  // namespace pivotscope
