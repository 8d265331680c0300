// From where to where a path reads on, between the regions of an index; and what lies otherwise between two of its
// steps. Pure.
#pragma once

#include <vector>

#include "core/index/lookup_trace.hpp"
#include "core/index/model.hpp"

namespace pivotscope::viz {

// Cells of one region, and those of another that the path read next.
struct path_way {
  cell_run from, to;
  u32 step = 0;  // that read `to`
};
// Of the steps up to `current`, in their order. Cells that lie beside others go with these; and where a search begins
// again, as for a range's other end, nothing led there.
std::vector<path_way> ways_of(const index_model& model, const lookup_trace& trace, u32 current);

// The cells that are other ones after step `to` than after step `from`, whichever comes first: each once, in the order
// of the writes.
std::vector<cell_ref> changed_between(const lookup_trace& trace, u32 from, u32 to);

}  // namespace pivotscope::viz
