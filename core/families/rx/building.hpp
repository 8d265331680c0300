// How an RX index is built, and what a batch of writes does to it: which passes run, over what.
#pragma once

#include <span>

#include "core/families/rx/config.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

std::span<const build_pass> rx_passes();

outcome<state_bytes> build_rx(executor& on, const rx_config& config);
// Does the writes of a batch: by a rebuild or a refit, as the config says.
outcome<state_bytes> update_rx(executor& on, const rx_config& config, const state_bytes& state,
                               const write_batch& batch);
// Builds the scene again from its entries: bit for bit what a build over them gives, in the order of their row ids.
outcome<state_bytes> rebuild_rx(executor& on, const rx_config& config, const state_bytes& state);

}  // namespace pivotscope
