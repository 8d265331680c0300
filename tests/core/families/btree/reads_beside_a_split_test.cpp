// A reader that looks into a leaf while it is split, and while a key that has moved is erased in its new place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/families/btree/tight_starts.hpp"
#include "core/index/config_text.hpp"
#include "core/index/operations.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

// A pair is one word, or two.
const char* const small_nodes[] = {"BTREE node=8 lanes=1", "BTREE node=8 lanes=1 keys=u64 layout=soa"};

// An insert splits the leaf; another operation erases, or finds, a key that moves, or one that stays.
TEST(reads_beside_a_split, of_three_operations_come_to_what_some_order_of_them_does) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0;
  for (const char* line : small_nodes) {
    const index_config config = *config_from_line(line);
    for (const tight_start& start : tight_trees(btree_config::of(config))) {
      if (start.name != "the last leaf is full") continue;
      // The last leaf has the greatest keys, of which the last two move.
      std::vector<u64> keys = start.keys;
      for (const question& o : start.before) keys.push_back(o.key);
      std::ranges::sort(keys);
      for (const operation read : {operation::find, operation::range, operation::successor}) {
        for (const u64 asked : {keys.back(), keys[keys.size() - 3]}) {
          SCOPED_TRACE(fmt::format("{}: {}, {} of {}", line, start.name, operation_noun(read), asked));
          interleaved_case c{.keys = start.keys, .before = start.before};
          c.operations = {
              {operation::insert, start.next[0]},
              {operation::erase, keys.back()},
              {read, read == operation::successor ? asked - 1 : asked, read == operation::range ? asked + 20 : 0}};
          const auto three = interleaving::make(*cpu, config, c);
          ASSERT_TRUE(three) << three.error().words;
          const interleaving_report report = (*three)->two_switches();
          schedules += report.schedules;
          EXPECT_FALSE(report.failing) << report.words;
        }
      }
    }
  }
  EXPECT_GT(schedules, 1000u);
}

// From all tight starts, one operation beside an insert that splits a leaf, an inner node or the root: a separator and its child are
// words of their own. (property_tests has these starts with nodes of one word; nodes of two are larger there, and have but one.)
TEST(reads_beside_a_split, of_two_words_come_to_what_some_order_does_from_all_tight_starts) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0, starts = 0;
  for (const char* line : {"BTREE node=8 lanes=1 layout=soa", "BTREE node=8 lanes=1 keys=u64"}) {
    const index_config config = *config_from_line(line);
    for (const tight_start& start : tight_trees(btree_config::of(config))) {
      ++starts;
      for (const operation second : {operation::find, operation::insert, operation::erase}) {
        for (const u64 other : {start.next[1], start.keys.front()}) {
          // Two inserts that split have thousands of schedules.
          if (second == operation::insert && other != start.next[1]) continue;
          interleaved_case c{.keys = start.keys, .before = start.before};
          c.operations = {{operation::insert, start.next[0]}, {second, other}};
          const auto two = interleaving::make(*cpu, config, c);
          ASSERT_TRUE(two) << two.error().words;
          const interleaving_report report = (*two)->two_switches();
          schedules += report.schedules;
          EXPECT_FALSE(report.failing) << line << ", " << start.name << ", " << operation_noun(second) << " of "
                                       << other << ": " << report.words << ": " << to_text(*report.failing);
        }
      }
    }
  }
  EXPECT_EQ(starts, 10u);
  EXPECT_GT(schedules, 1000u);
  RecordProperty("schedules", std::to_string(schedules));
}

// The first of three leaves is split, while a range goes from it to the next: with two words it may see the new link beside
// the old high key, and then come to keys that it has counted.
TEST(reads_beside_a_split, ranges_that_go_on_to_other_leaves_count_each_key_once) {
  const auto cpu = detail::open_cpu();
  interleaved_case c{.operations = {{operation::range, 0, 500}, {operation::insert, 15}}};
  for (u64 i = 1; i <= 21; ++i) c.keys.push_back(10 * i);
  u64 schedules = 0;
  for (const std::string line : small_nodes) {
    for (const operation read : {operation::range, operation::successor}) {
      c.operations[0] = read == operation::range ? question{read, 0, 500} : question{read, 65};
      const auto two = interleaving::make(*cpu, *config_from_line(line + " fill=100"), c);
      ASSERT_TRUE(two) << two.error().words;
      const interleaving_report report = (*two)->two_switches();
      schedules += report.schedules;
      EXPECT_FALSE(report.failing) << line << ", " << operation_noun(read) << ": " << report.words;
    }
  }
  EXPECT_GT(schedules, 100u);
}

// A key is erased and inserted again, into another cell, while a range is between the two cells.
TEST(reads_beside_writes, of_a_range_count_a_key_once_that_comes_back_in_another_cell) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0;
  for (const char* line : small_nodes) {
    // 20 leaves cell 1, 1 takes it, and 20 comes to cell 2.
    const auto made = interleaving::make(
        *cpu, *config_from_line(line),
        {.keys = {10, 20},
         .operations = {
             {operation::range, 15, 25}, {operation::erase, 20}, {operation::insert, 1}, {operation::insert, 20}}});
    ASSERT_TRUE(made) << made.error().words;
    u64 accesses = 0;
    for (const shared_access& a : (*made)->run({}).accesses) accesses += a.task == 0;
    ASSERT_GT(accesses, 10u);
    for (u32 first = 1; first < accesses; ++first, ++schedules) {
      const schedule s{{{0, first}, {1}, {2}, {3}, {0}}};
      const interleaved_run ran = (*made)->run(s);
      EXPECT_EQ(ran.fault, "") << line << ": " << to_text(s);
      EXPECT_LE(ran.answers[0].number, 1u) << line << ": " << to_text(s);
    }
  }
  EXPECT_GT(schedules, 20u);
}

// An insert gives a key that is there another row id, while a read is between key and row id: the key is there all the time.
TEST(reads_beside_writes, find_a_key_that_gets_another_row_id) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0;
  for (const char* line : small_nodes) {
    for (const operation read :
         {operation::find, operation::range, operation::successor, operation::lower_bound, operation::matches}) {
      const u64 asked = read == operation::successor ? 15 : 20;
      const auto made = interleaving::make(
          *cpu, *config_from_line(line),
          {.keys = {10, 20, 30},
           .operations = {{read, asked, read == operation::range ? 25u : 0u}, {operation::insert, 20}}});
      ASSERT_TRUE(made) << made.error().words;
      const interleaving_report report = (*made)->two_switches();
      schedules += report.schedules;
      EXPECT_FALSE(report.failing) << line << ", " << operation_noun(read) << ": " << report.words;
    }
  }
  EXPECT_GT(schedules, 50u);
}

}  // namespace
}  // namespace pivotscope
