// Entries of which the next insert takes the last slot of a step, or finds no slot.
#pragma once

#include "core/index/tight_start.hpp"

namespace pivotscope {

std::vector<tight_start> tight_entries();

}  // namespace pivotscope
