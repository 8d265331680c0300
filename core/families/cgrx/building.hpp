// The build of a cgRX index, stage by stage.
#pragma once

#include <span>

#include "core/families/cgrx/config.hpp"
#include "core/index/executor.hpp"

namespace pivotscope {

std::span<const build_pass> cgrx_passes();

// Builds the index on a machine, and returns its cgrx_view.
outcome<state_bytes> build_cgrx(executor& on, const cgrx_config& config);

}  // namespace pivotscope
