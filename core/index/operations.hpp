// Which operations a config's family has. Whoever gives a batch to a config asks this first.
#pragma once

#include <optional>
#include <string>

#include "core/common/maintenance.hpp"
#include "core/config/index_config.hpp"
#include "core/workload/operation_table.hpp"

namespace pivotscope {

// Returns why the config's family lacks `kind`, with the methods that have it; nothing if it has it. "PLAIN has no
// order, so it has no successors; AO+BS, AO+KS, EO+BS, EO+KS, AO+PB+BS and AO+PB+KS have them"
std::optional<std::string> check_serves(const index_config& config, operation kind);

// The same for what is done to a whole index: a family whose indexes change has it. "AO+BS is built once, so it has no
// rebuild; PLAIN and HT+OA have it"
std::optional<std::string> check_serves(const index_config& config, maintenance kind);

// Returns why the config's family lacks the operation: "PLAIN has no order, so it has no successors".
std::string lacks_words(const index_config& config, operation kind);

// Returns why an operation has no path of its own to step through, in a sentence without a full stop: the family lacks it,
// or a batch changes the index as a whole.
std::optional<std::string> check_steps(const index_config& config, operation kind);
// The same of why an operation meets no others, so that there is nothing to interleave.
std::optional<std::string> check_interleaves(const index_config& config, operation kind);

// Returns the operation whose code serves `kind` in the config's family. Matches are a range from the key to itself, also
// in a family without an order, if it keeps duplicates: its range() is then asked for single keys alone. Where a key has
// one entry at most, they are its lookup.
operation served_as(const index_config& config, operation kind);

}  // namespace pivotscope
