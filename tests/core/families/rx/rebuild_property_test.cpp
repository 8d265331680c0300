// Whatever batches did to an RX index, rebuilt it is what a build over its entries gives.
#include <rapidcheck/gtest.h>

#include "tests/core/families/rx/rx_on_cpu.hpp"

namespace pivotscope {
namespace {

// Few keys, so that many are equal and the greatest is erased now and then, up to some width that the batch draws.
rc::Gen<u64> any_key(key_width width) {
  const u64 last = width == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
  return rc::gen::weightedOneOf<u64>({{8, rc::gen::inRange<u64>(0, 12)},
                                      {2, rc::gen::map(rc::gen::inRange<u32>(0, width == key_width::u32 ? 32 : 64),
                                                       [](u32 bit) { return u64{1} << bit; })},
                                      {1, rc::gen::just(last)}});
}

std::vector<question> any_batch(key_width width) {
  std::vector<question> batch;
  const u64 size = *rc::gen::inRange<u64>(1, 16);
  while (batch.size() < size)
    batch.push_back({*rc::gen::element(operation::insert, operation::erase), *any_key(width)});
  return batch;
}

void check(scene_updates updates) {
  rx_config config;
  config.updates = updates;
  config.keys = *rc::gen::element(key_width::u32, key_width::u64);
  config.wide = *rc::gen::element(4u, 8u);
  config.x_bits = *rc::gen::element(1u, 3u, 23u), config.y_bits = *rc::gen::element(1u, 2u, 23u);
  const auto keys = *rc::gen::container<std::vector<u64>>(any_key(config.keys));
  testing::rx_on_cpu index(config, keys);
  const u64 batches = *rc::gen::inRange<u64>(0, 4);
  for (u64 b = 0; b < batches; ++b) index.update(any_batch(config.keys));
  // By rebuilds it is so at any time.
  if (updates == scene_updates::refit) index.maintain(maintenance::rebuild);
  index.expect_as_built();
  RC_ASSERT(!::testing::Test::HasFailure());
}

RC_GTEST_PROP(rx_rebuild, is_a_build_over_the_entries_after_refits, ()) { check(scene_updates::refit); }
RC_GTEST_PROP(rx_rebuild, is_a_build_over_the_entries_after_each_batch, ()) { check(scene_updates::rebuild); }

}  // namespace
}  // namespace pivotscope
