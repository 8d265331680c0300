// Routing on the host: the lookups of a batch, part by part (batch/routed.hpp).
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/batch/routed.hpp"
#include "core/common/parallel.hpp"

namespace pivotscope {

struct routes {
  std::vector<u32> places;  // of the lookups in the batch, part by part, in their order within a part
  std::vector<u64> begins;  // begins[p] is where those of part p begin; one more at the end
};

// Where the lookups of each chunk and part go: chunk by chunk, a place for each part.
template <class Family, class Key>
std::vector<u64> begins_of_chunks(const typename Family::config& config, const index_view& view,
                                  std::span<const Key> keys, u64 chunk_keys, u32 parts) {
  const u64 chunks = ceil_div<u64>(keys.size(), chunk_keys);
  std::vector<u64> counts(chunks * parts);
  parallel_each(chunks, [&](u64 chunk) {
    const u64 first = chunk * chunk_keys;
    for (const Key key : keys.subspan(first, std::min<u64>(chunk_keys, keys.size() - first)))
      ++counts[chunk * parts + Family::part_of(config, view, key)];
  });
  u64 before = 0;
  for (u32 part = 0; part < parts; ++part)
    for (u64 chunk = 0; chunk < chunks; ++chunk) before += std::exchange(counts[chunk * parts + part], before);
  return counts;
}

// A counting sort: chunks of keys are counted in parallel, and then placed.
template <class Family, class Key>
routes route_lookups(const typename Family::config& config, const index_view& view, std::span<const Key> keys) {
  const u32 parts = Family::parts(config, view);
  const u64 chunk_keys = std::max<u64>(u64{1} << 16, u64{parts} * 16);
  std::vector<u64> to = begins_of_chunks<Family>(config, view, keys, chunk_keys, parts);
  routes made;
  made.places.resize(keys.size());
  made.begins.assign(parts + 1, keys.size());
  if (!keys.empty()) std::copy_n(to.begin(), parts, made.begins.begin());
  parallel_each(ceil_div<u64>(keys.size(), chunk_keys), [&](u64 chunk) {
    const u64 first = chunk * chunk_keys, end = std::min<u64>(first + chunk_keys, keys.size());
    for (u64 i = first; i < end; ++i)
      made.places[to[chunk * parts + Family::part_of(config, view, keys[i])]++] = static_cast<u32>(i);
  });
  return made;
}

}  // namespace pivotscope
