// What of a row's workload is timed, and at how many keys it is plotted.
#include "core/sweep/timed_part.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

timed_part part_of(const char* line) { return timed_part_of(*workload_from_line(line)); }
void expect_part(const char* line, std::string_view noun, u64 operations, bool writes) {
  const timed_part part = part_of(line);
  EXPECT_EQ(part.noun, noun) << line;
  EXPECT_EQ(part.operations, operations) << line;
  EXPECT_EQ(part.writes, writes) << line;
}

TEST(timed_parts, are_the_lookups_or_what_a_script_without_them_does) {
  expect_part("keys=100 lookups=7", "lookups", 7, false);
  expect_part("keys=100 lookups=0 ranges=9", "ranges", 9, false);
  expect_part("keys=100 lookups=0 inserts=5", "inserts", 5, true);
  expect_part("keys=100 lookups=0 erases=6", "erases", 6, true);
  expect_part("keys=100 lookups=0 inserts=8 mix=1 batch=2", "inserts", 8, true);
  expect_part("keys=100 lookups=0 inserts=5 erases=6", "mixed operations", 11, true);
  expect_part("keys=100 lookups=0 inserts=5 mix=0.5", "mixed operations", 10, true);
  expect_part("keys=100 lookups=0 inserts=5 erases=5 mix=0.2 batch=100", "mixed operations", 50, true);
  expect_part("keys=100 lookups=7 inserts=5", "lookups", 7, false);
  expect_part("keys=100 lookups=0 successors=3 inserts=5 mix=1", "successors", 3, false);
  expect_part("keys=100 lookups=0", "lookups", 0, false);
}

TEST(timed_parts, are_plotted_at_the_keys_that_the_index_has) {
  const auto keys = [](const char* line) { return plotted_keys(*workload_from_line(line)); };
  EXPECT_EQ(keys("keys=100 lookups=7"), 100u);
  EXPECT_EQ(keys("keys=100 lookups=0 inserts=20"), 120u);
  EXPECT_EQ(keys("keys=0 lookups=0 inserts=20"), 20u);
  EXPECT_EQ(keys("keys=100 lookups=0 erases=50"), 100u) << "erased from an index of all keys";
  EXPECT_EQ(keys("keys=100 lookups=0 inserts=30 erases=30 mix=0.6"), 100u) << "it keeps its size";
}

}  // namespace
}  // namespace pivotscope
