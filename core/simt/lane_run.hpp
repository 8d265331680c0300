// How a lane's run of adjacent cells is split into loads. All machines use this one rule, so the
// trace shows what the GPU does.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

PIVOTSCOPE_FN constexpr u32 pow2_divisor(u32 a) { return a & (~a + 1u); }
PIVOTSCOPE_FN constexpr u32 least(u32 a, u32 b) { return a < b ? a : b; }

// How soon data is read again. A search tells a cache, where the machine has such a load.
enum class reread : u8 { never, often };

// How many keys of a node are less than the searched key, and how many are equal to it.
struct compared_keys {
  u32 less = 0, equal = 0;
};

// A node of `node` cells, divided among lanes. Every lane takes `per_lane` cells; the last lanes take fewer, or none.
// Each lane's run begins at a multiple of `align` cells from the region's begin, for every node and every lane.
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

// Divides a node of `node` cells among `lanes` lanes. The node's first cell must be a multiple of `node`.
PIVOTSCOPE_FN constexpr node_run share_node(u32 lanes, u32 node) {
  const u32 per_lane = ceil_div(node, lanes);
  return {node, per_lane, least(pow2_divisor(node), pow2_divisor(per_lane))};
}

// Returns how many cells one load brings: at most 16 bytes, and not more than the run's alignment allows.
PIVOTSCOPE_FN constexpr u32 cells_a_load(u32 align, u32 cell_bytes) { return least(align, 16u / cell_bytes); }

}  // namespace pivotscope
