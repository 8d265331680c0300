// Which operations a config's family has: asked wherever a batch meets a config.
#pragma once

#include <optional>
#include <string>

#include "core/config/index_config.hpp"
#include "core/workload/operation_table.hpp"

namespace pivotscope {

// Why a config cannot be asked for `kind`, with the methods that can; nothing when it can. "PLAIN has no order, so it has
// no successors; AO+BS, AO+KS, EO+BS, EO+KS, AO+PB+BS and AO+PB+KS have them"
std::optional<std::string> check_serves(const index_config& config, operation kind);

}  // namespace pivotscope
