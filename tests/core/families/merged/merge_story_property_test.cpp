// What a view tells of a merge, for drawn arrays and batches: every step and every slot, against the array that the merge made.
#include <rapidcheck/gtest.h>

#include "core/workload/script_list.hpp"
#include "tests/support/told_merge.hpp"

namespace pivotscope {
namespace {

// Few keys, so that batches erase and insert what is there, what is not, and what they erase and insert themselves.
rc::Gen<u64> any_key(key_width width) {
  const u64 last = width == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
  return rc::gen::weightedOneOf<u64>(
      {{8, rc::gen::inRange<u64>(0, 12)}, {1, rc::gen::just(last)}, {1, rc::gen::just(last - 1)}});
}

script any_batches(key_width width) {
  script s(width);
  const u64 batches = *rc::gen::inRange<u64>(1, 4);
  for (u64 b = 0; b < batches; ++b) {
    s.begin_mixed();
    const u64 size = *rc::gen::inRange<u64>(1, 20);
    for (u64 i = 0; i < size; ++i)
      s.add(
          {*rc::gen::element(operation::insert, operation::erase, operation::erase, operation::find), *any_key(width)});
    s.add({*rc::gen::element(operation::insert, operation::erase), *any_key(width)});
    s.end_mixed();
  }
  return s;
}

RC_GTEST_PROP(merge_story, tells_every_slot_of_drawn_batches, ()) {
  const key_width width = *rc::gen::element(key_width::u32, key_width::u64);
  const auto keys = *rc::gen::container<std::vector<u64>>(any_key(width));
  const testing::told_merge told(keys, any_batches(width));
  RC_LOG() << "keys " << keys.size() << ", batches " << to_list(told.batches) << "\n";
  told.expect_all();
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace pivotscope
