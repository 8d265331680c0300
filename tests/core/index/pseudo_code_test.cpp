// An operation in some ten lines, and where these are in the source. That all lines that run are among them, the conformance suite asks.
#include "core/index/linked_code.hpp"

#include <gtest/gtest.h>

#include "core/common/source_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view eytzinger = "core/families/ordered/eytzinger/eytzinger.hpp";

linked_code code_of(const char* line, operation kind = operation::find) {
  const index_config config = testing::config_of(line);
  return linked_code(family_of(config).pseudo_code_of(config, kind));
}
std::string lines_that_run(const linked_code& code, const lookup_trace& trace, std::size_t step) {
  std::string numbers;
  for (std::size_t i = 0; i < code.lines().size(); ++i)
    if (code.runs(i, trace, step)) numbers += (numbers.empty() ? "" : " ") + std::to_string(i + 1);
  return numbers;
}

//  1 find(key):
//  2   node = 0
//  3   while there is such a node:
//  4     read its key
//  5     less = 1 if it is smaller than the key, else 0
//  6     if it is the key: return its row id
//  7     node = node * 2 + 1 + less
//  8   return none
TEST(pseudo_code, of_a_search_goes_round_and_ends_as_the_search_does) {
  const linked_code code = code_of("EO+BS");
  ASSERT_EQ(code.lines().size(), 8u);
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const lookup_trace hit = *trace_lookup(*index, 9), miss = *trace_lookup(*index, 8);
  ASSERT_GT(hit.steps.size(), 2u);
  EXPECT_EQ(lines_that_run(code, hit, 0), "2 3 4 5 7");
  for (std::size_t i = 1; i + 1 < hit.steps.size(); ++i) EXPECT_EQ(lines_that_run(code, hit, i), "3 4 5 7") << i;
  EXPECT_EQ(lines_that_run(code, hit, hit.steps.size() - 1), "3 4 5 6");
  EXPECT_EQ(lines_that_run(code, miss, miss.steps.size() - 1), "3 4 5 8");
}

// A range that holds nothing has been answered all the same; a table's erased key ends its search.
TEST(pseudo_code, ends_where_nothing_was_found) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const linked_code code = code_of("EO+BS", operation::range);
  const lookup_trace empty = *trace_range(*index, 100, 200);
  ASSERT_EQ(empty.range->answer.count, 0u);
  EXPECT_TRUE(code.runs(code.lines().size() - 1, empty, empty.steps.size() - 1));
  EXPECT_FALSE(code.runs(code.lines().size() - 1, empty, 0));
}

TEST(pseudo_code, leads_to_the_source_and_back) {
  const linked_code code = code_of("EO+BS");
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const trace_step step = trace_lookup(*index, 9)->steps[1];
  for (std::size_t i = 0; i < code.lines().size(); ++i) {
    for (const source_spot& spot : code.source(i)) {
      ASSERT_TRUE(code.line_at(spot));
      EXPECT_LE(*code.line_at(spot), i);
      const std::string_view text = line_of(*source_text(spot.file), spot.line);
      const auto& marks = code.lines()[i].source;
      EXPECT_TRUE(std::any_of(marks.begin(), marks.end(), [&](const source_mark& m) {
        return m.file == spot.file && text.find(m.text) != text.npos;
      })) << text;
    }
  }
  EXPECT_FALSE(code.line_at({eytzinger, 1})) << "a comment";
  EXPECT_FALSE(code.source_in(0, step)) << "its head is nowhere";
  // What the step ran of it; of what never runs by itself the nearest to where it reads.
  const source_line& main = step.ran[step.main_line];
  EXPECT_EQ(code.source_in(3, step), (source_spot{main.file, main.line}));
  const source_spot child = *code.source_in(6, step);
  EXPECT_EQ(child.file, eytzinger);
  EXPECT_TRUE(line_of(*source_text(child.file), child.line).find("will_read") != std::string_view::npos) << child.line;
  const source_spot none = *code.source_in(7, step);
  EXPECT_TRUE(line_of(*source_text(none.file), none.line).find("wave.all(not_found)") != std::string_view::npos);
}

TEST(pseudo_code, is_as_the_knobs_are) {
  const auto text = [](const linked_code& code) {
    std::string all;
    for (const pseudo_line& line : code.lines()) all += line.text + "\n";
    return all;
  };
  EXPECT_NE(text(code_of("EO+KS fanout=5")).find("node = node * 5 + 1 + less"), std::string::npos);
  EXPECT_NE(text(code_of("AO+KS fanout=9")).find("step = step / 9"), std::string::npos);
  EXPECT_NE(text(code_of("HT+OA probing=linear")).find("window = the next one"), std::string::npos);
  EXPECT_EQ(text(code_of("EO+BS", operation::range)).find("the warp"), std::string::npos);
  EXPECT_NE(text(code_of("EO+BS scan=cooperative", operation::range)).find("32 lanes of the warp"), std::string::npos);
  EXPECT_NE(text(code_of("HT+OA keys=u64", operation::insert)).find("store the key; fence"), std::string::npos);
  EXPECT_EQ(text(code_of("HT+OA", operation::insert)).find("fence"), std::string::npos) << "one word";
}

}  // namespace
}  // namespace pivotscope
