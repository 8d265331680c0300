// A pass by tiles: for cells of which nobody knows beforehand how many there are, as of a merge that leaves some out. The
// threads of a block make the cells of a tile together: phase by phase, over a scratch of their own. In the middle they
// say how many cells each of them makes, and learn how many all tiles before theirs make:
//
//   tile            0        1        2        3          taken in this order
//   cells          12       16        9       14          known to a tile once it has looked at its own
//   chain        | 12 |    (16)   | 37 |     ...          cells up to a tile, or of the tile alone, as long as no more is known
//   first place     0       12       28       37          chain of all before
//
// So the pass reads and writes once what a count, a scan and a second pass would read twice ("decoupled look-back",
// Merrill and Garland 2016). A tile waits for those before it only. They were begun before it, so they end.
//
// Pass has scratch<Key>, and
//   make<Key>(config, tile, scratch, view, number)
// with a `tile` (simt/host_tile.hpp, simt/cuda_tile.hpp) that has
//   each(f)              calls f(thread) for all threads of the block; what it stores to the scratch, the next phase sees
//   each_of(n, get, put) calls put(i, get(i)) for all i < n, a phase; several get() of a thread are under way together
//   all(value)           a value of each thread, that outlasts a phase: list[thread]
//   places(counts, known) puts in place of each thread's count the sum of those before it in the tile; returns how many
//                        cells all tiles before make: `known`, if all tiles know it by themselves. Once.
//   made()               how many cells the tile makes, after places()
//   are_threads          false on a host, where one thread does all of a phase and gains nothing by the scratch
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

inline constexpr u64 unknown_place = ~u64{0};
inline constexpr u32 tile_threads = 256;

// The chain (array `tile_chain`), all zeros at first: the number of the next tile, then a word a tile.
struct tile_word {
  static constexpr u64 unknown = 0, own_only = u64{1} << 62, up_to_it = u64{1} << 63;
  PIVOTSCOPE_FN static constexpr u64 cells(u64 word) { return word & (own_only - 1); }
};
PIVOTSCOPE_FN constexpr u64 chain_words(u64 tiles) { return 1 + tiles; }

}  // namespace pivotscope
