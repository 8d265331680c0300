// Rows of a sweep that measure no index: loads by groups of threads (lightweight, Figure 7), and std::lower_bound.
#include <gtest/gtest.h>

#include "core/sweep/point_text.hpp"
#include "core/sweep/run_sweep.hpp"

namespace pivotscope {
namespace {

// Figure 7 is of no index: groups of 2^0 to 2^10 threads, whose loads are 2^26 together.
TEST(program_rows, loads_by_groups_are_lightweight_7) {
  const sweep& of = **find_sweep("lightweight-7");
  for (u32 m = 0; m < of.rows.size(); ++m) {
    const gather_question asked = gather_of(of.rows[m]);
    EXPECT_EQ(of.rows[m].program(), "loads by groups of " + std::to_string(1u << m));
    EXPECT_EQ(asked.bytes, 1ull << 30);
    EXPECT_EQ(asked.threads, 1u << 16);
    EXPECT_EQ(asked.lanes, 1u << m);
    EXPECT_EQ(asked.loading, 1u << m);
    EXPECT_EQ(asked.align_bytes, 4u) << "at any entry";
    EXPECT_EQ(asked.requests * asked.lanes, 1ull << 26) << "1024 steps";
  }
  for (u32 bits = 0; bits < 40; ++bits) {
    const gather_question asked = gather_of(scaled(of.rows.back(), bits));
    EXPECT_GE(asked.bytes, asked.request_bytes()) << bits;
    EXPECT_GT(asked.requests, 0u) << bits;
  }
}

TEST(program_rows, a_program_is_known_by_its_words) {
  sweep_row row;
  EXPECT_EQ(row.program(), std::nullopt);
  ASSERT_TRUE(set_program(row, "loads by groups of 64"));
  EXPECT_EQ(row.gather_lanes, 64u);
  EXPECT_EQ(row.program(), "loads by groups of 64");
  ASSERT_TRUE(set_program(row, "std::lower_bound"));
  EXPECT_TRUE(row.standard_search);
  EXPECT_EQ(row.gather_lanes, 0u);
  for (const char* none : {"", "AO+BS", "loads by groups of ", "loads by groups of 0", "loads by groups of 8x",
                           "loads by groups of -8", "loads by groups of 99999999999"}) {
    EXPECT_FALSE(set_program(row, none)) << none;
  }
}

// Loads of no index: nothing is sorted or built for them, and they are kept and read again as other points are.
TEST(program_rows, are_measured_and_kept) {
  const auto cpu = open_machine(machine_kind::cpu);
  ASSERT_TRUE(cpu) << cpu.error().words;
  std::vector<sweep_point> points;
  const status done = run_sweep(**find_sweep("lightweight-7"), **cpu, {}, {.scale = 14}, {}, points);
  ASSERT_TRUE(done) << done.error().words;
  ASSERT_EQ(points.size(), 11u);
  for (const sweep_point& point : points) {
    ASSERT_NE(point.best(), nullptr) << point.problem;
    EXPECT_EQ(point.name_of(*point.best()), point.row.program());
    EXPECT_GE(point.best()->samples_ms.size() + point.best()->how.thrown_away, 14u);
    EXPECT_LE(point.best()->samples_ms.size(), 84u);
    EXPECT_NE(point.best()->how.why, stop_reason::fixed);
    EXPECT_EQ(point.best()->index_bytes, 1ull << 16);
    EXPECT_GE(point.best()->operations, 1ull << 12);
    EXPECT_EQ(point.sort_and_build_ms(), std::nullopt);
    EXPECT_EQ(point.sectors, 0);
    const auto again = point_from_text(point_text(point), point.row);
    ASSERT_TRUE(again) << again.error().words;
    EXPECT_EQ(again->best()->samples_ms, point.best()->samples_ms);
    EXPECT_EQ(again->name_of(*again->best()), *point.row.program());
  }
}

}  // namespace
}  // namespace pivotscope
