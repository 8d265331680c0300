// Tables of `cuckoo` that are one insert before an eviction, or before the stash.
#pragma once

#include <vector>

#include "core/families/cuckoo/config.hpp"
#include "core/index/tight_start.hpp"

namespace pivotscope {

std::vector<tight_start> tight_homes(const cuckoo_config& config);

}  // namespace pivotscope
