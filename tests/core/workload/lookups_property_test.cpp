// Whatever the key set: hits are in it, misses are not and lie where they are wanted, in the order that is wanted.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "core/workload/batch.hpp"

namespace pivotscope {
namespace {

workload any_lookups() {
  workload w;
  const auto kinds = static_cast<u64>(distribution_names().size());
  w.dist = static_cast<distribution>(*rc::gen::inRange<u64>(0, kinds));
  w.keys = w.dist == distribution::paper ? 14 : *rc::gen::inRange<u64>(0, 3000);
  w.uniformity = *rc::gen::element(0.0, 0.3, 1.0);
  w.repeat = *rc::gen::inRange<u32>(1, 50);
  w.seed = *rc::gen::arbitrary<u64>();
  w.hits = *rc::gen::element(0.0, 0.5, 1.0);
  w.misses = static_cast<miss_place>(*rc::gen::inRange(0, 3));
  w.order = static_cast<lookup_order>(*rc::gen::inRange(0, 3));
  w.displaced = *rc::gen::element(0.0, 0.3, 1.0);
  w.distance = *rc::gen::inRange<u64>(2, 100);
  w.popular = static_cast<popularity>(*rc::gen::inRange(0, 3));
  w.exponent = *rc::gen::element(0.0, 0.7, 1.0, 5.0);
  w.hot_keys = *rc::gen::element(0.0, 0.1, 1.0);
  w.hot_lookups = *rc::gen::element(0.0, 0.9, 1.0);
  set_batch_size(w, *rc::gen::element(operation::find, operation::successor), *rc::gen::inRange<u64>(1, 300));
  return w;
}

RC_GTEST_PROP(LookupsProperty, HitAndMissWhereTheyAreWanted, ()) {
  const workload w = any_lookups();
  const key_width width = *rc::gen::element(key_width::u32, key_width::u64);
  RC_LOG() << to_line(w);
  const key_array keys = *make_keys(w, width);
  std::set<u64> set;
  for (u64 i = 0; i < keys.size(); ++i) set.insert(keys[i]);
  const outcome<batch> made = make_batch(w, keys);
  if (!made) {  // only where no value is missing there
    const bool asked = w.hits < 1 && w.misses != miss_place::anywhere && !set.empty();
    RC_ASSERT(asked);
    const u64 most = width == key_width::u32 ? 0xFFFFFFFFull : ~0ull;
    const bool dense = *set.rbegin() - *set.begin() == set.size() - 1;
    const bool whole = *set.begin() == 0 && *set.rbegin() == most;
    RC_ASSERT((w.misses == miss_place::inside ? dense : whole));
    return;
  }
  RC_ASSERT(made->size() == batch_size(w));
  for (u64 i = 0; i < made->size(); ++i) {
    const u64 key = made->keys[i];
    const bool in_order = i == 0 || w.order != lookup_order::sorted || made->keys[i - 1] <= key;
    RC_ASSERT(in_order);
    const bool hit = set.contains(key);
    const bool possible = hit ? w.hits > 0 : w.hits < 1 || set.empty();
    RC_ASSERT(possible);
    if (hit || set.empty() || w.misses == miss_place::anywhere) continue;
    const bool inside = key > *set.begin() && key < *set.rbegin();
    RC_ASSERT(inside == (w.misses == miss_place::inside));
  }
  // With and without the keys at hand they are the same.
  const outcome<key_array> alone = make_lookups(w, width);
  RC_ASSERT(alone.ok());
  for (u64 i = 0; i < alone->size(); ++i) RC_ASSERT((*alone)[i] == made->keys[i]);
}

}  // namespace
}  // namespace pivotscope
