// Batches of updates of LSM against levels of maps: every small batch into every small index, carries through several levels,
// and what can go wrong with tombstones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/workload/script_list.hpp"
#include "tests/core/families/lsm/lsm_on_cpu.hpp"
#include "tests/support/each_list.hpp"

namespace pivotscope {
namespace {

using testing::each_list;
using testing::greatest_of;
using testing::lsm_on_cpu;
using testing::numbers;

TEST(lsm_update, every_small_batch_into_every_small_index) {
  u64 done = 0;
  for (const key_width width : {key_width::u32, key_width::u64}) {
    std::vector<question> writes;
    for (const u64 key : {u64{0}, u64{7}, greatest_of(width)})
      writes.push_back({operation::insert, key}), writes.push_back({operation::erase, key});
    each_list(std::vector<u64>{0, 7, greatest_of(width)}, 3, [&](const std::vector<u64>& keys) {
      each_list(writes, 3, [&](const std::vector<question>& batch) {
        if (batch.empty() || ::testing::Test::HasFailure()) return;
        SCOPED_TRACE(fmt::format("keys {}, {} writes, {} bits", fmt::join(keys, " "), batch.size(),
                                 width == key_width::u32 ? 32 : 64));
        lsm_on_cpu index(width, 4, keys);
        index.update(batch);
        index.expect_answers();
        ++done;
      });
    });
  }
  EXPECT_EQ(done, 2u * 40 * 258);
}

// Two batches, of which the second is merged with the first or stays on a newer level, over an older level or none.
TEST(lsm_update, every_two_small_batches) {
  std::vector<question> writes;
  for (const u64 key : {2, 3}) writes.push_back({operation::insert, key}), writes.push_back({operation::erase, key});
  for (const std::vector<u64>& keys : {std::vector<u64>{}, {2}, {3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
    each_list(writes, 3, [&](const std::vector<question>& first) {
      each_list(writes, 2, [&](const std::vector<question>& second) {
        if (first.empty() || second.empty() || ::testing::Test::HasFailure()) return;
        SCOPED_TRACE(fmt::format("{} keys, {} and {} writes", keys.size(), first.size(), second.size()));
        lsm_on_cpu index(key_width::u32, 4, keys);
        index.update(first);
        index.update(second);
        index.expect_answers();
      });
    });
  }
}

// Full batches: levels are full or empty, as the bits of the number of batches.
TEST(lsm_update, full_batches_count_in_binary) {
  for (const key_width width : {key_width::u32, key_width::u64}) {
    lsm_on_cpu index(width, 4, {});
    for (u32 batch = 1; batch <= 33; ++batch) {
      ASSERT_NO_FATAL_FAILURE(index.insert(numbers(4, 4 * ((batch * 37) % 64), 1)));
      for (u32 level = 0; level < index.state().levels; ++level)
        ASSERT_EQ(index.state().counts[level], (batch >> level & 1) * (4u << level)) << batch << ", level " << level;
    }
    ASSERT_NO_FATAL_FAILURE(index.expect_answers());
  }
}

// The same with keys that come again: a level then has fewer entries than its batches had writes.
TEST(lsm_update, a_carry_keeps_the_newest_version_of_every_key) {
  for (const u64 different : {1u, 3u, 4u, 7u, 12u}) {
    SCOPED_TRACE(different);
    lsm_on_cpu index(key_width::u32, 4, {5, 1});
    u64 key = 0;
    for (u32 batch = 0; batch < 40; ++batch) {
      std::vector<question> writes;
      for (u32 i = 0; i < 4; ++i) {
        key = (key * 7 + 3) % 101;
        writes.push_back({(batch + i) % 3 == 0 ? operation::erase : operation::insert, key % different});
      }
      ASSERT_NO_FATAL_FAILURE(index.update(writes));
      ASSERT_NO_FATAL_FAILURE(index.expect_answers());
    }
  }
}

TEST(lsm_update, a_batch_may_be_larger_than_many_levels) {
  lsm_on_cpu index(key_width::u64, 4, {});
  index.insert(numbers(3));
  index.insert(numbers(100, 50));
  EXPECT_EQ(index.counts(), "0 0 0 0 0 103");
  index.insert(numbers(4, 1000));
  index.insert(numbers(4, 2000));
  EXPECT_EQ(index.counts(), "0 8 0 0 0 103");
  index.insert(numbers(17, 3000));
  EXPECT_EQ(index.counts(), "0 0 0 25 0 103");
  index.insert(numbers(40, 4000));
  EXPECT_EQ(index.counts(), "0 0 0 0 0 0 168") << "one more than level 5 has room for, and the level itself";
  index.expect_answers();
}

// m + the entries of levels 0 to k are exactly the room of level k, one less, and one more.
TEST(lsm_update, a_batch_that_exactly_fills_a_level) {
  for (const u64 writes : {3u, 4u, 5u}) {
    lsm_on_cpu index(key_width::u32, 4, {});
    index.insert(numbers(4));
    index.insert(numbers(writes, 100));
    EXPECT_EQ(index.counts(), writes == 5 ? "0 0 9" : fmt::format("0 {}", 4 + writes));
    index.expect_answers();
  }
  lsm_on_cpu index(key_width::u32, 4, {});
  index.insert(numbers(1));
  index.insert(numbers(3, 10));
  EXPECT_EQ(index.counts(), "4") << "the level that takes the batch in has entries itself";
  index.insert(numbers(2, 20));
  index.insert(numbers(2, 30));
  EXPECT_EQ(index.counts(), "2 6");
  index.expect_answers();
}

TEST(lsm_update, a_tombstone_stays_while_an_older_level_has_entries) {
  lsm_on_cpu index(key_width::u32, 4, numbers(20));
  EXPECT_EQ(index.counts(), "0 0 0 20");
  index.erase({3, 50});
  EXPECT_EQ(index.counts(), "2 0 0 20");
  index.expect_answers();
  index.insert({60, 61, 62});
  EXPECT_EQ(index.counts(), "0 5 0 20") << "merged, and still there";
  index.expect_answers();
  index.erase({60});
  index.insert({3});
  EXPECT_EQ(index.counts(), "2 5 0 20");
  EXPECT_EQ(index.contents().at(3), 23u) << "inserted again, with another row id";
  index.expect_answers();
  index.insert(numbers(9, 100));
  EXPECT_EQ(index.counts(), "0 0 14 20") << "3 and 60 had two versions; 50 and 60 have tombstones";
  index.insert(numbers(30, 200));
  EXPECT_EQ(index.counts(), fmt::format("0 0 0 0 {}", index.contents().size()));
  index.expect_answers();
}

TEST(lsm_update, all_may_be_erased_and_inserted_again) {
  for (const u32 batch : {4u, 64u}) {
    lsm_on_cpu index(key_width::u32, batch, numbers(50));
    index.erase(numbers(60));
    EXPECT_TRUE(index.contents().empty());
    EXPECT_EQ(index.state().levels, 0u) << "the last merge leaves no tombstone";
    index.expect_answers(numbers(61));
    index.insert(numbers(5, 10));
    index.erase(numbers(5, 10));
    index.expect_answers(numbers(61));
    index.insert(numbers(3, 11));
    index.expect_answers();
  }
  // Erased by small batches, level by level.
  lsm_on_cpu index(key_width::u32, 4, numbers(30));
  for (u64 first = 0; first < 30; first += 3) {
    index.erase(numbers(3, first));
    ASSERT_NO_FATAL_FAILURE(index.expect_answers());
  }
  EXPECT_TRUE(index.contents().empty());
}

TEST(lsm_update, equal_keys_of_a_batch_leave_one_version) {
  lsm_on_cpu index(key_width::u32, 4, numbers(40));
  index.update({{operation::insert, 7}, {operation::erase, 7}, {operation::insert, 7}, {operation::erase, 7}});
  EXPECT_EQ(index.contents().at(7), 41u) << "erases come first, and the last insert counts";
  EXPECT_EQ(index.counts(), "1 0 0 0 40");
  index.update({{operation::erase, 7}, {operation::erase, 7}, {operation::erase, 0}});
  EXPECT_FALSE(index.contents().contains(7));
  index.expect_answers();
}

TEST(lsm_update, of_equal_keys_that_it_is_built_from_the_last_stays) {
  const lsm_on_cpu index(key_width::u32, 4, {9, 5, 9, 5, 9});
  EXPECT_EQ(index.contents(), (lsm_on_cpu::run{{5, 3}, {9, 4}}));
  index.expect_levels();
  index.expect_answers();
}

TEST(lsm_update, the_ends_of_the_width_are_keys_as_others_are) {
  for (const key_width width : {key_width::u32, key_width::u64}) {
    const u64 last = greatest_of(width);
    lsm_on_cpu index(width, 4, {0, last, 5, 6, 7});
    index.erase({0, last});
    index.expect_answers();
    index.insert({last, 0, last - 1});
    index.expect_answers();
    index.insert({1, 2, 3, last - 2});
    index.erase({last});
    index.expect_answers();
    index.expect_traces({0, 1, last - 1, last});
  }
}

TEST(lsm_update, maintenance_makes_one_level_or_none) {
  lsm_on_cpu index(key_width::u32, 4, numbers(20));
  index.maintain(maintenance::rebuild);
  EXPECT_EQ(index.counts(), "0 0 0 20");
  index.erase(numbers(4));
  index.insert(numbers(4, 2));
  index.insert(numbers(3, 100));
  EXPECT_EQ(index.counts(), "3 6 0 20");
  index.maintain(maintenance::rebuild);
  EXPECT_EQ(index.counts(), "0 0 0 21");
  EXPECT_EQ(index.index().regions()[0].cells, 4u * 7 + 21);
  index.expect_answers();
  index.insert({1});
  index.expect_answers();
  index.maintain(maintenance::clear);
  EXPECT_EQ(index.index().bytes(), 0u);
  index.maintain(maintenance::rebuild);
  index.insert({8});
  index.expect_answers();
  // Two, three and four runs, which go to and fro between two arrays.
  for (u32 runs = 2; runs <= 4; ++runs) {
    lsm_on_cpu of(key_width::u64, 4, numbers(40));
    for (u32 i = runs - 1; i-- > 0;) of.insert(numbers((4u << i) - 1, 20 + 7 * i, 3));
    of.erase({20});
    of.maintain(maintenance::rebuild);
    of.expect_answers();
  }
}

// What the index had before a batch stays as it was.
TEST(lsm_update, the_index_before_a_batch_stays) {
  lsm_on_cpu index(key_width::u32, 4, numbers(9));
  index.insert(numbers(3, 20));
  const auto before = index.last().index;
  const std::vector<stored_entry> held = *stored_entries(*before);
  std::vector<std::byte> bytes(before->bytes()), now(before->bytes());
  ASSERT_TRUE(before->read(main_region, 0, bytes).ok());
  index.insert(numbers(30, 40));
  ASSERT_TRUE(before->read(main_region, 0, now).ok());
  EXPECT_TRUE(bytes == now);
  EXPECT_EQ(*stored_entries(*before), held);
}

// A level gets its room as it is needed, at least twice as much each time, and never more than it may have.
TEST(lsm_update, a_level_gets_its_room_step_by_step) {
  lsm_on_cpu index(key_width::u32, 1024, numbers(10));
  EXPECT_EQ(index.state().cells, 10u);
  index.insert(numbers(7, 100));
  EXPECT_EQ(index.state().cells, 32u);
  index.insert(numbers(15, 200));
  EXPECT_EQ(index.state().cells, 32u);
  index.insert(numbers(1, 300));
  EXPECT_EQ(index.state().cells, 64u);
  index.insert(numbers(1000, 400));
  EXPECT_EQ(index.state().cells, 1024u + 2048u);
  index.insert(numbers(5, 3000));
  EXPECT_EQ(index.state().cells, 1024u + 2048u) << "level 0 lies before";
}

// Each merge is a stage of its own; levels that a batch does not reach are not touched.
TEST(lsm_update, tells_the_stages_of_a_batch) {
  lsm_on_cpu index(key_width::u32, 4, numbers(40));
  const auto stages = [&] {
    std::string names;
    double ms = 0;
    for (const stage_time& stage : index.last().stages)
      names += (names.empty() ? "" : ", ") + stage.name, ms += stage.median();
    EXPECT_DOUBLE_EQ(index.last().time.median(), ms);
    return names;
  };
  index.insert(numbers(4, 100));
  EXPECT_EQ(stages(), "sort batch, make run");
  index.insert(numbers(3, 200));
  EXPECT_EQ(stages(), "sort batch, make run, start tiles, merge level 0");
  index.insert(numbers(1, 300));
  EXPECT_EQ(stages(), "sort batch, make run");
  index.insert(numbers(1, 300));
  EXPECT_EQ(stages(), "sort batch, set aside, make run, start tiles, merge level 0");
  index.insert(numbers(4, 400));
  EXPECT_EQ(stages(), "sort batch, make run, start tiles, merge level 0, start tiles, merge level 1");
}

TEST(lsm_update, has_no_single_write_to_step_through_or_to_interleave) {
  const lsm_on_cpu index(key_width::u32, 4, {10, 20, 30});
  const auto path = trace_write(index.index(), operation::insert, 15);
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().words,
            "LSM does the writes of a batch as a whole, so none of its inserts has a path of its own");
}

// Reads of a mixed batch see the index as it was.
TEST(lsm_update, reads_of_a_mixed_batch_see_what_was_there) {
  const lsm_on_cpu index(key_width::u32, 4, {10, 20, 20, 30});
  const script s = *script_from_list("(-20,?20,+25,20..30,=20,>20,>=21,?25)", key_width::u32);
  const update_result result = *index.cpu().update(index.index(), s, 0, {}, {});
  EXPECT_EQ(result.answers[1], script_answer::found(2));
  EXPECT_EQ(result.answers[3], script_answer::counted({2, 5}));
  EXPECT_EQ(result.answers[4], script_answer::counted({1, 2}));
  EXPECT_EQ(result.answers[5], script_answer::next(30, 3));
  EXPECT_EQ(result.answers[6], script_answer::next(30, 3));
  EXPECT_EQ(result.answers[7].row, not_found);
  EXPECT_EQ(result.done[0], write_done::noted);
  EXPECT_EQ(*stored_entries(*result.index), (std::vector<stored_entry>{{10, 0}, {25, 4}, {30, 3}}));
}

}  // namespace
}  // namespace pivotscope
