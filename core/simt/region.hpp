// An index is named regions of cells: what a cell is belongs to the family (index/family.hpp). Here a region is a number.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

enum class region_id : u8 {};

inline constexpr u32 max_regions = 4;

}  // namespace pivotscope
