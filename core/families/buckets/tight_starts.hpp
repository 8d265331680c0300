// Tables that are one insert before something happens: a slab that is full, or a pool without a free slab.
#pragma once

#include "core/families/buckets/config.hpp"
#include "core/index/tight_start.hpp"

namespace pivotscope {

std::vector<tight_start> tight_chains(const buckets_config& config);

}  // namespace pivotscope
