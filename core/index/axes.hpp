// The methods and knobs of all families: for the window, the config's line, JSON and the help.
#pragma once

#include "core/index/family.hpp"

namespace pivotscope {

std::string method_name(const index_config& config);  // "AO+PB+KS"
std::span<const std::string> method_names();          // of all families, in the order of the table

// A family's knobs; the first is the method, whose values are those of all families.
std::span<const axis> axes(family_id id);
const axis* find_axis(family_id id, std::string_view name);
const axis* find_axis(std::string_view name);  // of the first family that has it

}  // namespace pivotscope
