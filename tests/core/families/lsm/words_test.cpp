// What a lookup of LSM says, step by step: over three levels, with a tombstone and shadowed versions.
#include <gtest/gtest.h>

#include "tests/core/families/lsm/lsm_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::lsm_on_cpu;
using testing::numbers;

// Level 0: 5 erased, 9. Level 1: 3, 5, 7, 20, 21. Level 2: 1, 5, 7, 8, 10, 12, 14, 16, 18.
class three_levels : public ::testing::Test {
 protected:
  three_levels() {
    index_.insert({3, 5, 7, 20, 21});
    index_.update({{operation::erase, 5}, {operation::insert, 9}});
  }
  lookup_trace find(u64 key) const { return *trace_lookup(index_.index(), key); }

  lsm_on_cpu index_{key_width::u32, 4, {1, 5, 7, 8, 10, 12, 14, 16, 18}};
};

class lsm_words : public three_levels {};

TEST_F(lsm_words, a_tombstone_ends_the_search) {
  const lookup_trace trace = find(5);
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.start, "The newest level with entries is level 0. It has 2 entries, so the first step is 2.");
  EXPECT_EQ(trace.steps[0].words,
            "9 is greater than 5: it and what is behind it on this level are out. 1 of 2 is left on level 0.");
  EXPECT_EQ(trace.steps[0].next, "Halve the step to 1: look at slot 0.");
  EXPECT_EQ(
      trace.steps[1].words,
      "Level 0 has a tombstone of 5, in slot 0: it was erased. Older levels are not asked: what they have of it is "
      "shadowed.");
  EXPECT_EQ(trace.steps[1].compared[0].state, cell_state::erased);
  EXPECT_EQ(trace.steps[1].left, "0 left");
  EXPECT_EQ(trace.verdict, "5 is not in the index. It was erased: level 0 has its tombstone.");
  EXPECT_EQ(trace.slot, no_rank);
}

TEST_F(lsm_words, the_newest_version_is_found_and_older_ones_are_not_asked) {
  const lookup_trace trace = find(7);
  ASSERT_EQ(trace.steps.size(), 5u);
  EXPECT_EQ(trace.steps[1].words,
            "5 is less than 7: it and what is before it on this level are out. Level 0 does not have it.");
  EXPECT_EQ(trace.steps[1].next, "An older version may be on level 1. It has 5 entries, so the first step is 4.");
  EXPECT_EQ(trace.steps[1].left, "14 left");
  EXPECT_EQ(trace.steps[1].left_first, 4u) << "from level 1 on";
  EXPECT_EQ(trace.steps[1].left_end, 21u);
  EXPECT_EQ(trace.steps[4].words,
            "Level 1 has 7, in slot 6. Found. Older levels are not asked: what they have of it is shadowed.");
  EXPECT_EQ(trace.steps[4].where, "level 1");
  EXPECT_EQ(trace.verdict, "7 is in the index: row id 11, in slot 6 of the entries.");
  EXPECT_EQ(find(8).steps.back().words, "Level 2 has 8, in slot 15. Found.");
}

TEST_F(lsm_words, all_levels_are_asked_for_what_is_not_there) {
  const lookup_trace trace = find(30);
  ASSERT_EQ(trace.steps.size(), 9u);
  EXPECT_EQ(trace.steps[1].words, "Slot 2 would be behind the last entry of level 0, so nothing is read.");
  EXPECT_EQ(trace.steps[8].words,
            "18 is less than 30: it and what is before it on this level are out. Level 2 does not have it.");
  EXPECT_EQ(trace.verdict, "30 is not in the index.");
}

TEST_F(lsm_words, a_range_takes_the_newest_version_of_each_key) {
  const lookup_trace trace = *trace_range(index_.index(), 4, 9);
  ASSERT_EQ(trace.steps.size(), 8u);
  EXPECT_EQ(
      trace.start,
      "The lanes of the warp take a level each. The fullest has 9 entries, so the first step is 8 on all levels.");
  EXPECT_EQ(trace.steps[0].words, "16 on level 2 is large enough: what is behind it is out.");
  EXPECT_EQ(trace.steps[2].words, "3 keys, one a level, are all large enough: what is behind them is out.");
  EXPECT_EQ(trace.steps[3].words, "Of 3 keys, one a level, 2 are less than 4: they and what is before them are out.");
  EXPECT_EQ(
      trace.steps[4].words,
      "No entry of level 2 is in the range and below 5, the least key of the newer levels. 5 comes next. Level 0 has "
      "its newest version, a tombstone: it does not count. Its older versions on levels 1 and 2 are shadowed.");
  EXPECT_EQ(
      trace.steps[5].words,
      "No entry of level 2 is in the range and below 7, the least key of the newer levels. 7 comes next. Level 1 has "
      "its newest version. Its older version on level 2 is shadowed.");
  EXPECT_EQ(
      trace.steps[6].words,
      "1 entry of level 2 is in the range and below 9, the least key of the newer levels. 9 comes next. Level 0 has "
      "its newest version.");
  EXPECT_EQ(
      trace.steps[7].words,
      "No entry of level 2 is in the range and below 20, the least key of the newer levels. 20 is greater than 9: the "
      "scan ends.");
  EXPECT_EQ(trace.verdict, "3 entries from 4 to 9; the sum of row ids is 28.");
}

TEST_F(lsm_words, the_next_key_is_the_least_that_is_not_erased) {
  const lookup_trace next = *trace_next(index_.index(), operation::successor, 4);
  ASSERT_EQ(next.steps.size(), 6u);
  EXPECT_EQ(next.steps[3].words,
            "Of 3 keys, one a level, 2 are not greater than 4: they and what is before them are out.");
  EXPECT_EQ(next.steps[4].words,
            "5 is the least key of all levels. Level 0 has its newest version, a tombstone: it was erased. Its older "
            "versions on levels 1 and 2 are shadowed.");
  EXPECT_EQ(
      next.steps[5].words,
      "7 is the least key of all levels. Level 1 has its newest version: this is the answer. Its older version on "
      "level 2 is shadowed.");
  EXPECT_EQ(next.verdict, "After 4 comes 7: row id 11, in slot 6 of the entries.");
  EXPECT_EQ(trace_next(index_.index(), operation::lower_bound, 22)->steps.back().words, "No level has a key left.");
}

// What the oldest level has below all others is read 32 entries at a time.
TEST_F(lsm_words, a_long_range_reads_32_entries_of_the_oldest_level_at_a_time) {
  lsm_on_cpu index(key_width::u32, 4, numbers(100));
  index.insert({70, 200});
  const lookup_trace trace = *trace_range(index.index(), 0, 1000);
  ASSERT_EQ(trace.steps.size(), 7u + 5);
  EXPECT_EQ(trace.steps[7].words,
            "32 entries of level 5 are in the range and below 70, the least key of the newer levels. All 32 lanes took "
            "one.");
  EXPECT_EQ(trace.steps[7].next, "Read on on level 5.");
  EXPECT_EQ(
      trace.steps[9].words,
      "6 entries of level 5 are in the range and below 70, the least key of the newer levels. 70 comes next. Level 0 "
      "has its newest version. Its older version on level 5 is shadowed.");
  EXPECT_EQ(trace.range->answer.count, 101u);
}

TEST_F(lsm_words, an_empty_index_has_no_steps) {
  const lsm_on_cpu index(key_width::u32, 4, {});
  EXPECT_TRUE(trace_lookup(index.index(), 7)->steps.empty());
  EXPECT_EQ(trace_lookup(index.index(), 7)->verdict, "7 is not in the index: it is empty.");
  EXPECT_TRUE(trace_next(index.index(), operation::successor, 7)->steps.empty());
}

class lsm_model_of_three_levels : public three_levels {
 protected:
  std::shared_ptr<const index_model> model_ = model_of(index_.index());
};

TEST_F(lsm_model_of_three_levels, says_what_each_cell_is) {
  EXPECT_EQ(model_->levels(), 3u);
  EXPECT_EQ(model_->entries(), 16u);
  EXPECT_FALSE(model_->counts_entries()) << "some are shadowed, and one is a tombstone";
  EXPECT_EQ(model_->region(main_region).cells, 4u + 8 + 9);
  index_reader reader(index_.index());
  const auto state = [&](u64 cell) { return *read_state(index_.index(), *model_, {main_region, cell}); };
  EXPECT_EQ(state(0), cell_state::erased);
  EXPECT_EQ(state(1), cell_state::live);
  EXPECT_EQ(state(2), cell_state::empty) << "behind the entries of level 0";
  EXPECT_EQ(state(8), cell_state::live);
  EXPECT_EQ(state(9), cell_state::empty);
  EXPECT_EQ(state(12), cell_state::live);
  for (u64 cell = 0; cell < 21; ++cell) {
    const cell_info info = model_->describe(main_region, cell);
    EXPECT_EQ(info.empty, state(cell) == cell_state::empty) << cell;
    if (!info.empty) {
      EXPECT_EQ(info.level, cell < 4 ? 0u : cell < 12 ? 1u : 2u) << cell;
    }
  }
}

TEST_F(lsm_model_of_three_levels, counts_the_entries_of_levels_in_any_run_of_cells) {
  for (u64 first = 0; first <= 22; ++first) {
    for (u64 end = first; end <= 22; ++end) {
      std::vector<u64> counted(max_levels), right(max_levels);
      model_->count_levels(main_region, first, end, counted.data());
      for (u64 cell = first; cell < end; ++cell)
        if (const cell_info info = model_->describe(main_region, cell); !info.empty) ++right[info.level];
      ASSERT_EQ(counted, right) << first << " to " << end;
    }
  }
}

// Levels count full batches as the bits of a binary number.
TEST(lsm_levels, are_bits_and_a_merge_is_a_carry) {
  lsm_on_cpu index(key_width::u32, 4, {});
  const auto words = [&] { return dynamic_cast<const told_levels&>(*model_of(index.index())).levels_words(); };
  const std::string of_bits = "A level with entries is a bit, the oldest level the highest one: ";
  EXPECT_EQ(words(), "");
  index.insert(numbers(4));
  EXPECT_EQ(words(), of_bits +
                         "1. With full batches that is their number, 1. The last batch: 0 + 1 = 1, to level 0, which "
                         "was empty.");
  index.insert(numbers(4, 10));
  EXPECT_EQ(words(), of_bits +
                         "10. With full batches that is their number, 2. The last batch: 1 + 1 = 10, a carry: with "
                         "level 0 it was merged into level 1.");
  EXPECT_EQ(model_of(index.index())->level_words(0), "level 0: 0");
  EXPECT_EQ(model_of(index.index())->level_words(1), "level 1: 1");
  index.insert(numbers(4, 20));
  index.insert(numbers(4, 30));
  EXPECT_EQ(words(), of_bits +
                         "100. With full batches that is their number, 4. The last batch: 11 + 1 = 100, a carry: with "
                         "levels 0 and 1 it was merged into level 2.");
  index.insert(numbers(1, 50));
  index.insert(numbers(1, 51));
  EXPECT_EQ(words(), of_bits +
                         "101. With full batches that is their number, 5. The last batch went to level 0, which had "
                         "room.");
  const lsm_on_cpu built(key_width::u32, 4, {1, 2, 3});
  EXPECT_EQ(dynamic_cast<const told_levels&>(*model_of(built.index())).levels_words(),
            of_bits + "1. With full batches that is their number, 1.");
}

TEST_F(lsm_model_of_three_levels, has_every_entry_in_one_node) {
  std::set<u64> cells;
  for (const tree_node& node : model_->nodes())
    for (u32 i = 0; i < node.cells; ++i) EXPECT_TRUE(cells.insert(node.cell(i)).second);
  EXPECT_EQ(cells.size(), 16u);
  EXPECT_EQ(model_->nodes().size(), model_->node_count());
  EXPECT_EQ(model_->level_run(1)->first, 4u);
  EXPECT_EQ(model_->level_run(1)->count, 5u);
}

}  // namespace
}  // namespace pivotscope
