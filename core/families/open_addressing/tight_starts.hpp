// Tables that are one insert before something happens: a window that is full, or the whole table.
#pragma once

#include "core/families/open_addressing/config.hpp"
#include "core/index/tight_start.hpp"

namespace pivotscope {

std::vector<tight_start> tight_tables(const open_addressing_config& config);

}  // namespace pivotscope
