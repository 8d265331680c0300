// Which configs there are: the limits of every field, and which fields go together.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/config/index_config.hpp"

namespace pivotscope {

inline constexpr u32 greatest_scratch =
    227 * 1024;  // Hopper's; what the device at hand has is checked when it is asked

// Why `config` is refused, in a sentence; nothing when it is accepted. The one place that knows.
std::optional<std::string> check(const index_config& config);

// Why no index of an accepted config can be built over so many keys, in a sentence; nothing when it can.
std::optional<std::string> check_keys(const index_config& config, u64 keys);

// What speaks against an accepted config, in a sentence; nothing for most.
std::optional<std::string> caution(const index_config& config);

// The nearest accepted config: each refused axis is moved to its closest legal value, but `keep` (an axis name, or
// empty) stays as it is.
index_config nearest_accepted(index_config config, std::string_view keep = {});

}  // namespace pivotscope
