// What a lookup of a merged index does, in words.
#pragma once

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_merged(lookup_trace& trace);

}  // namespace pivotscope
