// The steps of a lookup, an insert or an erase in a table, in words.
#pragma once

#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_probes(lookup_trace& trace);

}  // namespace pivotscope
