// What comes after a key on the papers' worked example: the path of a search for the value behind it, and the first entry
// from the path on, level by level.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;
using ::testing::ElementsAre;
using testing::paper_keys_in_order;

struct told {
  std::vector<u64> searched, looked_at;  // keys, in their order
  lookup_trace trace;
};
told after(std::string_view config, u64 key) {
  told t{{}, {}, *trace_next(*build_on_cpu(config_of(config), paper_keys_in_order()), operation::successor, key)};
  for (const trace_step& step : t.trace.steps) {
    EXPECT_NE(step.kind, step_kind::scan);
    for (const comparison& c : step.compared)
      (step.kind == step_kind::next ? t.looked_at : t.searched).push_back(c.key);
  }
  return t;
}

TEST(PaperSuccessorGolden, EytzingerOrderLooksAtTheFirstEntryOfEveryLevel) {
  // 1 3 4 6 7 7 9 10 11 12 13 14 16 17: the path to 10 passes 10, 6, 7 and 9; beside it lie 10, 14, 12 and 11.
  const told t = after("EO+BS", 9);
  EXPECT_THAT(t.searched, ElementsAre(10, 6, 7, 9));
  EXPECT_THAT(t.looked_at, ElementsAre(10, 14, 12, 11));
  EXPECT_EQ(*t.trace.successor, (successor_answer{10, 7}));
  EXPECT_EQ(t.trace.row, 7u);
  EXPECT_EQ(t.trace.slot, 1u);
  EXPECT_EQ(t.trace.steps[0].words, "10 is greater than 9: what comes next is 10, or lies before it.");
  EXPECT_EQ(t.trace.steps[1].words, "10 is greater than 9: the least so far.");
  EXPECT_EQ(t.trace.steps[2].words, "6 is not greater than 9, so 6 and everything before it is out.");
  EXPECT_EQ(t.trace.steps[3].words, "14 is not less than 10, which stays the least so far.");
  EXPECT_EQ(t.trace.steps[3].next, "On to the next level: a key nearer to 9 may lie there.");
  EXPECT_EQ(t.trace.verdict,
            "After 9 comes 10: row id 7, in slot 1 of the entries. It is the least of 4 levels' first keys that are "
            "greater.");
  const told nearer = after("EO+BS", 3);
  EXPECT_EQ(*nearer.trace.successor, (successor_answer{4, 2}));
  EXPECT_THAT(nearer.trace.steps[3].words, ::testing::EndsWith("is less than 10: it is the least so far."));
}

TEST(PaperSuccessorGolden, AscendingOrderLooksAtOneEntry) {
  const told t = after("AO+BS", 7);
  EXPECT_THAT(t.looked_at, ElementsAre(9)) << "behind both sevens";
  EXPECT_EQ(*t.trace.successor, (successor_answer{9, 6}));
  EXPECT_EQ(t.trace.verdict,
            "After 7 comes 9: row id 6, in slot 6 of the entries. It is the first key that is greater.");
  EXPECT_THAT(after("AO+PB+BS", 7).looked_at, ElementsAre(9));
  EXPECT_THAT(after("AO+PB+BS pivots=1", 0).looked_at, ElementsAre(1));
}

TEST(PaperSuccessorGolden, NothingComesAfterTheGreatestKey) {
  for (const char* config : {"AO+BS", "EO+BS", "EO+KS", "AO+PB+KS", "AO+PB+BS pivots=1"}) {
    for (const u64 key : {u64{17}, u64{18}, u64{greatest_key<u32>()}}) {
      const told t = after(config, key);
      EXPECT_EQ(*t.trace.successor, successor_answer{}) << config;
      EXPECT_EQ(t.trace.slot, no_rank);
      EXPECT_EQ(t.trace.verdict, "Nothing comes after " + std::to_string(key) + ": no key is greater.");
      EXPECT_EQ(t.trace.steps.back().left_first, t.trace.steps.back().left_end) << "no rank is left";
    }
  }
  EXPECT_THAT(after("AO+BS", 17).trace.steps.back().words, "17 is not greater than 17, and it is the last key.");
  const auto nothing = build_on_cpu(config_of("EO+BS"), key_array(key_width::u32, 0));
  EXPECT_EQ(trace_next(*nothing, operation::successor, 5)->verdict, "Nothing comes after 5: the index is empty.");
  EXPECT_FALSE(trace_next(*nothing, operation::successor, u64{1} << 32).ok()) << "no key of the width";
}

TEST(PaperSuccessorGolden, WhatIsLeftIsTheAnswerAtTheEnd) {
  for (const char* config : {"AO+BS", "EO+BS", "EO+KS fanout=3 lanes=2", "AO+PB+KS fanout=3 lanes=1"}) {
    for (u64 key = 0; key < 17; ++key) {
      const told t = after(config, key);
      const trace_step& last = t.trace.steps.back();
      EXPECT_LE(last.left_end - last.left_first, 2u) << config << " " << key << ": of two equal keys either";
      EXPECT_GE(last.left_end - last.left_first, 1u);
      EXPECT_EQ(searched_key(t.trace), key + 1);
    }
  }
}

}  // namespace
}  // namespace pivotscope
