// The axes of the family `ordered`.
#pragma once

#include <vector>

#include "core/config/axis.hpp"

namespace pivotscope {

inline constexpr u32 least_fanout = 2, greatest_fanout = 33;
inline constexpr u32 greatest_pivots = 32;

std::vector<axis> ordered_axes();

}  // namespace pivotscope
