// What an index holds, read cell by cell where lookups end, whatever its family makes of the cells' places.
#pragma once

#include "core/index/built_index.hpp"
#include "core/reference/oracle.hpp"

namespace pivotscope {

struct held_cells {
  std::vector<held_entry> entries = {};  // in the order of the cells
  u64 claimed = 0;                       // cells that an insert claimed and did not fill: none, once all have ended
};

// Problem: the index could not be read.
outcome<held_cells> held_cells_of(const stored_index& index);

}  // namespace pivotscope
