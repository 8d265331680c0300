// The build told slot by slot: the functions that build, run with something that watches their terms. Host only.
#pragma once

#include <vector>

#include "core/families/ordered/config.hpp"
#include "core/families/ordered/shape.hpp"
#include "core/index/model.hpp"

namespace pivotscope {

inline constexpr u32 entries_at_once = 4;  // that a GPU's thread stores, so that their loads are on the way together

std::vector<pass_info> passes_of(const ordered_config& config, const index_shape& shape);
build_step step_of_build(const ordered_config& config, const index_shape& shape, u32 pass, u64 slot);

}  // namespace pivotscope
