// The parts of cells that are no whole bytes, as views name them. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/index/model.hpp"

namespace pivotscope::viz {

// Those of a cell, in its pack's order; the last of a pack has with its own what belongs to none.
std::vector<const bit_field*> bits_of(const region_info& region, u64 cell);
// Those that have bits among bytes [first, end) of a cell or a pack.
std::vector<const bit_field*> bits_among(const region_info& region, u64 first, u64 end);
// Of the bytes that it lies in. Nothing: it is too long for a number.
std::optional<u64> bits_value(const bit_field& field, std::span<const std::byte> bytes);
// "0-19", "127"; with its name: "row id 0-19"
std::string bits_numbers(const bit_field& field);
std::string bits_name(const bit_field& field);

}  // namespace pivotscope::viz
