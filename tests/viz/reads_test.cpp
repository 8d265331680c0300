// Which reads a cell shows, and what stands under a key that a step compared.
#include "viz/models/reads.hpp"

#include <gtest/gtest.h>

#include "core/families/ordered/shape.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

relation relation_of(int order) { return order < 0 ? relation::less : order > 0 ? relation::greater : relation::equal; }

TEST(Reads, AreOfTheLastStepThatMadeThem) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const lookup_trace trace = *trace_lookup(*index, 8);  // slots 1, 2, 5, 11
  ASSERT_EQ(trace.steps.size(), 4u);
  const u64 slots[] = {1, 2, 5, 11};
  for (u32 current = 0; current < 4; ++current) {
    for (u32 step = 0; step < 4; ++step) {
      const cell_reads reads = reads_of(trace, current, ordered_region::entries, slots[step]);
      EXPECT_EQ(reads.mark, step == current ? read_mark::now : step < current ? read_mark::before : read_mark::none);
      EXPECT_EQ(reads.step, step <= current ? step : 0);
      EXPECT_EQ(reads.compared, step == current ? &trace.steps[step].compared[0] : nullptr);
    }
    EXPECT_EQ(reads_of(trace, current, ordered_region::pivots, 1).mark, read_mark::none);
    EXPECT_EQ(reads_of(trace, current, ordered_region::entries, 3).mark, read_mark::none);
  }
  EXPECT_EQ(reads_of(trace, 9, ordered_region::entries, 11).mark, read_mark::before) << "past the last step";
}

TEST(Reads, ASignSaysHowTheKeyLookedForLies) {
  trace_step search, scan;
  scan.kind = step_kind::scan;
  const auto sign = [](const trace_step& step, relation met) {
    comparison c;
    c.rank = 5;
    c.met = met;
    return std::string(comparison_sign(step, c));
  };
  EXPECT_EQ(sign(search, relation::less), "<");
  EXPECT_EQ(sign(search, relation::equal), "=");
  EXPECT_EQ(sign(search, relation::greater), ">");
  EXPECT_EQ(sign(search, relation::other), "\u2260");
  EXPECT_EQ(sign(search, relation::tag), "~");
  EXPECT_EQ(sign(search, relation::hit), "hit");
  EXPECT_EQ(sign(search, relation::miss), "miss");
  EXPECT_EQ(sign(scan, relation::less), "<");
  EXPECT_EQ(sign(scan, relation::equal), "in");
  EXPECT_EQ(sign(scan, relation::greater), ">");
}

TEST(Reads, SlotsWithoutAnEntryHaveSignsOfTheirOwn) {
  comparison c;
  c.empty = true;
  c.state = cell_state::empty;
  EXPECT_STREQ(comparison_sign({}, c), "-");
  c.state = cell_state::erased;
  EXPECT_STREQ(comparison_sign({}, c), "\u00D7");
}

TEST(Reads, WithoutRanksAKeyIsAnotherOneAndNotLessOrGreater) {
  const auto index = testing::build_on_cpu(testing::config_of("HT+OA"), key_array(std::vector<u32>{5, 3, 9}));
  const lookup_trace found = *trace_of(*index, question(9)), missed = *trace_of(*index, question(6));
  std::string signs;
  for (const lookup_trace* trace : {&found, &missed})
    for (const trace_step& step : trace->steps)
      for (const comparison& c : step.compared)
        if (!c.empty) signs += comparison_sign(step, c);
  EXPECT_NE(signs.find("="), std::string::npos);
  EXPECT_NE(signs.find("\u2260"), std::string::npos);
  EXPECT_EQ(signs.find_first_of("<>"), std::string::npos);
}

TEST(Reads, AWriteSaysWhatItChangedFieldByField) {
  const auto index = testing::build_on_cpu(testing::config_of("PLAIN"), key_array(std::vector<u32>{5, 3, 9}));
  const auto model = model_of(*index);
  const lookup_trace insert = *trace_write(*index, operation::insert, 8);
  const std::vector<changed_field> added = changed_by(*model, insert.steps[0]);
  ASSERT_EQ(added.size(), 2u);
  EXPECT_EQ(added[0].name, "key");
  EXPECT_EQ(added[0].at, (cell_ref{main_region, 3}));
  EXPECT_EQ(added[0].words(), "none \u2192 8") << "an empty cell has the greatest key, which is none";
  EXPECT_EQ(added[1].words(), "empty \u2192 row 3");
  EXPECT_EQ(added[1].begin, 4u);
  EXPECT_EQ(compared_words(insert.steps[0]), "writes 2");
  EXPECT_EQ(reads_by_lane(insert.steps[0])[0].kind, access_kind::store);
  const lookup_trace erase = *trace_write(*index, operation::erase, 3);
  const std::vector<changed_field> gone = changed_by(*model, erase.steps[0]);
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].words(), "row 1 \u2192 erased");
  EXPECT_EQ(gone[0].how, access_kind::swap);
  // A word of key and row id together, which another thread was quicker to change.
  trace_step step;
  step.changed.push_back(
      {main_region, 2, 0, 8, 9ull | 2ull << 32, 9ull | u64{erased_row} << 32, access_kind::swap, false});
  const std::vector<changed_field> part = changed_by(*model, step);
  ASSERT_EQ(part.size(), 1u) << "the key stays";
  EXPECT_EQ(part[0].words(), "row 2 \u2192 erased, not done");
  EXPECT_EQ(part[0].begin, 4u);
  EXPECT_EQ(part[0].bytes, 4u);
}

// A link and a child are words with bits in them: the index says what they mean.
TEST(Reads, AWriteOfALinkSaysWhereItLeadsAndWhetherItIsLatched) {
  const auto index = testing::build_on_cpu(testing::config_of("BTREE node=8 lanes=1 fill=100"),
                                           key_array(std::vector<u32>{10, 20, 30, 40, 50, 60, 70}));
  const auto model = model_of(*index);
  std::vector<std::string> words;
  const lookup_trace insert = *trace_write(*index, operation::insert, 45);
  for (const trace_step& step : insert.steps)
    for (const changed_field& c : changed_by(*model, step)) words.push_back(c.words());
  const auto told = [&](std::string_view what) { return std::find(words.begin(), words.end(), what) != words.end(); };
  EXPECT_TRUE(told("end \u2192 end, latched"));
  EXPECT_TRUE(told("end, latched \u2192 leaf 1, latched"));
  EXPECT_TRUE(told("none \u2192 below 50"));
  EXPECT_TRUE(told("none \u2192 leaf 1"));
}

TEST(Reads, TheTwoBesideTheKeyDecide) {
  const auto decides = [](std::vector<std::pair<u64, int>> compared) {  // ranks, and 1, 0, -1: greater, equal, less
    trace_step step;
    for (const auto& [rank, order] : compared) step.compared.push_back({.rank = rank, .met = relation_of(order)});
    std::vector<u64> ranks;
    for (u64 rank = 0; rank < 20; ++rank)
      if (decided(step, rank)) ranks.push_back(rank);
    EXPECT_FALSE(decided(step, no_rank));
    return ranks;
  };
  using ranks = std::vector<u64>;
  EXPECT_EQ(decides({}), ranks{});
  EXPECT_EQ(decides({{7, 1}}), ranks{7});
  EXPECT_EQ(decides({{7, 0}}), ranks{7});
  EXPECT_EQ(decides({{7, -1}}), ranks{7});
  EXPECT_EQ(decides({{3, 1}, {6, 1}, {9, -1}, {12, -1}}), (ranks{6, 9}));
  EXPECT_EQ(decides({{12, -1}, {9, 0}, {6, 1}, {3, 1}}), (ranks{6, 9})) << "whatever the lanes' order";
  EXPECT_EQ(decides({{3, 1}, {6, 1}, {no_rank, 1}}), ranks{6}) << "an empty slot decides nothing";
  EXPECT_EQ(decides({{no_rank, -1}, {9, -1}}), ranks{9});
}

// The words of every comparison of the last step.
std::vector<std::string> last_words(const lookup_trace& trace) {
  std::vector<std::string> words;
  for (const comparison& c : trace.steps.back().compared) {
    words.push_back(comparison_words(trace, trace.steps.back(), c));
  }
  return words;
}

TEST(ComparisonWords, SetTheKeyLookedForAgainstTheOneCompared) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  EXPECT_EQ(last_words(*trace_lookup(*index, 9)), std::vector<std::string>{"9 = 9"});
  EXPECT_EQ(last_words(*trace_lookup(*index, 8)), std::vector<std::string>{"8 < 9"});
  EXPECT_EQ(last_words(*trace_lookup(*index, 15)), std::vector<std::string>{"15 < 16"});
}

TEST(ComparisonWords, OfAScanSetTheEndThatDecidesAgainstIt) {
  const auto index = testing::build_on_cpu(testing::config_of("AO+BS"), testing::paper_keys_in_order());
  const std::vector<std::string> words = last_words(*trace_range(*index, 9, 12));
  EXPECT_EQ(words, (std::vector<std::string>{"in", "in", "in", "in", "12 < 13"}));
  EXPECT_EQ(last_words(*trace_range(*index, 9, 3)), std::vector<std::string>{"3 < 9"}) << "no key is in it";
}

TEST(ComparisonWords, OfASuccessorSetTheValueBehindTheKeyAgainstIt) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const lookup_trace trace = *trace_next(*index, operation::successor, 9);
  std::vector<std::string> words, lines;
  for (const trace_step& step : trace.steps) {
    for (const comparison& c : step.compared) words.push_back(comparison_words(trace, step, c));
    lines.push_back(compared_words(step));
  }
  EXPECT_EQ(words, (std::vector<std::string>{"10 = 10", "next", "10 > 6", "next", "10 > 7", "next", "10 > 9", "next"}));
  EXPECT_EQ(lines, (std::vector<std::string>{"= 10", "first here: 10", "> 6", "first here: 14", "> 7", "first here: 12",
                                             "> 9", "first here: 11"}));
  const auto sorted = testing::build_on_cpu(testing::config_of("AO+BS"), testing::paper_keys_in_order());
  const lookup_trace none = *trace_next(*sorted, operation::successor, 17);
  EXPECT_EQ(last_words(none), std::vector<std::string>{"18 > 17"});
  EXPECT_EQ(compared_words(none.steps.back()), "none here");
}

// The step in which AO+KS reads keys that lie far apart, and one in which 32 lanes read a node.
TEST(Reads, StandLaneByLane) {
  const auto far = testing::build_on_cpu(testing::config_of("AO+KS fanout=5"), testing::paper_keys_in_order());
  const lookup_trace apart = *trace_lookup(*far, 9);
  const trace_step& step = apart.steps.front();  // from slot 13, 5 and 10 back
  const std::vector<lane_reads> each = reads_by_lane(step);
  ASSERT_EQ(each.size(), 2u);
  EXPECT_EQ(each[0].first_lane, 0u);
  EXPECT_EQ(each[0].byte, 64u);
  EXPECT_EQ(each[1].last_lane, 1u);
  EXPECT_EQ(each[1].byte, 24u);
  EXPECT_EQ(touched_words(step, ordered_region::entries, 32), "0, 2");
  EXPECT_EQ(touched_words(step, ordered_region::entries, 128), "0");
  EXPECT_EQ(touched_words(step, ordered_region::rows, 32), "");

  const auto wide = testing::build_on_cpu(testing::config_of("EO+KS fanout=33"),
                                          *make_keys({.keys = 40, .dist = distribution::dense}, key_width::u32));
  const lookup_trace together = *trace_lookup(*wide, 37);
  const std::vector<lane_reads> node = reads_by_lane(together.steps.front());
  ASSERT_EQ(node.size(), 1u) << "side by side in one array";
  EXPECT_EQ(node[0].first_lane, 0u);
  EXPECT_EQ(node[0].last_lane, 31u);
  EXPECT_EQ(node[0].bytes, 256u);
  EXPECT_EQ(reads_by_lane(together.steps.front(), 32).size(), 32u);
  EXPECT_EQ(touched_words(together.steps.front(), ordered_region::entries, 32), "0 to 7");
}

TEST(Reads, TwoArraysAreTwoReads) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS layout=soa"), testing::paper_keys_in_order());
  const lookup_trace trace = *trace_lookup(*index, 9);
  const std::vector<lane_reads> last = reads_by_lane(trace.steps.back(), 0);
  ASSERT_EQ(last.size(), 2u);
  EXPECT_EQ(last[0].array, ordered_region::entries);
  EXPECT_EQ(last[1].array, ordered_region::rows);
}

TEST(Reads, TheNearestKeysSayWhatAStepFound) {
  const auto key = [](u64 k, int order) {
    comparison c;
    c.key = k;
    c.met = relation_of(order);
    return c;
  };
  comparison empty;
  empty.empty = true;
  trace_step step;
  EXPECT_EQ(compared_words(step), "nothing to read");
  step.compared = {empty};
  EXPECT_EQ(compared_words(step), "empty slots");
  step.compared = {key(3, 1), key(5, 1), empty, key(11, -1), key(9, -1)};
  EXPECT_EQ(compared_words(step), "> 5  < 9");
  EXPECT_EQ(nearest_of(step).below->key, 5u);
  EXPECT_EQ(nearest_of(step).above->key, 9u);
  EXPECT_FALSE(nearest_of(step).equal);
  step.compared.push_back(key(7, 0));
  EXPECT_EQ(compared_words(step), "= 7");
  step.kind = step_kind::scan;
  EXPECT_EQ(compared_words(step), "scan: 1 in the range");
  step.kind = step_kind::search;
  step.compared = {key(3, 1)};
  EXPECT_EQ(compared_words(step), "> 3");
  step.compared = {key(3, -1)};
  EXPECT_EQ(compared_words(step), "< 3");
}

// What a step met without a key is told by how it lies alone.
TEST(Reads, WhatHasNoKeyIsToldByHowItLies) {
  const auto met = [](relation how, bool keyless) {
    comparison c;
    c.met = how;
    c.keyless = keyless;
    return c;
  };
  trace_step step;
  step.compared = {met(relation::other, false), met(relation::other, false)};
  EXPECT_EQ(compared_words(step), "no match");
  step.compared = {met(relation::miss, true), met(relation::hit, true)};
  EXPECT_EQ(compared_words(step), "hit");
  step.compared.pop_back();
  EXPECT_EQ(compared_words(step), "no match");
  EXPECT_EQ(comparison_words({}, step, step.compared[0]), "miss");
  step.compared = {met(relation::other, true), met(relation::tag, true)};
  EXPECT_EQ(compared_words(step), "a tag agrees");
  step.compared = {met(relation::less, true), met(relation::greater, true), met(relation::equal, true)};
  EXPECT_FALSE(nearest_of(step).below || nearest_of(step).above || nearest_of(step).equal) << "no key is the nearest";
}

TEST(Reads, ManyBlocksAreToldInPart) {
  trace_step step;
  for (const u64 block : {0u, 1u, 4u, 5u, 6u, 9u, 11u, 13u, 15u, 17u})
    step.accesses.push_back({.slot = block, .slots = 1, .byte_offset = block * 32, .bytes = 4});
  EXPECT_EQ(touched_words(step, region_id{}, 32, 7), "0, 1, 4 to 6, 9, 11, 13, 15, 17");
  EXPECT_EQ(touched_words(step, region_id{}, 32, 3), "0, 1, 4 to 6 and 5 more");
}

}  // namespace
}  // namespace pivotscope::viz
