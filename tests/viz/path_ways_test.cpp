// From region to region: the ways of a path, what the cells say of where they lead, and what a write changes between steps.
#include "viz/cells/path_ways.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/hard_keys.hpp"

namespace pivotscope::viz {
namespace {

memory_access read_of(region_id region, u64 slot, u32 slots = 1) {
  return {.array = region, .slot = slot, .slots = slots};
}

TEST(path_ways, lead_from_what_was_read_to_what_is_read_next) {
  const auto model = model_of(testing::config_of("PACKED"), 14);
  lookup_trace trace;
  trace.steps.resize(4);
  constexpr region_id leaves = main_region, blocks{1}, lists{4};
  trace.steps[0].accesses = {read_of(blocks, 3), read_of(lists, 7), read_of(lists, 5)};
  trace.steps[1].accesses = {read_of(leaves, 24, 3), read_of(leaves, 30, 3)}, trace.steps[1].level = 1;
  trace.steps[2].accesses = {read_of(leaves, 12, 3)}, trace.steps[2].level = 1;
  trace.steps[3].accesses = {read_of(blocks, 9)};  // level 0: the other end of a range
  const auto ways = ways_of(*model, trace, 3);
  ASSERT_EQ(ways.size(), 2u) << "none to where a search begins again, none within a region";
  EXPECT_EQ(ways[0].from.region, blocks);
  EXPECT_EQ(ways[0].to.region, lists);
  EXPECT_EQ(ways[0].to.first, 5u);
  EXPECT_EQ(ways[0].to.count, 3u) << "all that the step read there";
  EXPECT_EQ(ways[0].step, 0u);
  EXPECT_EQ(ways[1].from.region, lists);
  EXPECT_EQ(ways[1].to.region, leaves);
  EXPECT_EQ(ways[1].to.first, 24u);
  EXPECT_EQ(ways[1].to.count, 9u);
  EXPECT_EQ(ways[1].step, 1u);
  EXPECT_EQ(ways_of(*model, trace, 0).size(), 1u) << "as far as the path was stepped";
  EXPECT_EQ(ways_of(*model, trace, 99).size(), 2u);
}

// Row ids beside their keys are no other place.
TEST(path_ways, do_not_lead_to_what_lies_beside) {
  for (const char* line : {"HT+OA layout=soa", "EO+BS layout=soa", "PLAIN"}) {
    const auto index = testing::build_on_cpu(testing::config_of(line), testing::paper_keys_in_order());
    const auto trace = trace_lookup(*index, 9);
    ASSERT_TRUE(trace.ok());
    EXPECT_TRUE(ways_of(*model_of(*index), *trace, 99).empty()) << line;
  }
}

// Whatever the directory is made of: where a path goes on is where the cell that it read says that it leads.
TEST(path_ways, are_among_those_that_the_cells_tell) {
  std::map<std::pair<region_id, region_id>, u64> seen;
  for (const char* line : {"PACKED block=32 fill=180", "PACKED fill=400"}) {
    for (const auto& set : testing::all_hard_keys<u32>(2000, 21)) {
      SCOPED_TRACE(set.name);
      const auto index = testing::build_on_cpu(testing::config_of(line), key_array(set.keys));
      const auto model = model_of(*index);
      const region_reader read = [&](region_id region, u64 byte, std::span<std::byte> out) {
        return index->read(region, byte, out).ok();
      };
      for (const u32 key : testing::asked_of(set.keys, 30, 5)) {
        const auto trace = trace_lookup(*index, key);
        ASSERT_TRUE(trace.ok());
        for (const path_way& way : ways_of(*model, *trace, 99)) {
          // A listed key does not say whose it is, nor entries in full that the leaf before is next.
          if (way.from.region == region_id{4} || way.from.region == region_id{2}) continue;
          std::vector<cell_link> leads;
          ASSERT_TRUE(model->leads_of(way.from, read, leads));
          ++seen[{way.from.region, way.to.region}];
          EXPECT_TRUE(std::any_of(leads.begin(), leads.end(),
                                  [&](const cell_link& lead) {
                                    return lead.to.region == way.to.region && lead.to.cell <= way.to.first &&
                                           way.to.first < lead.to.cell + lead.cells;
                                  }))
              << key << ", step " << way.step;
        }
      }
    }
  }
  constexpr region_id leaves = main_region, blocks{1}, escapes{2}, lists{4};
  EXPECT_GT((seen[{blocks, leaves}]), 1000u);
  EXPECT_GT((seen[{leaves, escapes}]), 10u);
  EXPECT_GT((seen[{blocks, lists}]), 10u);
}

TEST(path_ways, cells_lead_nowhere_where_bytes_are_not_at_hand) {
  const auto index = testing::build_on_cpu(testing::config_of("PACKED"), testing::paper_keys_in_order());
  const region_reader nothing = [](region_id, u64, std::span<std::byte>) { return false; };
  std::vector<cell_link> leads;
  EXPECT_FALSE(model_of(*index)->leads_of({region_id{1}, 0, 1}, nothing, leads));
  EXPECT_TRUE(leads.empty());
}

TEST(path_ways, what_a_write_changes_is_seen_forwards_and_back) {
  const auto index =
      testing::build_on_cpu(testing::config_of("HT+OA keys=u64 layout=soa lanes=1 window=2 load=95"),
                            key_array(std::vector<u64>{1, 3, 4, 6, 9, 10, 11, 12, 13, 14, 16, 17, 21, 22, 25, 29, 30}));
  u64 several = 0;
  for (u64 key = 40; key < 80; ++key) {
    const auto trace = trace_write(*index, operation::insert, key);
    ASSERT_TRUE(trace.ok());
    const auto last = static_cast<u32>(trace->steps.size() - 1);
    const std::vector<changed_word>& words = trace->steps.back().changed;
    ASSERT_FALSE(words.empty());
    if (last == 0) continue;  // nothing is before its first step
    const std::vector<cell_ref> cells = changed_between(*trace, 0, last);
    EXPECT_EQ(changed_between(*trace, last, 0), cells);
    EXPECT_EQ(changed_between(*trace, last - 1, last), cells) << "it reads up to its last step";
    EXPECT_TRUE(changed_between(*trace, last, last).empty());
    EXPECT_TRUE(changed_between(*trace, 0, last - 1).empty());
    ASSERT_EQ(cells.size(), 2u) << "its key and its row id, which lie in two regions";
    EXPECT_NE(cells[0].region, cells[1].region);
    EXPECT_EQ(cells[0].cell, cells[1].cell);
    ++several;
  }
  EXPECT_GT(several, 3u);
}

TEST(path_ways, what_is_not_done_or_stays_is_no_change) {
  lookup_trace trace;
  trace.steps.resize(2);
  trace.steps[1].changed = {{.slot = 3, .before = 1, .after = 2, .done = false},
                            {.slot = 4, .before = 5, .after = 5},
                            {.slot = 6, .before = 1, .after = 2},
                            {.slot = 6, .before = 2, .after = 3}};
  EXPECT_EQ(changed_between(trace, 0, 1), (std::vector<cell_ref>{{main_region, 6}}));
}

}  // namespace
}  // namespace pivotscope::viz
