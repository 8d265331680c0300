// The words of a trace of an RX index.
#pragma once

#include "core/index/built_index.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_rx(lookup_trace& trace, const stored_index& index);

}  // namespace pivotscope
