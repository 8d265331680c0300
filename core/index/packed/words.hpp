// A trace of `packed` in words.
#pragma once

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_packed(lookup_trace& trace);

}  // namespace pivotscope
