// What an index holds, read from its memory: as its model reads cells, so of any family.
#pragma once

#include <vector>

#include "core/common/job_control.hpp"
#include "core/index/built_index.hpp"
#include "core/reference/oracle.hpp"

namespace pivotscope {

// The entries of the main region, slot by slot, but for empty cells and erased ones. 16 bytes an entry.
outcome<std::vector<stored_entry>> stored_entries(const stored_index& index, const job_control& control = {});

}  // namespace pivotscope
