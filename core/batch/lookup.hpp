// A batch of point lookups, tile by tile: the same on every machine. What a block is and which tiles it serves is the
// machine's (simt/).
#pragma once

#include "core/order/dispatch.hpp"

namespace pivotscope {

// answers[i] = row id of lookups[i], or not_found; i < count.
template <class Config, class Block, class Key>
PIVOTSCOPE_FN void lookup_batch(Config config, Block& block, const index_view& view, const Key* lookups, u32* answers,
                                u64 count) {
  with_order(config, [&](auto order) {
    block.each_tile(count, [&](u64 first, u32 size) {
      block.load(lookups + first, size);
      block.map_to(answers + first, [&](auto& lanes, auto& memory, Key key) {
        return decltype(order)::find(config, lanes, memory, view.shape, key);
      });
    });
  });
}

}  // namespace pivotscope
