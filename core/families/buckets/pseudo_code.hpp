// HT+BUCKET's operations in a few lines, as its knobs have them.
#pragma once

#include "core/families/buckets/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code buckets_pseudo_code(const buckets_config& config, operation kind);

}  // namespace pivotscope
