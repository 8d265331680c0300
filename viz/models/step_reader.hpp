// An index's memory as the first steps of a traced write would leave it. The index itself does not change. Pure.
#pragma once

#include "core/index/lookup_trace.hpp"
#include "core/index/model.hpp"

namespace pivotscope::viz {

// Returns a reader of what `read` reads, and over it of what steps [0, steps) of the trace store. `model` and `trace` must
// outlive it.
region_reader after_steps(region_reader read, const index_model& model, const lookup_trace& trace, u32 steps);
// The other way: `read` reads what these steps left, and the result what was there before them.
region_reader before_steps(region_reader read, const index_model& model, const lookup_trace& trace, u32 steps);

}  // namespace pivotscope::viz
