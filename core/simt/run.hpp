// How a lane's run of adjacent slots is cut into loads. One rule for all machines, so that what the trace shows is what
// the GPU does.
#pragma once

#include "core/config/index_config.hpp"
#include "core/index/ordered/shape.hpp"

namespace pivotscope {

// What comparing a run of sorted entries with a key tells.
struct probe {
  u32 less;  // entries with a smaller key
  u32 row;   // row id of the first entry with that key, or not_found
};

// An entry as a scan reads it.
template <class Key>
struct scanned_entry {
  Key key;
  u32 row;
};

PIVOTSCOPE_FN constexpr u32 pow2_divisor(u32 a) { return a & (~a + 1u); }
PIVOTSCOPE_FN constexpr u32 least(u32 a, u32 b) { return a < b ? a : b; }

// A node of `node` slots, shared out to the lanes: every lane takes `per_lane` of them, the last ones fewer or none.
// Slots of a run are a multiple of `align` from the array's begin, whatever the node and the lane.
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

// `node` slots for the config's lanes. The node's own first slot must be a multiple of `node`.
PIVOTSCOPE_FN constexpr node_run share_node(const index_config& c, u32 node) {
  const u32 per_lane = ceil_div(node, c.lanes);
  return {node, per_lane, least(pow2_divisor(node), pow2_divisor(per_lane))};
}

// Does a node of the given level lie in scratch? Levels below M by the level alone, so that the whole warp agrees; the
// next one by index, where pinning is full.
template <class Config>
PIVOTSCOPE_FN bool is_pinned(Config config, const pin_plan& pin, u32 level, u32 first, u32 node) {
  if (config.value.pin == pin_kind::none) return false;
  if (level < pin.levels) return true;
  return config.value.pin == pin_kind::full && level == pin.levels && first + node <= pin.total;
}

// Slots that one load brings: at most 16 bytes, and never past the alignment of the run.
PIVOTSCOPE_FN constexpr u32 slots_a_load(u32 align, u32 slot_bytes) { return least(align, 16u / slot_bytes); }

}  // namespace pivotscope
