// A pass by tiles that keeps some of its items: those that a family wants are numbered in their order, and each is put
// to the place of its number.
//
// Source:
//   items(view)                           how many items there are
//   wants<Key>(config, view, i)           whether item i stays
//   keep<Key>(config, view, i, to)        puts it to place `to`; called for those alone that stay
#pragma once

#include "core/simt/region.hpp"
#include "core/simt/tile_pass.hpp"

namespace pivotscope {

inline constexpr u32 keep_items = 8;  // of a thread
inline constexpr u32 keep_tile = tile_threads * keep_items;

template <class Source>
struct keep_pass {
  template <class Key>
  struct scratch {};
  template <class Key, class Config, class Tile>
  PIVOTSCOPE_FN static void make(Config config, Tile& tile, scratch<Key>&, const build_view& view, u64 number) {
    const u64 items = Source::items(view), first = number * keep_tile;
    auto counts = tile.all(0u);
    tile.each([&](u32 thread) {
      const u64 from = first + u64{thread} * keep_items;
      u32 count = 0;
      for (u64 i = from; i < from + keep_items && i < items; ++i) count += Source::template wants<Key>(config, view, i);
      counts[thread] = count;
    });
    const u64 begin = tile.places(counts, unknown_place);
    tile.each([&](u32 thread) {
      const u64 from = first + u64{thread} * keep_items;
      u64 to = begin + counts[thread];
      for (u64 i = from; i < from + keep_items && i < items; ++i)
        if (Source::template wants<Key>(config, view, i)) Source::template keep<Key>(config, view, i, to++);
    });
  }
};

}  // namespace pivotscope
