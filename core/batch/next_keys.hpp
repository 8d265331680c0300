// A batch of lookups for the next key, tile by tile: the same code on every machine.
#pragma once

#include "core/batch/lookup.hpp"
#include "core/common/answers.hpp"

namespace pivotscope {

// Sets answers[i] to the least key greater than keys[i], or with Itself to the least that is not smaller, and to a row
// id of it; i < count.
template <class Family, bool Itself, class Config, class Block, class Key>
PIVOTSCOPE_FN void next_key_batch(Config config, Block& block, const index_view& view, const Key* keys,
                                  successor_answer* answers, u64 count) {
  pin_keys<Family, Key>(config, block, view);
  block.each_tile(count, [&](u64 first, u32 size) {
    // A thread without a lookup takes part with any key.
    const auto serve = [&](auto& lanes, auto& memory, u32 place, Key key, bool live) {
      const successor_answer answer = Family::next_key(config, lanes, memory, view, key, Itself);
      if (live && lanes.leads()) answers[first + place] = answer;
    };
    serve_tile(config, block, view, keys + first, size, serve);
  });
}

}  // namespace pivotscope
