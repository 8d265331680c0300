// A trace of `cuckoo` in words.
#pragma once

#include "core/families/cuckoo/homes.hpp"
#include "core/index/lookup_trace.hpp"

namespace pivotscope {

void tell_homes(lookup_trace& trace, const cuckoo_view& table);

}  // namespace pivotscope
