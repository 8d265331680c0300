// How many entries an index holds of the keys that it was built from: all, or one a key where its family keeps no duplicates.
#pragma once

#include <optional>
#include <string>

#include "core/index/built_index.hpp"

namespace pivotscope {

// Of an index as it was built.
u64 entry_count(const stored_index& built);

// "holds 2 of 4 rows: one a key"; empty where it holds all, or where that is not known.
std::string held_words(std::optional<u64> held, u64 rows);

}  // namespace pivotscope
