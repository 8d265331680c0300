// By which bits a tile's lookups are sorted: all that tell two keys of the set apart, and none that they all share.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/batch/lookup.hpp"
#include "core/index/built_index.hpp"
#include "core/workload/generate/one_span.hpp"

namespace pivotscope {
namespace {

RC_GTEST_PROP(SortBits, EndWhereAllKeysOfTheSetAreAlike, (u64 seed, bool wide)) {
  const one_span range(seed, wide ? ~0ull : 0xFFFFFFFFull);
  const u64 least = range.least(), greatest = least + range.width();
  launch_config launch;
  launch.reorder = reorder_kind::lookup;
  launch.threads = 32 * *rc::gen::inRange<u32>(1, 33);
  launch.per_thread = *rc::gen::inRange<u32>(1, 17);
  const auto [begin, end] = sort_bits_for(launch, least, greatest);
  const auto above = [](u64 key, u32 bits) { return bits >= 64 ? 0 : key >> bits; };
  // Keys that are told apart by these bits and those below come in their order.
  RC_ASSERT(above(least, end) == above(greatest, end));
  const bool shared = end > 0 && above(least, end - 1) == above(greatest, end - 1);
  RC_ASSERT(!shared);
  // What is left out tells few of a tile's lookups apart: there are sixteen values at least for each.
  RC_ASSERT(begin <= end);
  const u32 telling = end - begin;
  RC_ASSERT((begin == 0 || (u64{1} << telling) >= 16 * u64{tile_lookups(launch)}));
}

}  // namespace
}  // namespace pivotscope
