// The sweep `packed`: what the packed index is to reach (docs/packed.md), beside what it is compared with.
#pragma once

#include "core/sweep/sweep.hpp"

namespace pivotscope {

sweep packed_sweep();

}  // namespace pivotscope
