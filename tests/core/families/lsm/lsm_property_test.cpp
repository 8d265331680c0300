// Drawn batches into drawn LSMs: levels against maps after each, answers and paths at the end.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/core/families/lsm/lsm_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::greatest_of;
using testing::lsm_on_cpu;

// Few keys, so that batches erase and insert what is there on any level, what is not, and what they write themselves.
rc::Gen<u64> any_key(key_width width, u64 different) {
  return rc::gen::weightedOneOf<u64>({{10, rc::gen::inRange<u64>(0, different)},
                                      {1, rc::gen::just(greatest_of(width))},
                                      {1, rc::gen::just(greatest_of(width) - 1)}});
}

RC_GTEST_PROP(lsm, does_drawn_batches_as_maps_do, ()) {
  const key_width width = *rc::gen::element(key_width::u32, key_width::u64);
  const u64 different = *rc::gen::element<u64>(3, 12, 60, 1000);
  const u32 batch = *rc::gen::element(4u, 4u, 8u, 32u);
  const auto keys = *rc::gen::container<std::vector<u64>>(any_key(width, different));
  lsm_on_cpu index(width, batch, keys);
  const u64 batches = *rc::gen::inRange<u64>(1, 24);
  for (u64 b = 0; b < batches; ++b) {
    if (*rc::gen::inRange(0, 12) == 0) {
      index.maintain(*rc::gen::element(maintenance::rebuild, maintenance::rebuild, maintenance::clear));
      continue;
    }
    const u64 size = *rc::gen::oneOf(rc::gen::just<u64>(batch), rc::gen::inRange<u64>(1, 3 * batch));
    std::vector<question> writes;
    for (u64 i = 0; i < size; ++i)
      writes.push_back({*rc::gen::element(operation::insert, operation::erase), *any_key(width, different)});
    index.update(writes);
    RC_ASSERT(!::testing::Test::HasFailure());
  }
  index.expect_answers();
  index.expect_traces({*any_key(width, different), *any_key(width, different)});
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace pivotscope
