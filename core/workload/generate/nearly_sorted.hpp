// Nearly sorted: a share of the places of a sorted batch, whose lookups change places with each other nearby.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "core/common/parallel.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// swap(a, b) for pairs of places below n. The places are cut into runs of w.distance, from a random one on; of a run
// each place is taken with the chance w.displaced, and those taken are shuffled among themselves (Fisher and Yates),
// run by run in parallel.
template <class Swap>
void shuffle_nearby(u64 n, const workload& w, const Swap& swap) {
  const u64 seed = seed_for(w.seed, purpose::displacement);
  // A power of two times it is exact.
  const u64 taken_of_2_to_53 = static_cast<u64>(w.displaced * 0x1p53);
  const u64 first = scale_to(seed, w.distance - 1);  // places of the run that the first one cuts
  parallel_parts(ceil_div<u64>(n + first, w.distance), 64, [&](const index_part& runs) {
    std::vector<u64> taken;
    for (u64 run = runs.begin(); run < runs.end(); ++run) {
      const u64 begin = run == 0 ? 0 : run * w.distance - first, end = std::min(n, (run + 1) * w.distance - first);
      taken.clear();
      for (u64 i = begin; i < end; ++i)
        if ((random_bits(seed, 2 * i) >> 11) < taken_of_2_to_53) taken.push_back(i);
      for (u64 i = taken.size(); i > 1; --i) {
        const u64 other = scale_to(random_bits(seed, 2 * taken[i - 1] + 1), i - 1);
        if (other != i - 1) swap(taken[i - 1], taken[other]);
      }
    }
  });
}

}  // namespace pivotscope
