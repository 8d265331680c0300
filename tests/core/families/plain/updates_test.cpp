// The smallest family that writes, on the cpu machine: batches one after another, and what a trace of one write says.
#include <gtest/gtest.h>

#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/script_text.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/method_lists.hpp"

namespace pivotscope {
namespace {

u32 found_of(machine& on, const built_index& index, u32 key) {
  return on.run(index, {operation::find, key_array(std::vector<u32>{key})}, {}, {})->answers.found[0];
}

TEST(plain_updates, append_and_leave_tombstones_and_the_index_before_is_as_it_was) {
  const auto cpu = detail::open_cpu();
  const index_config plain = testing::config_of("PLAIN");
  std::vector<std::shared_ptr<const built_index>> states = {
      testing::build_on_cpu(plain, key_array(std::vector<u32>{5, 3, 9}))};
  const script s = *script_from_text("insert 3\ninsert 7\nerase 5\nerase 6\nbegin\nfind 7\nrange 0 9\ninsert 5\nend\n",
                                     key_width::u32);
  ASSERT_EQ(s.batches().size(), 3u);
  std::vector<write_counts> counts;
  for (u64 b = 0; b < s.batches().size(); ++b) {
    outcome<update_result> done = cpu->update(*states.back(), s, b, {}, {});
    ASSERT_TRUE(done) << done.error().words;
    counts.push_back(done->counts);
    states.push_back(done->index);
    if (b == 2) {
      EXPECT_EQ(done->answers[0], script_answer::found(4));
      EXPECT_TRUE(done->answers[1] == (script_answer{4, 10}) || done->answers[1] == (script_answer{5, 15}))
          << "rows 1, 2, 3 and 4, and perhaps 5";
    }
  }
  EXPECT_EQ(counts[0], (write_counts{.added = 2}));
  EXPECT_EQ(counts[1], (write_counts{.erased = 1, .absent = 1}));
  EXPECT_EQ(counts[2], (write_counts{.added = 1}));
  EXPECT_EQ(states[3]->rows(), 6u);
  EXPECT_EQ(found_of(*cpu, *states[0], 5), 0u);
  EXPECT_EQ(found_of(*cpu, *states[1], 7), 4u);
  EXPECT_EQ(found_of(*cpu, *states[0], 7), not_found);
  EXPECT_EQ(found_of(*cpu, *states[2], 5), not_found);
  EXPECT_EQ(found_of(*cpu, *states[3], 5), 5u);
}

TEST(plain_updates, make_room_when_the_cells_are_full) {
  const auto cpu = detail::open_cpu();
  script s(key_width::u32);
  for (u32 i = 0; i < 100; ++i) s.add({operation::insert, 1000 + i});
  const auto empty = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>{}));
  const outcome<update_result> done = cpu->update(*empty, s, 0, {}, {});
  ASSERT_TRUE(done) << done.error().words;
  EXPECT_EQ(done->counts, (write_counts{.added = 100}));
  ASSERT_EQ(done->room.size(), 1u);
  EXPECT_EQ(done->room[0].name, "make room");
  EXPECT_EQ(done->index->regions()[0].cells, 128u);
  for (u32 i = 0; i < 100; ++i) ASSERT_EQ(found_of(*cpu, *done->index, 1000 + i), i);
}

TEST(plain_updates, are_traced_over_an_index_that_stays_as_it_is) {
  const auto cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>{5, 3, 9}));
  const outcome<lookup_trace> insert = trace_write(*index, operation::insert, 8);
  ASSERT_TRUE(insert) << insert.error().words;
  EXPECT_EQ(insert->write->done, write_done::added);
  EXPECT_EQ(insert->write->row, 3u);
  ASSERT_EQ(insert->steps.size(), 1u);
  ASSERT_EQ(insert->steps[0].changed.size(), 2u);
  EXPECT_EQ(insert->steps[0].changed[0].after, 8u);
  EXPECT_EQ(insert->steps[0].changed[1].before, not_found);
  const outcome<lookup_trace> erase = trace_write(*index, operation::erase, 3);
  EXPECT_EQ(erase->write->done, write_done::erased);
  ASSERT_EQ(erase->steps[0].changed.size(), 1u);
  EXPECT_EQ(erase->steps[0].changed[0].after, erased_row);
  EXPECT_EQ(found_of(*cpu, *index, 3), 1u);
  EXPECT_EQ(trace_write(*testing::build_on_cpu(testing::config_of("EO+BS"), key_array(std::vector<u32>{1})),
                        operation::insert, 3)
                .error()
                .words,
            "EO+BS is built once, so it has no inserts; " + testing::have_them({"PLAIN", "HT+OA"}, operation::insert));
}

TEST(plain_updates, tell_what_they_wrote_and_why_they_stopped) {
  const auto index = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>{5, 3, 9, 3}));
  const lookup_trace insert = *trace_write(*index, operation::insert, 8);
  EXPECT_EQ(insert.start, "Its row id says where it goes: 4 is the next one, and slot 4 is behind the last entry.");
  EXPECT_EQ(insert.steps[0].words,
            "Slot 4 gets the key 8; then, after a fence, row id 4 in place of none. Who sees the row id sees the key, "
            "and who "
            "does not takes the slot for empty.");
  EXPECT_EQ(insert.verdict, "8 is inserted: row id 4, in slot 4 of the entries. No other entry was looked at.");
  const lookup_trace both = *trace_write(*index, operation::erase, 3);
  EXPECT_EQ(
      both.steps[0].words,
      "Slots 1 and 3 have 3: the mark of an erased entry takes the place of their row ids, by a compare-and-swap, so "
      "that one erase alone removes it. 4 of 4 entries looked through.");
  EXPECT_EQ(
      both.verdict,
      "2 entries with key 3 are erased. Their slots stay, each as a tombstone: searches read them still, and pass over "
      "them.");
  EXPECT_EQ(trace_write(*index, operation::erase, 5)->verdict,
            "1 entry with key 5 is erased. Its slot stays as a tombstone: searches read it still, and pass over it.");
  const lookup_trace none = *trace_write(*index, operation::erase, 4);
  EXPECT_EQ(none.steps[0].words, "4 of 4 entries looked through, none of these is 4.");
  EXPECT_EQ(none.verdict, "4 is not in the index: nothing is erased.");
  EXPECT_EQ(trace_write(*testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>(40))),
                        operation::erase, 1)
                ->steps[0]
                .next,
            "1 may be there again: on to the next entries, from slot 32.");
}

// All cells are taken: the batch that inserts would make room first. The trace shows the insert all the same.
TEST(plain_updates, are_traced_where_the_cells_are_full) {
  const auto full = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>(32)));
  const outcome<lookup_trace> insert = trace_write(*full, operation::insert, 8);
  ASSERT_TRUE(insert) << insert.error().words;
  EXPECT_EQ(insert->steps[0].changed[1].slot, 32u);
  EXPECT_EQ(insert->steps[0].changed[1].before, not_found);
  EXPECT_EQ(insert->steps[0].changed[1].after, 32u);
}

}  // namespace
}  // namespace pivotscope
