// Reads what an index holds from its memory. Its model knows how, so this works for any family.
#pragma once

#include <vector>

#include "core/common/job_control.hpp"
#include "core/common/stored_entry.hpp"
#include "core/index/built_index.hpp"

namespace pivotscope {

// Returns the entries in the order of the index's memory. Needs 16 bytes per entry.
outcome<std::vector<stored_entry>> stored_entries(const stored_index& index, const job_control& control = {});

}  // namespace pivotscope
