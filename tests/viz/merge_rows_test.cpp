// The rows of a merge path about a step, and what they say.
#include "viz/models/merge_rows.hpp"

#include <numeric>

#include "core/workload/script_list.hpp"
#include "tests/support/told_merge.hpp"
#include "viz/cells/old_array_row.hpp"

namespace pivotscope {
namespace {

using testing::told_merge;

TEST(merge_rows, list_steps_about_one) {
  EXPECT_EQ(viz::first_listed(10, 9, 100), 6u);
  EXPECT_EQ(viz::first_listed(2, 9, 100), 0u);
  EXPECT_EQ(viz::first_listed(99, 9, 100), 91u);
  EXPECT_EQ(viz::first_listed(3, 4, 4), 0u);
  EXPECT_EQ(viz::first_listed(3, 9, 4), 0u) << "fewer than are listed";
}

TEST(merge_rows, say_what_each_step_does) {
  const told_merge told({3, 5, 5, 9}, *script_from_list("(-5,?3,+5,+7)", key_width::u32));
  const auto words = [&](u64 step) { return viz::step_words(*told.merge, told.merge->at_step(step)); };
  EXPECT_EQ(words(0), "The entry of old slot 0 is copied into slot 0.");
  EXPECT_EQ(
      words(1),
      "Erase 5: a tombstone, which makes no slot. Entries of its key follow it and are dropped. It is operation 0 "
      "of the batch, counted from 0.");
  EXPECT_EQ(words(3),
            "The entry of old slot 2 is dropped: erase 5, which stands before it, takes all entries of its key.");
  EXPECT_EQ(words(4), "Insert 5 goes into slot 1, with row id 4. It is operation 2 of the batch, counted from 0.");
  EXPECT_EQ(viz::source_words(*told.merge, told.merge->at_slot(3)), "old slot 3");
  EXPECT_EQ(viz::source_words(*told.merge, told.merge->at_slot(2)), "write 2, row id 5");
}

TEST(merge_rows, the_old_array_leads_to_the_new_one) {
  const told_merge told({3, 5, 5, 9}, *script_from_list("(-5,+5,+7)", key_width::u32));
  const auto row = viz::old_array_row(model_of(*told.index), told.merge);
  ASSERT_EQ(row->count(), 4u);
  EXPECT_TRUE(row->there(0) && !row->there(1) && !row->there(2) && row->there(3));
  EXPECT_EQ(row->at(3).slot, 3u);
  EXPECT_FALSE(row->at(1).has_key()) << "dropped";
  EXPECT_EQ(row->cell_of_rank(0), 0u);
  EXPECT_EQ(row->cell_of_slot(main_region, 3), 3u);
  EXPECT_EQ(row->cell_of_rank(1), std::nullopt) << "an insert";
  EXPECT_EQ(row->cell_of_rank(4), std::nullopt) << "beyond the end";
  std::vector<u64> levels(max_levels);
  row->count_levels(0, 4, levels.data());
  EXPECT_EQ(std::accumulate(levels.begin(), levels.end(), u64{0}), 4u);
}

}  // namespace
}  // namespace pivotscope
