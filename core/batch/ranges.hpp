// A batch of range lookups, tile by tile: the same code on every machine (lightweight, Sections 3.2 and 5.7).
#pragma once

#include "core/batch/lookup.hpp"
#include "core/common/answers.hpp"

namespace pivotscope {

// An output of range lookups: the counts and sums.
struct range_totals {
  range_answer* answers;

  PIVOTSCOPE_FN u64 first_place(u64) const { return 0; }
  PIVOTSCOPE_FN void row(u64, u32) const {}
  PIVOTSCOPE_FN void answer(u64 lookup, const range_answer& a) const { answers[lookup] = a; }
};
// An output of range lookups: the row ids, each range's behind those of the ranges before it.
struct range_rows {
  const u64* begins;
  u32* rows;

  PIVOTSCOPE_FN u64 first_place(u64 lookup) const { return begins[lookup]; }
  PIVOTSCOPE_FN void row(u64 place, u32 row) const { rows[place] = row; }
  PIVOTSCOPE_FN void answer(u64, const range_answer&) const {}
};

// Looks up the ranges lows[i] to highs[i], both inclusive; i < count.
template <class Family, class Config, class Block, class Key, class Output>
PIVOTSCOPE_FN void range_batch(Config config, Block& block, const index_view& view, const Key* lows, const Key* highs,
                               u64 count, Output output) {
  pin_keys<Family, Key>(config, block, view);
  block.each_tile(count, [&](u64 first, u32 size) {
    // `live`: false in a thread without a lookup, which takes part with an empty range.
    const auto serve = [&](auto& lanes, auto& memory, u32 place, Key low, bool live) {
      const u64 lookup = first + place;
      const range_answer answer =
          Family::range(config, lanes, memory, view, live ? low : Key{1}, live ? highs[lookup] : Key{0},
                        live ? output.first_place(lookup) : u64{0}, output);
      if (live && lanes.leads()) output.answer(lookup, answer);
    };
    serve_tile(config, block, view, lows + first, size, serve);
  });
}

}  // namespace pivotscope
