// What the models of hash tables of row_cells have in common: the regions of their cells, and what is in a node.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/index/built_index.hpp"
#include "core/index/model.hpp"
#include "core/index/row_cells.hpp"

namespace pivotscope {

// The region of keys, with their row ids beside them if the layout is AoS. `meaning`: as in region_info.
region_info entries_region(cell_layout layout, key_width keys, u64 cells, std::string meaning);
// The region of row ids, of layout SoA.
region_info row_ids_region(u64 cells);

std::vector<index_region> as_index_regions(std::span<const region_info> regions);

// Returns how many of the cells hold an entry, or one that was erased.
u32 taken_cells(std::span<const cell_value> cells);
// Returns ", 3 of them erased"; nothing if none is.
std::string erased_of_them(std::span<const cell_value> cells);

}  // namespace pivotscope
