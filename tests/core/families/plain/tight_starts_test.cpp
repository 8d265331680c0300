// Entries of which the next one takes the last slot of a step, and entries without a slot left.
#include "core/families/plain/tight_starts.hpp"

#include <gtest/gtest.h>

#include "core/families/plain/plain.hpp"
#include "core/machine/machine.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

TEST(tight_entries, leave_one_slot_and_none) {
  const auto cpu = detail::open_cpu();
  const std::vector<tight_start> starts = tight_entries();
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(starts[0].keys.size() + 1, plain_step);
  EXPECT_EQ(starts[1].keys.size(), plain_step);
  for (const tight_start& start : starts) {
    EXPECT_EQ(std::count(start.keys.begin(), start.keys.end(), start.next[0]), 0);
    // Room is made for an insert that finds none, before the operations begin.
    const auto made = interleaving::make(*cpu, plain_config{},
                                         {.keys = start.keys, .operations = {{operation::insert, start.next[0]}}});
    ASSERT_TRUE(made);
    const u64 slots = start.keys.size() < plain_step ? plain_step : 2 * plain_step;
    EXPECT_EQ((*made)->begin()[0].size(), slots * sizeof(entry_cell<u32>)) << start.name;
  }
}

}  // namespace
}  // namespace pivotscope
