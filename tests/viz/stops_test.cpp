// Where playing stops: marks against every step of real paths, and what a timeline marks.
#include "viz/models/stops.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

using kind = stop_mark::kind;

lookup_trace trace_of_line(const char* line, u64 keys, u64 which) {
  const index_config config = testing::config_of(line);
  const workload load{.keys = keys, .dist = distribution::uniform};
  const key_array made = *make_keys(load, config.keys);
  return *trace_lookup(*testing::build_on_cpu(config, made), made[which]);
}

TEST(Stops, AMarkIsReadByTheStepsThatTouchIt) {
  for (const char* line : {"EO+BS", "EO+KS fanout=9 lanes=2", "AO+PB+KS fanout=5 lanes=4 layout=soa keys=u64",
                           "AO+BS pin=full scratch=32", "PLAIN lanes=8"}) {
    SCOPED_TRACE(line);
    const lookup_trace trace = trace_of_line(line, 300, 7);
    const auto model = model_of(trace.config, trace.keys);
    u32 read = 0;
    for (u32 r = 0; r < model->regions().size(); ++r) {
      const region_info& region = model->regions()[r];
      for (u64 slot = 0; slot < region.cells; ++slot) {
        for (const trace_step& step : trace.steps) {
          bool slot_read = false, sector_read = false;
          for (const memory_access& a : step.accesses) {
            for (u32 i = 0; i < a.slots; ++i) slot_read |= a.array == region_id(r) && a.slot + i == slot;
            for (u64 b = a.byte_offset; a.space == memory_space::global && b < a.byte_offset + a.bytes; ++b)
              sector_read |= a.array == region_id(r) && b / 32 == slot;
          }
          EXPECT_EQ(reads(step, {kind::slot, slot, region_id(r)}), slot_read);
          EXPECT_EQ(reads(step, {kind::sector, slot, region_id(r)}), sector_read);
          read += slot_read ? 1 : 0;
        }
      }
    }
    EXPECT_GT(read, 0u);
    for (const trace_step& step : trace.steps) {
      std::set<u64> keys;
      for (const comparison& c : step.compared)
        if (!c.empty) keys.insert(c.key);
      for (const u64 key : keys) EXPECT_TRUE(reads(step, {kind::key, key}));
      EXPECT_EQ(reads(step, {kind::key, trace.key}), keys.contains(trace.key));
      EXPECT_TRUE(reads(step, {kind::level, step.level}));
      EXPECT_FALSE(reads(step, {kind::level, step.level + 1u}));
    }
  }
}

TEST(Stops, TheNextIsTheNearestInItsDirection) {
  const lookup_trace trace = trace_of_line("EO+BS", 1 << 10, 3);
  const auto steps = static_cast<u32>(trace.steps.size());
  ASSERT_GE(steps, 3u);
  EXPECT_FALSE(next_stop(trace, {}, 0, 1));
  EXPECT_FALSE(next_stop(trace, {}, steps, -1));
  for (u32 a = 0; a < steps; ++a) {
    for (u32 b = 0; b < steps; ++b) {
      const std::vector<stop_mark> marks = {{kind::level, a}, {kind::level, b}};
      for (u32 from = 0; from < steps; ++from) {
        std::optional<u32> on, back;
        for (u32 s = from + 1; s < steps && !on; ++s)
          if (s == a || s == b) on = s;
        for (u32 s = from; s-- > 0 && !back;)
          if (s == a || s == b) back = s;
        EXPECT_EQ(next_stop(trace, marks, from, 1), on);
        EXPECT_EQ(next_stop(trace, marks, from, -1), back);
      }
    }
  }
}

TEST(Stops, AreSetAndTakenAway) {
  std::vector<stop_mark> marks;
  toggle(marks, {kind::level, 2});
  toggle(marks, {kind::key, 2});
  EXPECT_EQ(marks.size(), 2u);
  toggle(marks, {kind::level, 2});
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].at, kind::key);
  const auto model = model_of(testing::config_of("EO+BS layout=soa"), 14);
  EXPECT_EQ(to_text({kind::level, 3}, *model), "level 3");
  EXPECT_EQ(to_text({kind::key, 9}, *model), "key 9");
  EXPECT_EQ(to_text({kind::slot, 5, region_id{1}}, *model), "slot 5 of row ids");
  EXPECT_EQ(to_text({kind::sector, 0, region_id{0}}, *model), "sector 0 of keys");
}

TEST(Stops, ATimelineMarksLevelsTheEndOfScratchAndHits) {
  // 2^5 bytes of scratch hold the first 3 steps' 7 keys.
  const lookup_trace pinned = trace_of_line("EO+BS pin=full scratch=32", 100, 3);
  u32 leaves = 0, hits = 0;
  for (u32 s = 0; s < pinned.steps.size(); ++s) {
    const step_events e = events_of(pinned, s);
    EXPECT_TRUE(e.new_level) << "a level a step";
    const auto scratch = [&](u32 step) { return pinned.steps[step].accesses.at(0).space == memory_space::scratch; };
    EXPECT_EQ(e.leaves_scratch, s > 0 && scratch(s - 1) && !scratch(s));
    leaves += e.leaves_scratch ? 1 : 0;
    hits += e.hit ? 1 : 0;
  }
  EXPECT_EQ(leaves, 1u);
  EXPECT_EQ(hits, 1u);
  EXPECT_TRUE(events_of(pinned, static_cast<u32>(pinned.steps.size() - 1)).hit);

  const lookup_trace plain = trace_of_line("PLAIN lanes=8", 100, 50);
  ASSERT_GT(plain.steps.size(), 1u);
  hits = 0;
  for (u32 s = 0; s < plain.steps.size(); ++s) {
    EXPECT_EQ(events_of(plain, s).new_level, s == 0) << "one level";
    hits += events_of(plain, s).hit ? 1 : 0;
  }
  EXPECT_EQ(hits, 1u);

  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const lookup_trace range = *trace_range(*index, 9, 12);
  u32 in_range = 0;
  for (u32 s = 0; s < range.steps.size(); ++s) {
    if (range.steps[s].kind == step_kind::search) {
      EXPECT_FALSE(events_of(range, s).hit) << "a search finds where to begin, no answer";
    }
    in_range += events_of(range, s).hit ? 1 : 0;
  }
  EXPECT_GT(in_range, 0u);
  EXPECT_FALSE(events_of(*trace_lookup(*index, 8), 3).hit) << "a miss";
  const lookup_trace next = *trace_next(*index, operation::successor, 9);
  for (u32 s = 0; s < next.steps.size(); ++s) {
    const trace_step& step = next.steps[s];
    EXPECT_EQ(events_of(next, s).hit, step.kind == step_kind::next && step.compared.front().key == 10) << s;
  }
}

}  // namespace
}  // namespace pivotscope::viz
