// The searches of `cgrx_nodes` that are compiled for their config.
#pragma once

#include "core/families/cgrx_nodes/config.hpp"
#include "core/rays/scene_config.hpp"

namespace pivotscope {

using cgrx_nodes_hot_configs = scene_hot_configs<cgrx_nodes_config>;

}  // namespace pivotscope
