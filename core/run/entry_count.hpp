// How many entries an index holds. As it was built these are all of its keys, or one per key if its family keeps no
// duplicates.
#pragma once

#include <optional>
#include <string>

#include "core/index/built_index.hpp"

namespace pivotscope {

// Returns how many entries an index holds. Its state tells it, so nothing is read.
u64 entry_count(const stored_index& index);

// Returns words such as "holds 2 of 4 rows: one a key"; empty if it holds all, or if `held` is not known.
std::string held_words(std::optional<u64> held, u64 rows);

}  // namespace pivotscope
