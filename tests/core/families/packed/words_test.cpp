// The path of a packed lookup in words: what a block decides, and where a digit leaves in doubt which leaf it is.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/families/packed/packed.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/hard_keys.hpp"

namespace pivotscope {
namespace {

bool words_have(const std::string& words, std::string_view part) { return words.find(part) != std::string::npos; }

bool reads(const trace_step& step, region_id region) {
  return !step.accesses.empty() && step.accesses.front().array == region;
}

struct told_totals {
  u64 plain = 0, marks = 0, nodes = 0, runs = 0, lists = 0, doubts = 0, settled = 0, back = 0, found_before = 0,
      escaped = 0, outside = 0, beyond = 0;
};

// What is said of a lookup against what it did: the leaf that the blocks lead to, whether it goes back, and why.
void check_told(const built_index& index, const std::vector<u32>& sorted, u64 key, told_totals& totals) {
  const auto trace = trace_lookup(index, key);
  ASSERT_TRUE(trace.ok()) << trace.error().words;
  SCOPED_TRACE(to_text(*trace));
  const u64 entries = leaf_entries(packed_config::of(index.config()));
  const packed_view view = index.state_as<packed_view>();
  ASSERT_EQ(words_have(trace->start, "outside"), key < view.least || key > view.least + view.span);
  bool doubt = false;
  std::optional<u64> leaf;
  for (std::size_t i = 0; i < trace->steps.size(); ++i) {
    const trace_step& step = trace->steps[i];
    if (trace->slot != no_rank) {
      ASSERT_LE(step.left_first, trace->slot);
      ASSERT_GT(step.left_end, trace->slot);
    }
    if (reads(step, packed_region::blocks)) {
      const trace_step& next = trace->steps.at(i + 1);
      const u64 to = next.accesses.front().slot;
      if (reads(next, packed_region::blocks)) {
        ++totals.nodes;
        if (words_have(step.words, "beyond these, in a last one")) {
          ++totals.beyond;
          ASSERT_TRUE(words_have(next.words, "No other leaf begins in it")) << next.words;
        }
        ASSERT_TRUE(words_have(step.words, "it is a node")) << step.words;
        ASSERT_TRUE(words_have(step.words, "which is block " + std::to_string(to) + "."));
        ASSERT_EQ(step.brief, "node: block " + std::to_string(to));
        ASSERT_EQ(step.doubt, "");
        continue;
      }
      leaf = to / entries;
      ++(words_have(step.words, "it is a run")    ? totals.runs
         : words_have(step.words, "it is a list") ? totals.lists
                                                  : totals.plain);
      ASSERT_TRUE(words_have(step.words, "leaf")) << step.words;
      ASSERT_TRUE(step.brief.ends_with("leaf " + std::to_string(*leaf))) << step.brief;
      if (words_have(step.brief, " of ")) {
        const auto first = std::find_if(step.watched.begin(), step.watched.end(),
                                        [](const watched_value& w) { return w.name == "block.first_leaf()"; });
        ASSERT_NE(first, step.watched.end());
        ASSERT_EQ(first->value + std::stoull(step.brief), *leaf) << step.brief;
      }
      doubt = !step.doubt.empty();
      totals.doubts += doubt;
      totals.marks += words_have(step.words, "with a mark where one begins");
      ASSERT_EQ(words_have(step.doubt, "the key's own"), doubt);
      ASSERT_EQ(step.left_first < *leaf * entries, doubt);
      ASSERT_EQ(step.left_end, std::min((*leaf + 1) * entries, view.keys));
      continue;
    }
    ASSERT_TRUE(leaf);
    const u64 here =
        step.compared.empty() ? step.accesses.front().slot / entries : step.compared.front().slot / entries;
    if (step.compared.empty() && i + 1 < trace->steps.size() && !words_have(step.words, "again")) {
      ++totals.escaped;
      ASSERT_TRUE(words_have(step.words, "is escaped")) << step.words;
      ASSERT_TRUE(words_have(step.doubt, "in full"));
      ASSERT_TRUE(step.brief.starts_with("leaf ")) << step.brief;
    }
    const bool goes_back = i + 1 < trace->steps.size() &&
                           trace->steps[i + 1].accesses.front().array != packed_region::escapes &&
                           trace->steps[i + 1].accesses.front().slot / entries < here;
    ASSERT_EQ(words_have(step.next, "one leaf back"), goes_back);
    if (goes_back) {
      ++totals.back;
      ASSERT_TRUE(doubt) << "what goes back was in doubt";
      ASSERT_TRUE(words_have(step.doubt, "leaf before"));
      ASSERT_LE(step.left_end, here * entries);
    }
    if (i + 1 == trace->steps.size() && trace->row != not_found) {
      totals.found_before += here < *leaf;
      totals.settled += doubt && here == *leaf;
      ASSERT_EQ(words_have(step.words, ", before the "), here < *leaf) << step.words;
      ASSERT_EQ(words_have(step.words, "is not needed"), doubt && here == *leaf);
    } else if (i + 1 == trace->steps.size()) {
      totals.outside += words_have(step.words, "outside");
      ASSERT_NE(words_have(step.words, "outside"), words_have(step.words, "none of its")) << step.words;
      ASSERT_EQ(step.doubt, "");
      const u64 smaller = static_cast<u64>(std::lower_bound(sorted.begin(), sorted.end(), key) - sorted.begin());
      ASSERT_EQ(step.left_first, smaller) << "where it would lie";
      ASSERT_EQ(step.left_end, smaller);
    }
  }
}

TEST(packed_words, say_what_a_lookup_does) {
  told_totals totals;
  for (const char* line : {"PACKED", "PACKED leaf=32 lanes=1 block=32 fill=280"}) {
    for (const auto& set : testing::all_hard_keys<u32>(3000, 11)) {
      SCOPED_TRACE(set.name);
      const auto index = testing::build_on_cpu(testing::config_of(line), key_array(set.keys));
      std::vector<u32> sorted = set.keys;
      std::sort(sorted.begin(), sorted.end());
      for (const u32 key : testing::asked_of(set.keys, 60, 5)) {
        check_told(*index, sorted, key, totals);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
      }
    }
  }
  EXPECT_GT(totals.plain, 5000u);
  EXPECT_GT(totals.marks, 100u);
  EXPECT_GT(totals.nodes, 500u);
  EXPECT_GT(totals.beyond, 20u);
  EXPECT_GT(totals.runs, 100u);
  EXPECT_GT(totals.lists, 100u);
  EXPECT_GT(totals.doubts, 500u);
  EXPECT_GT(totals.settled, 100u);
  EXPECT_GT(totals.back, 200u);
  EXPECT_GT(totals.found_before, 3u);
  EXPECT_GT(totals.escaped, 100u);
  EXPECT_GT(totals.outside, 100u);
}

// Ranges and successors begin at the first leaf that is in doubt, and go on; both ends of a range have a descent.
TEST(packed_words, ranges_say_where_they_begin) {
  u64 further = 0, other_ends = 0;
  for (const auto& set : testing::all_hard_keys<u64>(1500, 3)) {
    SCOPED_TRACE(set.name);
    const auto index =
        testing::build_on_cpu(testing::config_of("PACKED keys=u64 block=32 fill=180"), key_array(set.keys));
    const auto asked = testing::asked_of(set.keys, 40, 5);
    for (std::size_t i = 0; i + 1 < asked.size(); i += 2) {
      const auto range = trace_range(*index, std::min(asked[i], asked[i + 1]), std::max(asked[i], asked[i + 1]));
      const auto after = trace_next(*index, operation::successor, asked[i]);
      ASSERT_TRUE(range.ok() && after.ok());
      const reference truth{key_array(set.keys)};
      if (!range->steps.empty()) {
        const u64 low = range->key, high = range->range->high;
        // Both ends: entries before the one, and before what is behind the other.
        const auto told = [&](u64 before) {
          return std::any_of(range->steps.begin(), range->steps.end(), [&](const trace_step& step) {
            return words_have(step.words, "so " + std::to_string(before) + " are before the place");
          });
        };
        const u64 least = truth.key_at_rank(0), greatest = truth.key_at_rank(set.keys.size() - 1);
        if (low > least && low <= greatest) {
          ASSERT_TRUE(told(truth.range(0, low - 1).count)) << low;
        }
        if (high >= least && high < greatest) {
          ASSERT_TRUE(told(truth.range(0, high).count)) << low << " to " << high << to_text(*range);
        }
        ASSERT_EQ(range->steps.back().left_first, low == 0 ? 0 : truth.range(0, low - 1).count) << low;
        ASSERT_EQ(range->steps.back().left_end - range->steps.back().left_first, range->range->answer.count);
      }
      for (const lookup_trace* const trace : {&*range, &*after}) {
        for (const trace_step& step : trace->steps) {
          ASSERT_NE(step.words, "");
          ASSERT_FALSE(words_have(step.words, "?"));
          ASSERT_EQ(step.brief.empty(), !reads(step, packed_region::blocks) && !words_have(step.words, "escaped"));
          further += words_have(step.doubt, "the place is further on");
          other_ends += words_have(step.next, "the range's other end");
        }
      }
    }
  }
  EXPECT_GT(further, 50u);
  EXPECT_GT(other_ends, 200u);
}

// What the command line prints of a doubt: a line that begins with a question mark, and a field where there is one.
TEST(packed_words, a_doubt_is_printed) {
  lookup_trace trace;
  trace.config = testing::config_of("PACKED");
  trace.steps.resize(2);
  trace.steps[0].words = "A block.", trace.steps[0].doubt = "It may lie one leaf earlier.";
  EXPECT_TRUE(words_have(to_text(trace), "  A block.\n  ? It may lie one leaf earlier.\n"));
  nlohmann::json json;
  to_json(json, trace);
  EXPECT_EQ(json["steps"][0]["doubt"], "It may lie one leaf earlier.");
  EXPECT_FALSE(json["steps"][1].contains("doubt"));
}

}  // namespace
}  // namespace pivotscope
