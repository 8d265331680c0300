// Which configs the autotuner measures; tuning_candidates() is declared in autotuner.hpp.
#pragma once

#include "core/tuning/autotuner.hpp"

namespace pivotscope {

// The same search with other blocks, pinning and reordering, each accepted by check().
std::vector<index_config> configs_near(const index_config& config, machine_kind kind);

}  // namespace pivotscope
