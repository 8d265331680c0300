// A batch of point lookups, tile by tile: the same on every machine (lightweight-short, Listing 2). What a block is and
// which tiles it serves is the machine's (simt/).
#pragma once

#include "core/index/ordered/dispatch.hpp"

namespace pivotscope {

// answers[i] = row id of lookups[i], or not_found; i < count.
template <class Config, class Block, class Key>
PIVOTSCOPE_FN void lookup_batch(Config config, Block& block, const index_view& view, const Key* lookups, u32* answers,
                                u64 count) {
  with_order(config, [&](auto order) {
    if (config.value.pin != pin_kind::none) {
      block.fill_scratch(view.pin.total,
                         [&](u32 i) { return decltype(order)::pin_source(config, view.shape, view.pin, i); });
    }
    const auto find = [&](auto& wave) { return decltype(order)::find(config, wave, view); };
    block.each_tile(count, [&](u64 first, u32 size) {
      if (config.value.reorder == reorder_kind::none) {
        block.map_as_it_comes(lookups + first, answers + first, size, find);
      } else {
        block.map_sorted(lookups + first, answers + first, size, view.sort_begin, view.sort_end, find);
      }
    });
  });
}

}  // namespace pivotscope
