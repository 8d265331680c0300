// What is told of a batch that changed an index.
#include "viz/updates_model.hpp"

#include <gtest/gtest.h>

#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

viz::applied_batch batch_of(write_counts counts) {
  viz::applied_batch batch;
  batch.counts = counts;
  batch.operations = batch.writes = 10;
  return batch;
}

TEST(updates_model, counts_what_the_writes_came_to) {
  EXPECT_EQ(viz::counts_words(batch_of({.added = 2, .replaced = 1, .full = 3})),
            "2 added, 1 replaced, 3 found no room");
  EXPECT_EQ(viz::counts_words(batch_of({.revived = 1, .erased = 4, .absent = 5, .not_done = 6})),
            "1 revived, 4 erased, 5 absent, 6 not done");
  EXPECT_EQ(viz::counts_words({}), "nothing written");
}

TEST(updates_model, a_full_index_says_how_many_went_in) {
  EXPECT_EQ(viz::full_words(batch_of({.added = 3})), "");
  EXPECT_EQ(viz::full_words(batch_of({.added = 1, .revived = 1, .replaced = 1, .full = 2, .erased = 9})),
            "3 of 5 inserts went in: there is no room for more, and nothing that was there is lost.");
  EXPECT_EQ(viz::full_words(batch_of({.full = 2})),
            "None of 2 inserts went in: there is no room for more, and nothing that was there is lost.");
}

TEST(updates_model, says_what_the_check_found) {
  viz::applied_batch batch;
  EXPECT_EQ(viz::check_words(batch), "Not checked: the oracle takes more memory than is free.");
  batch.checked = true;
  EXPECT_EQ(viz::check_words(batch), "Checked: what the index holds is what the oracle says.");
  batch.check.checked = 3;
  EXPECT_EQ(viz::check_words(batch), "Checked: 3 answers are right, by the oracle.");
  batch.check.wrong = 1, batch.check.first_wrong = "find 7 ...";
  EXPECT_EQ(viz::check_words(batch), "1 of 3 answers is wrong. find 7 ...");
}

TEST(updates_model, a_rate_is_of_the_operations_alone) {
  viz::applied_batch batch;
  batch.operations = 1000;
  EXPECT_EQ(viz::operations_per_second(batch), 0);
  batch.ms = 2;
  batch.room_ms = 100;
  EXPECT_DOUBLE_EQ(viz::operations_per_second(batch), 500e3);
}

TEST(updates_model, says_how_much_was_typed) {
  const auto words = [](const char* text) {
    return viz::size_words(*script_from_text(text, key_width::u32, keys_a_line::several));
  };
  EXPECT_EQ(words("insert 5"), "1 operation");
  EXPECT_EQ(words("insert 5 7 9"), "3 operations");
  EXPECT_EQ(words("insert 5 7\nerase 9"), "3 operations in 2 batches");
}

}  // namespace
}  // namespace pivotscope
