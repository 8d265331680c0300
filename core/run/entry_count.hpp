// How many entries an index holds of the keys that it was built from: all, or one per key if its
// family keeps no duplicates.
#pragma once

#include <optional>
#include <string>

#include "core/index/built_index.hpp"

namespace pivotscope {

// Counts the entries of an index as it was built.
u64 entry_count(const stored_index& built);

// Returns words such as "holds 2 of 4 rows: one a key"; empty if it holds all, or if `held` is not known.
std::string held_words(std::optional<u64> held, u64 rows);

}  // namespace pivotscope
