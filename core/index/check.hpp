// Which configs are legal: the limits of each field, and which fields go together.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/config/index_config.hpp"

namespace pivotscope {

// Hopper's limit, in bytes. That of the device at hand is checked when it is used.
inline constexpr u32 greatest_scratch = 227 * 1024;

// Returns why `config` is refused, in a sentence; nothing if it is accepted. Only this function decides that.
std::optional<std::string> check(const index_config& config);

// Returns why an accepted config cannot have an index over so many keys, in a sentence; nothing if it can.
std::optional<std::string> check_keys(const index_config& config, u64 keys);

// Returns a warning about an accepted config, in a sentence; nothing for most configs.
std::optional<std::string> caution(const index_config& config);

// Returns the nearest accepted config: each refused axis is moved to its closest legal value. `keep` (an axis's name,
// or empty) stays as it is.
index_config nearest_accepted(index_config config, std::string_view keep = {});

}  // namespace pivotscope
