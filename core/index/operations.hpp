// Which operations a config's family has. Whoever gives a batch to a config asks this first.
#pragma once

#include <optional>
#include <string>

#include "core/config/index_config.hpp"
#include "core/workload/operation_table.hpp"

namespace pivotscope {

// Returns why the config's family lacks `kind`, with the methods that have it; nothing if it has it. "PLAIN has no
// order, so it has no successors; AO+BS, AO+KS, EO+BS, EO+KS, AO+PB+BS and AO+PB+KS have them"
std::optional<std::string> check_serves(const index_config& config, operation kind);

}  // namespace pivotscope
