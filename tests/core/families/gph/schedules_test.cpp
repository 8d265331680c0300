// Operations that meet in a table whose entries are two words, and move: an insert beside others, from all tight starts, under all schedules of two
// switches. (property_tests has the same of each knob by itself, and so of entries of one word.)
#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/index/operations.hpp"
#include "core/verify/interleaving.hpp"

namespace pivotscope {
namespace {

TEST(gph_schedules, of_two_words_and_one_phase_are_right) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0, pairs = 0;
  for (const char* line : {"GPH phases=one layout=soa", "GPH phases=one keys=u64"}) {
    const index_config config = *config_from_line(line);
    const family& f = family_of(config);
    for (const tight_start& start : f.tight_starts(config)) {
      const u64 key = start.next[0];
      for (const operation second : {operation::find, operation::insert, operation::erase}) {
        // Two inserts that move have thousands of schedules: here alone where an erased entry makes room.
        if (second != operation::find && start.before.empty()) continue;
        for (const u64 other : start.next) {
          interleaved_case c{.keys = start.keys, .before = start.before};
          c.operations = {{operation::insert, key}, {second, other}};
          auto pair = interleaving::make(*cpu, config, c);
          ASSERT_TRUE(pair) << pair.error().words;
          const interleaving_report report = (*pair)->two_switches();
          schedules += report.schedules, ++pairs;
          if (!report.failing) continue;
          c.order = *report.failing;
          FAIL() << start.name << ": " << report.words << "\npivotscope interleave --config \"" << line
                 << "\" --replay \"" << to_text(c) << "\"";
        }
      }
    }
  }
  EXPECT_GE(pairs, 30u);
  EXPECT_GT(schedules, 20 * pairs);
  RecordProperty("schedules", std::to_string(schedules) + " of " + std::to_string(pairs) + " pairs");
}

// Small buckets have a spill of several: where one is full the next one takes what belongs there. Two inserts want a slot of it at
// once; one of them, and an erase or a find.
TEST(gph_schedules, of_a_spill_of_several_buckets_are_right) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0, pairs = 0, starts = 0;
  for (const char* line : {"GPH phases=one bucket=4", "GPH phases=one bucket=4 layout=soa"}) {
    const index_config config = *config_from_line(line);
    for (const tight_start& start : family_of(config).tight_starts(config)) {
      if (start.name != "its bucket of the spill is full") continue;
      ++starts;
      for (const operation second : {operation::find, operation::insert, operation::erase}) {
        for (const u64 other : {start.next[1], start.next[0], start.before.back().key}) {
          interleaved_case c{.keys = start.keys, .before = start.before};
          c.operations = {{operation::insert, start.next[0]}, {second, other}};
          auto pair = interleaving::make(*cpu, config, c);
          ASSERT_TRUE(pair) << pair.error().words;
          const interleaving_report report = (*pair)->two_switches();
          schedules += report.schedules, ++pairs;
          if (!report.failing) continue;
          c.order = *report.failing;
          FAIL() << report.words << "\npivotscope interleave --config \"" << line << "\" --replay \"" << to_text(c)
                 << "\"";
        }
      }
    }
  }
  EXPECT_EQ(starts, 2u);
  EXPECT_GT(schedules, 10 * pairs);
  RecordProperty("schedules", std::to_string(schedules) + " of " + std::to_string(pairs) + " pairs");
}

}  // namespace
}  // namespace pivotscope
