// What is told of a batch that changed an index.
#include "viz/models/updates_model.hpp"

#include <gtest/gtest.h>

#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

viz::applied_batch batch_of(write_counts counts) {
  viz::applied_batch batch;
  batch.record.counts = counts;
  batch.record.operations = batch.writes = 10;
  return batch;
}

TEST(updates_model, counts_what_the_writes_came_to) {
  EXPECT_EQ(viz::counts_words(batch_of({.added = 2, .replaced = 1, .full = 3})),
            "2 added, 1 replaced, 3 found no room");
  EXPECT_EQ(viz::counts_words(batch_of({.revived = 1, .erased = 4, .absent = 5, .not_done = 6})),
            "1 revived, 4 erased, 5 absent, 6 not done");
  EXPECT_EQ(viz::counts_words(batch_of({.added = 1, .noted = 7})), "1 added, 7 noted");
  EXPECT_EQ(viz::counts_words({}), "nothing written");
}

TEST(updates_model, says_what_the_check_found) {
  viz::applied_batch batch;
  EXPECT_EQ(viz::check_words(batch), "Checked: what the index holds is what the oracle says.");
  batch.record.check.checked = 3;
  EXPECT_EQ(viz::check_words(batch), "Checked: 3 answers are right, by the oracle.");
  batch.record.check.wrong = 1, batch.record.check.first_wrong = "find 7 ...";
  EXPECT_EQ(viz::check_words(batch), "1 of 3 answers is wrong. find 7 ...");
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
