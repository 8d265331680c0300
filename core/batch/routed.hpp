// A batch of point lookups that are routed first: each goes to a block whose scratch has what the lookup begins with.
//
//   lookups        5 1 9 4 7 ...            as they are asked
//   routed         9 4 | 5 7 ... | 1 ...    part by part, each with its place in the batch
//   blocks             a part each: they pin it once, and serve its lookups; answers go to the lookups' places
//
// A family that routes has is_routed(config), parts(config, view), part_of(config, view, key) and take_part(config, view,
// part), which makes the view that of a block with this part: its pinned_keys are the part's. Routing is a stage of its
// own, which every machine does in its way and times.
#pragma once

#include "core/batch/lookup.hpp"

namespace pivotscope {

template <class Family>
concept routes_lookups = requires(const typename Family::config& config, state_view& view) {
  Family::is_routed(config);
  Family::parts(config, view);
  Family::take_part(config, view, u32{});
};

// The machines number parts by 16 bits.
inline constexpr u32 most_parts = 1u << 16;

// Serves `count` lookups of one part, by the blocks that have it: answers[its place in the batch] becomes a row id of each
// lookup, or not_found. Routed: how a machine's blocks take routed lookups; `lookups + i` is that of number i.
template <class Family, class Key, class Config, class Block, class Routed>
PIVOTSCOPE_FN void routed_batch(Config config, Block& block, const index_view& view, u32 part, Routed lookups,
                                u32* answers, u64 count) {
  index_view of_part = view;
  Family::take_part(config.value, of_part, part);
  pin_keys<Family, Key>(config, block, of_part);
  const find_in_index<Family, Config> find{config, of_part};
  block.each_tile(count, [&](u64 first, u32 size) { block.map_routed(lookups + first, answers, size, find); });
}

}  // namespace pivotscope
