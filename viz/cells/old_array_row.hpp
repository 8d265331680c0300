// The array as it was before a batch was merged into it, as a row of cells. A cell whose entry was kept is the slot of the
// new array that it was copied into; one whose entry was dropped holds nothing that is still in memory.
#pragma once

#include <memory>

#include "core/index/batch_merge.hpp"
#include "viz/cells/cells.hpp"

namespace pivotscope::viz {

// The model is that of the new array.
std::unique_ptr<cell_row> old_array_row(std::shared_ptr<const index_model> model,
                                        std::shared_ptr<const batch_merge> merge);

}  // namespace pivotscope::viz
