// Configs of the family `ordered` beside those of any family.
#pragma once

#include "core/families/ordered/mapping.hpp"

namespace pivotscope {

inline ordered_config knobs_of(const index_config& config) { return ordered_config::of(config); }

inline bool operator==(const index_config& a, const ordered_config& b) { return a == index_config(b); }

}  // namespace pivotscope
