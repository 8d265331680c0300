// Which cells differ between two states of an index, and which entries lie elsewhere: what a view shows of a batch.
#pragma once

#include "core/index/built_index.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope {

// Of the main region and what lies beside it. Null: they are of different shapes, or too large to be read for this.
std::shared_ptr<const viz::cell_changes> changes_between(const stored_index& before, const stored_index& now);

}  // namespace pivotscope
