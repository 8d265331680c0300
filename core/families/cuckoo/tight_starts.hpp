// Tables of `cuckoo` that are one insert before an eviction, before another home is the lightest, or before the stash.
#pragma once

#include <vector>

#include "core/families/cuckoo/config.hpp"
#include "core/index/tight_start.hpp"

namespace pivotscope {

std::vector<tight_start> tight_homes(const cuckoo_config& config);  // with evictions
std::vector<tight_start> tight_loads(const cuckoo_config& config);  // with another placement

}  // namespace pivotscope
