// What a few operations came to, held against all orders of them: by cases that no order has, and by drawn ones that one has.
#include "core/verify/some_order.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace pivotscope {
namespace {

came_to inserted(u64 key, u32 row, write_done done) { return {{operation::insert, key}, row, done}; }
came_to erased(u64 key, write_done done) { return {{operation::erase, key}, 0, done}; }
came_to found(u64 key, u32 row) {
  came_to o{{operation::find, key}, 0, write_done::read};
  o.answer.row = row;
  return o;
}

TEST(some_order, is_missed_where_each_outcome_alone_is_possible) {
  // Both revive one key.
  const came_to twice[] = {inserted(5, 1, write_done::revived), inserted(5, 2, write_done::revived)};
  EXPECT_NE(order_fault({}, twice, {{5, 2}}), "");
  // The one that replaces is there in the end, and not the one that came before it.
  const came_to two[] = {inserted(5, 1, write_done::revived), inserted(5, 2, write_done::replaced)};
  EXPECT_EQ(order_fault({}, two, {{5, 2}}), "");
  EXPECT_NE(order_fault({}, two, {{5, 1}}), "");
  EXPECT_NE(order_fault({}, two, {}), "");
  // Two finds see the one key before the other, and the other before the one: both follow from one order, or from none.
  const came_to crossed[] = {inserted(5, 1, write_done::added), erased(5, write_done::erased), found(5, not_found)};
  EXPECT_EQ(order_fault({}, crossed, {}), "");
  EXPECT_NE(order_fault({}, crossed, {{5, 1}}), "");
  const came_to absent[] = {erased(5, write_done::absent), found(5, 7)};
  EXPECT_NE(order_fault({{5, 7}}, absent, {{5, 7}}), "");
  // Who found no room changed nothing; who noted an erase erased.
  const came_to refused[] = {inserted(5, 1, write_done::full), found(5, 1)};
  EXPECT_NE(order_fault({}, refused, {}), "");
  const came_to noted[] = {erased(5, write_done::noted)};
  EXPECT_EQ(order_fault({{5, 7}}, noted, {}), "");
  EXPECT_NE(order_fault({{5, 7}}, noted, {{5, 7}}), "");
}

RC_GTEST_PROP(some_order, is_found_for_what_was_done_one_after_the_other, ()) {
  const auto key = rc::gen::inRange<u64>(1, 3);
  rows_of_keys before;
  for (u64 k = 1; k < 3; ++k)
    if (*rc::gen::arbitrary<bool>()) before[k] = static_cast<u32>(k);
  rows_of_keys now = before;
  std::vector<came_to> all;
  const u32 count = *rc::gen::inRange<u32>(1, most_ordered + 1);
  for (u32 i = 0; i < count; ++i) {
    const u64 k = *key;
    const bool there = now.contains(k);
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        all.push_back(inserted(k, 10 + i, there ? write_done::replaced : write_done::added));
        now[k] = 10 + i;
        break;
      case 1:
        all.push_back(erased(k, there ? write_done::erased : write_done::absent));
        now.erase(k);
        break;
      default:
        all.push_back(found(k, there ? now[k] : not_found));
    }
  }
  // Told in another order.
  const auto at = *rc::gen::inRange<std::size_t>(0, all.size());
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), all.end());
  RC_ASSERT(order_fault(before, all, now).empty());
  now[3] = 1;
  RC_ASSERT(!order_fault(before, all, now).empty());
}

}  // namespace
}  // namespace pivotscope
