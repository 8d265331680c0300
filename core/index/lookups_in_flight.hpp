// Lookups in flight: how many lookups of a thread a GPU's group of lanes serves in step. An axis
// of the families that can.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/config/axis.hpp"

namespace pivotscope {

inline constexpr u32 most_lookups_in_flight = 8;
inline constexpr u32 wave_lookups = 32;  // the lookups of a wave (simt/wave.hpp)

// Returns the axis; its get and set are the family's.
axis in_flight_axis(std::string (*get)(const index_config&), bool (*set)(index_config&, std::string_view));

// Returns why so many are refused, in a sentence; nothing if they are accepted.
std::optional<std::string> check_in_flight(u32 flight, u32 per_thread);
// Moves what check_in_flight() refuses to the closest legal value. `keep` (an axis's name, or empty) stays as it is.
void accept_in_flight(u32& flight, u32& per_thread, std::string_view keep);

// The same for a family whose groups of `lanes` threads serve all their lookups as one wave.
// Both must be powers of two.
std::optional<std::string> check_group_in_flight(u32 flight, u32 lanes);
void accept_group_in_flight(u32& flight, u32& lanes, std::string_view keep);

}  // namespace pivotscope
