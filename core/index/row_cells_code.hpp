// The lines of row_cells.hpp that the pseudo code of a hash table stands for.
#pragma once

#include <string_view>
#include <vector>

#include "core/index/linked_code.hpp"

namespace pivotscope {

inline constexpr std::string_view row_cells_source = "core/index/row_cells.hpp";

std::vector<source_mark> cell_loads();
// Row ids in an array of their own are loaded where they matter.
std::vector<source_mark> cell_compares();
// A compare-and-swap of a row id, beside its key or in an array of its own; or of both as one word.
std::vector<source_mark> cell_swaps();
// The key, a fence, the row id.
std::vector<source_mark> cell_stores();
// Returns how an entry comes into a free cell. `call`: the table's call of claim().
pseudo_code claim_code(bool one_word, const source_mark& call);

std::vector<source_mark> with(std::vector<source_mark> list, const std::vector<source_mark>& more);

}  // namespace pivotscope
