// Reads what an index holds from its memory. Its model reads the cells, so this works for any family.
#pragma once

#include <vector>

#include "core/common/job_control.hpp"
#include "core/index/built_index.hpp"
#include "core/reference/oracle.hpp"

namespace pivotscope {

// Returns the entries of the main region, slot by slot, without empty and erased cells. Needs 16 bytes per entry.
outcome<std::vector<stored_entry>> stored_entries(const stored_index& index, const job_control& control = {});

}  // namespace pivotscope
