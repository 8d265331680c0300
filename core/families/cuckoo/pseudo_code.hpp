// HT+CUCKOO's operations in a few lines, as its knobs have them.
#pragma once

#include "core/families/cuckoo/config.hpp"
#include "core/index/linked_code.hpp"

namespace pivotscope {

pseudo_code cuckoo_pseudo_code(const cuckoo_config& config, operation kind);

}  // namespace pivotscope
