// The order in which a block serves the lookups of a tile that it has sorted (O3). Host code: the cpu machine serves in
// this order, and the window draws it. A GPU's radix sort is stable too, so it gives the same order.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/common/expect.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// Sets places[i] to the tile position of the i-th lookup to be served. Sorts stably by the key bits [begin, end);
// without bits the lookups keep their order.
template <class Key>
void order_tile(std::span<const Key> lookups, u32 begin, u32 end, std::vector<u32>& places) {
  PIVOTSCOPE_EXPECT(end <= 8 * sizeof(Key));
  const Key above = end >= 8 * sizeof(Key) ? Key{0} : static_cast<Key>(~Key{0} << end);
  const auto digits = [&](u32 place) { return static_cast<Key>(lookups[place] & ~above) >> begin; };
  places.resize(lookups.size());
  for (u32 i = 0; i < places.size(); ++i) places[i] = i;
  if (begin >= end) return;
  std::stable_sort(places.begin(), places.end(), [&](u32 a, u32 b) { return digits(a) < digits(b); });
}

}  // namespace pivotscope
