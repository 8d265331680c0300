// The ranges of verify's cases, and what becomes of a machine that answers one wrong.
#include <gtest/gtest.h>

#include <set>

#include "core/index/config_text.hpp"
#include "core/reference/reference.hpp"
#include "core/verify/cases.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/support/golden_families.hpp"

namespace pivotscope {
namespace {

TEST(case_ranges, reach_the_corners) {
  const case_generator generator({.seed = 4, .most_keys = 3000, .of = testing::golden_families()});
  std::set<u64> counts;
  bool backwards = false, all = false, to_the_end = false;
  u32 rows = 0;
  for (u64 i = 0; i < 300; ++i) {
    const verify_case c = generator.draw(i);
    rows += c.range_rows;
    const key_array keys = *make_keys(c.load, c.config.keys);
    const batch ranges = *case_ranges(c, keys);
    const reference truth(keys);
    const u64 greatest = c.config.keys == key_width::u32 ? 0xFFFFFFFFull : ~0ull;
    for (u64 r = 0; r < ranges.size(); ++r) {
      const u64 low = ranges.keys[r], high = ranges.highs[r], count = truth.range(low, high).count;
      counts.insert(count);
      backwards = backwards || low > high;
      all = all || (keys.size() > 100 && count == keys.size());
      to_the_end = to_the_end || (low == greatest && high == greatest);
    }
  }
  for (const u64 n : {0, 1, 2, 31, 32, 33, 63, 64, 65}) EXPECT_TRUE(counts.contains(n)) << n;
  EXPECT_TRUE(backwards && all && to_the_end);
  EXPECT_EQ(rows, 100u);
}

// The last entry of every range that reaches beyond 9 is overlooked.
void forget_an_entry(batch_answers& answers, const batch& ranges) {
  for (u64 i = 0; i < ranges.size(); ++i) {
    if (answers.ranges[i].count > 0 && ranges.highs[i] > 9) --answers.ranges[i].count;
  }
}

void mistake_a_row(batch_answers& answers, const batch&) {
  for (u32& row : answers.rows) row ^= row % 7 == 3;
}

const verify_case dense_case{*config_from_line("EO+KS fanout=5"),
                             {.keys = 3000, .dist = distribution::dense, .seed = 9, .lookups = 100}};

TEST(check_case, finds_a_wrong_range_and_makes_it_small) {
  batch_liar liar(operation::range, forget_an_entry);
  case_counts counts;
  const outcome<std::optional<case_failure>> failure = check_case(liar, dense_case, counts);
  ASSERT_TRUE(failure.ok() && failure->has_value());
  ASSERT_EQ((*failure)->asked.kind, operation::range);
  EXPECT_NE((*failure)->words.find("entries with row sum"), std::string::npos) << (*failure)->words;
  const auto smallest = shrink_case(liar, dense_case, **failure);
  ASSERT_TRUE(smallest.ok());
  EXPECT_EQ(smallest->first.load.keys, 1u);
  const std::string line = trace_command_line(smallest->first, smallest->second.asked, machine_kind::cpu);
  EXPECT_TRUE(
      line.starts_with("pivotscope trace --config \"EO+KS fanout=5\" --keys 1 --distribution dense --seed 9 "
                       "--machine cpu --lookup 0 --range-to "))
      << line;
}

TEST(check_case, looks_at_row_ids_where_it_is_to) {
  batch_liar liar(operation::range, mistake_a_row);
  case_counts counts;
  verify_case c = dense_case;
  EXPECT_FALSE(check_case(liar, c, counts)->has_value());
  c.range_rows = true;
  const auto failure = check_case(liar, c, counts);
  ASSERT_TRUE(failure.ok() && failure->has_value());
  EXPECT_NE((*failure)->words.find("listed other row ids"), std::string::npos);
}

// Words for a batch of ranges that `lie` made wrong.
std::string words_for(void (*lie)(batch_answers&, const batch&)) {
  batch_liar liar(operation::range, lie);
  case_counts counts;
  verify_case c = dense_case;
  c.range_rows = true;
  const auto failure = check_case(liar, c, counts);
  if (!failure.ok() || !failure->has_value()) return "no failure";
  EXPECT_EQ((*failure)->asked.kind, operation::range);
  return (*failure)->words;
}

TEST(check_case, says_how_row_ids_are_wrong) {
  const key_array keys = *make_keys(dense_case.load, key_width::u32);
  const batch ranges = *case_ranges(dense_case, keys);
  const reference truth(keys);
  static u64 first;  // of the ranges with several entries
  u64 begin = 0, count = 0;
  for (first = 0; count < 2; ++first) {
    begin += count;
    count = truth.range(ranges.keys[first], ranges.highs[first]).count;
  }
  --first;
  const std::string range = "range " + std::to_string(first) + " from " + std::to_string(ranges.keys[first]) + " to " +
                            std::to_string(ranges.highs[first]) + " ";
  EXPECT_EQ(words_for([](batch_answers& r, const batch&) { --r.begins[first + 1]; }),
            range + "listed " + std::to_string(count - 1) + " row ids, right are " + std::to_string(count));
  EXPECT_EQ(words_for([](batch_answers& r, const batch&) { r.rows.resize(r.begins[first] + 1); }),
            range + "listed row ids " + std::to_string(begin) + " to " + std::to_string(begin + count) + " of " +
                std::to_string(begin + 1));
  EXPECT_EQ(words_for([](batch_answers& r, const batch&) { r.rows[r.begins[first]] = r.rows[r.begins[first] + 1]; }),
            range + "listed other row ids than the right ones");
  const std::string count_words = std::to_string(ranges.size()) + " ranges have ";
  EXPECT_EQ(words_for([](batch_answers& r, const batch&) { r.ranges.pop_back(); }),
            count_words + std::to_string(ranges.size() - 1) + " answers");
  EXPECT_EQ(words_for([](batch_answers& r, const batch&) { r.begins.pop_back(); }),
            "range 0 from " + std::to_string(ranges.keys[0]) + " to " + std::to_string(ranges.highs[0]) +
                " listed no row ids");
}

// The key itself in place of the one behind it.
void stay_where_one_is(batch_answers& answers, const batch& asked) {
  for (u64 i = 0; i < asked.size(); ++i)
    if (answers.successors[i].row != not_found && asked.keys[i] > 9) answers.successors[i].key = asked.keys[i];
}

TEST(check_case, finds_a_wrong_successor_and_makes_it_small) {
  batch_liar liar(operation::successor, stay_where_one_is);
  case_counts counts;
  const auto failure = check_case(liar, dense_case, counts);
  ASSERT_TRUE(failure.ok() && failure->has_value());
  EXPECT_EQ((*failure)->asked.kind, operation::successor);
  EXPECT_TRUE((*failure)->words.starts_with("successor ")) << (*failure)->words;
  const auto smallest = shrink_case(liar, dense_case, **failure);
  ASSERT_TRUE(smallest.ok());
  EXPECT_EQ(smallest->first.load.keys, 12u) << "10 has one behind it";
  const std::string line = trace_command_line(smallest->first, smallest->second.asked, machine_kind::cpu);
  EXPECT_NE(line.find(" --machine cpu --successor "), std::string::npos) << line;
}

}  // namespace
}  // namespace pivotscope
