// How a lane's run of adjacent cells is cut into loads. One rule for all machines, so that what the trace shows is what
// the GPU does.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

PIVOTSCOPE_FN constexpr u32 pow2_divisor(u32 a) { return a & (~a + 1u); }
PIVOTSCOPE_FN constexpr u32 least(u32 a, u32 b) { return a < b ? a : b; }

// How soon what is read is read again, where a search can tell a cache.
enum class reread : u8 { never, often };

// A node of `node` cells, shared out to the lanes: every lane takes `per_lane` of them, the last ones fewer or none.
// Cells of a run are a multiple of `align` from the region's begin, whatever the node and the lane.
struct node_run {
  u32 node;
  u32 per_lane;
  u32 align;

  PIVOTSCOPE_FN constexpr u32 offset(u32 lane) const { return lane * per_lane; }
  PIVOTSCOPE_FN constexpr u32 live(u32 lane) const {
    const u32 begin = lane * per_lane;
    return begin >= node ? 0u : least(per_lane, node - begin);
  }
};

// `node` cells for so many lanes. The node's own first cell must be a multiple of `node`.
PIVOTSCOPE_FN constexpr node_run share_node(u32 lanes, u32 node) {
  const u32 per_lane = ceil_div(node, lanes);
  return {node, per_lane, least(pow2_divisor(node), pow2_divisor(per_lane))};
}

// Cells that one load brings: at most 16 bytes, and never past the alignment of the run.
PIVOTSCOPE_FN constexpr u32 cells_a_load(u32 align, u32 cell_bytes) { return least(align, 16u / cell_bytes); }

}  // namespace pivotscope
