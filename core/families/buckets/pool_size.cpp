#include "core/families/buckets/pool_size.hpp"

#include <algorithm>
#include <cmath>

namespace pivotscope {

u32 buckets_for(const buckets_config& config, u64 keys) {
  const u64 wanted = std::max<u64>(keys, config.room) * 100;
  return static_cast<u32>(std::max<u64>(1, ceil_div<u64>(wanted, u64{config.load} * link_cell(config))));
}

double slabs_expected(const buckets_config& config, u32 buckets, u64 keys) {
  const double mean = static_cast<double>(keys) / buckets;
  const u32 slots = link_cell(config);
  if (mean > 600) return static_cast<double>(buckets) * mean / slots;  // e^-m is too small to begin with
  // Sum of the chances that a bucket has more than slots, 2 slots, ... keys.
  double chance = std::exp(-mean), up_to = 0, expected = 0;
  const auto last = static_cast<u32>(mean + 12 * std::sqrt(mean) + 12);
  for (u32 k = 0; k <= last; ++k) {
    up_to += chance;
    if (k > 0 && k % slots == 0) expected += std::max(0.0, 1 - up_to);
    chance *= mean / (k + 1);
  }
  return expected * buckets;
}

u64 slabs_at_most(const buckets_config& config, u64 keys) { return keys / link_cell(config); }

u64 slabs_likely(const buckets_config& config, u32 buckets, u64 keys) {
  const double expected = slabs_expected(config, buckets, keys);
  return std::min(slabs_at_most(config, keys), static_cast<u64>(std::ceil(expected + 6 * std::sqrt(expected) + 8)));
}

}  // namespace pivotscope
