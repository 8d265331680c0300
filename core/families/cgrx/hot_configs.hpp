// The searches of `cgrx` that are compiled for their config.
#pragma once

#include "core/families/cgrx/config.hpp"
#include "core/rays/scene_config.hpp"

namespace pivotscope {

using cgrx_hot_configs = scene_hot_configs<cgrx_config>;

}  // namespace pivotscope
