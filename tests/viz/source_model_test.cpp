// Which lines the Source panel marks, where a click leads, and what a value was before.
#include "viz/models/source_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/common/source_text.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// --- Tokens ---

std::string joined(const std::vector<source_token>& line) {
  std::string text;
  for (const source_token& token : line) text += token.text;
  return text;
}

TEST(SourceTokens, AreTheTextOfEveryFile) {
  u64 tokens = 0, comments = 0;
  for (const embedded_file& file : embedded_headers()) {
    std::string text;
    for (const auto& line : tokens_of(file.text)) {
      text += joined(line) + "\n";
      tokens += line.size();
      // A comment that begins with // is one token to the end of its line.
      const std::size_t slashes = joined(line).find("// ");
      if (slashes == 0) {
        ASSERT_EQ(line.size(), 1u) << joined(line);
        EXPECT_EQ(line[0].kind, token_kind::comment) << joined(line);
        ++comments;
      }
    }
    EXPECT_EQ(text, file.text) << file.name;
  }
  EXPECT_GT(tokens, 5'000u);
  EXPECT_GT(comments, 100u);
}

std::vector<std::string> kinds(std::string_view text) {
  static constexpr const char* names[] = {"", "keyword", "type", "number", "text", "comment", "directive"};
  std::vector<std::string> list;
  for (const auto& line : tokens_of(text)) {
    for (const source_token& token : line) {
      if (token.kind != token_kind::plain)
        list.push_back(std::string(names[static_cast<std::size_t>(token.kind)]) + " " + std::string(token.text));
    }
  }
  return list;
}

TEST(SourceTokens, TellKeywordsTypesNumbersTextsAndCommentsApart) {
  EXPECT_THAT(kinds("const u32 first = 0x1Fu;  // the slot"),
              ElementsAre("keyword const", "type u32", "number 0x1Fu", "comment // the slot"));
  EXPECT_THAT(kinds("watch(\"a \\\" b\", 'c');"), ElementsAre("text \"a \\\" b\"", "text 'c'"));
  EXPECT_THAT(kinds("#include \"x.hpp\"  // why"), ElementsAre("directive #include \"x.hpp\"  ", "comment // why"));
  EXPECT_THAT(kinds("a /* b */ if /* c\nd */ for"),
              ElementsAre("comment /* b */", "keyword if", "comment /* c", "comment d */", "keyword for"));
  EXPECT_THAT(kinds("information u320 _if"), IsEmpty());
  EXPECT_THAT(kinds("each_of_run<int>(node_run run)"), ElementsAre("type int", "type node_run"));
  EXPECT_THAT(kinds("\"no end"), ElementsAre("text \"no end"));
  EXPECT_THAT(kinds(""), IsEmpty());
  EXPECT_EQ(tokens_of("a\n\nb").size(), 3u);
}

// --- Lines ---

constexpr const char *loop = "core/families/ordered/eytzinger/eytzinger.hpp",
                     *probe_file = "core/families/ordered/probe.hpp";

// Three steps: two through the probe, one without.
lookup_trace made_trace() {
  lookup_trace trace;
  trace.steps.resize(3);
  trace.steps[0].ran = {{loop, 10, 0}, {loop, 12, 0}, {probe_file, 30, 1}, {probe_file, 20, 1, true}};
  trace.steps[0].main_line = 1;
  trace.steps[1].ran = {{loop, 10, 0}, {loop, 14, 0}, {probe_file, 20, 1}};
  trace.steps[1].main_line = 1;
  trace.steps[2].ran = {{loop, 10, 0}};
  return trace;
}

std::vector<u32> steps_at(const source_model& model, std::size_t file, u32 line) {
  const auto steps = model.steps_at(file, line);
  return {steps.begin(), steps.end()};
}

TEST(SourceModel, KnowsTheLinesOfEachStepAndTheNext) {
  const source_model model(made_trace());
  ASSERT_EQ(model.files().size(), 2u);
  EXPECT_EQ(model.files()[0].name, loop);
  EXPECT_EQ(model.files()[0].short_name, "eytzinger.hpp");
  EXPECT_EQ(model.files()[1].short_name, "probe.hpp");
  EXPECT_EQ(model.find_file(probe_file), 1u);
  EXPECT_FALSE(model.find_file("probe.hpp"));
  for (u32 step = 0; step < 3; ++step) EXPECT_EQ(model.main_file(step), 0u);
  EXPECT_EQ(model.line_in(0, 0), 12u);
  EXPECT_EQ(model.line_in(0, 1), 20u) << "the first that reads there";
  EXPECT_EQ(model.line_in(1, 1), 20u) << "the first that ran there";
  EXPECT_EQ(model.line_in(2, 1), 0u);
  EXPECT_FALSE(model.runs_through(2, 1));
  EXPECT_EQ(model.next_line_in(0, 0), 14u);
  EXPECT_EQ(model.next_line_in(1, 0), 10u);
  EXPECT_EQ(model.next_line_in(1, 1), 0u);
  EXPECT_EQ(model.next_line_in(2, 0), 0u) << "the last step";
  EXPECT_EQ(model.place_in_step(0, 1, 20), 2u);
  EXPECT_EQ(model.place_in_step(0, 0, 12), 2u);
  EXPECT_EQ(model.place_in_step(1, 0, 12), 0u);
}

TEST(SourceModel, ALineLeadsToTheNextStepThatRanItAndRoundAgain) {
  const source_model model(made_trace());
  EXPECT_THAT(steps_at(model, 0, 10), ElementsAre(0, 1, 2));
  EXPECT_THAT(steps_at(model, 1, 20), ElementsAre(0, 1));
  EXPECT_THAT(steps_at(model, 0, 11), IsEmpty());
  EXPECT_EQ(model.step_at(0, 10, 0), 1u);
  EXPECT_EQ(model.step_at(0, 10, 2), 0u);
  EXPECT_EQ(model.step_at(0, 14, 1), 1u) << "only itself";
  EXPECT_EQ(model.step_at(0, 14, 2), 1u);
  EXPECT_FALSE(model.step_at(0, 11, 0));
}

// Calls that only let a reader watch stand aside, to their ends and no further.
TEST(SourceModel, WhatIsForTheReaderStandsAside) {
  u64 aside = 0;
  const source_model model(made_trace());
  for (const source_file& file : model.files()) {
    ASSERT_EQ(file.aside.size(), file.lines.size());
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string text = joined(file.lines[i]);
      const bool begins = text.find(".watch(") != text.npos || text.find(".watch_lane(") != text.npos ||
                          text.find(".hold(") != text.npos || text.find(".called_from(") != text.npos;
      const bool goes_on = i > 0 && file.aside[i - 1] && !joined(file.lines[i - 1]).ends_with(";");
      EXPECT_EQ(file.aside[i], begins || goes_on) << file.name << ": " << text;
      aside += file.aside[i];
      if (text.find("probe_entries(first, run") != text.npos) {
        EXPECT_FALSE(file.aside[i]);
      }
    }
  }
  EXPECT_GT(aside, 8u);
}

TEST(SourceModel, OfATraceWithoutLinesHasNoFile) {
  lookup_trace trace;
  trace.steps.resize(2);
  EXPECT_TRUE(source_model(trace).files().empty());
  EXPECT_TRUE(source_model(lookup_trace{}).files().empty());
}

// Of every method: forth and back agree, and every line is there to be drawn.
TEST(SourceModel, StepsAndLinesLeadToEachOther) {
  u64 checked = 0;
  for (const char* line : {"AO+BS", "AO+KS fanout=5 pin=full scratch=48", "EO+BS", "EO+KS fanout=9 lanes=3",
                           "AO+PB+KS fanout=3 pivots=1", "AO+PB+BS scan=cooperative", "PLAIN lanes=4"}) {
    const auto index = testing::build_on_cpu(testing::config_of(line), testing::paper_keys_in_order());
    for (const lookup_trace& trace :
         {*trace_lookup(*index, 9), *trace_lookup(*index, 8), *trace_range(*index, 4, 13)}) {
      const source_model model(trace);
      ASSERT_FALSE(model.files().empty()) << line;
      for (u32 step = 0; step < trace.steps.size(); ++step) {
        for (const source_line& ran : trace.steps[step].ran) {
          const auto file = model.find_file(ran.file);
          ASSERT_TRUE(file);
          ASSERT_LE(ran.line, model.files()[*file].lines.size());
          EXPECT_LE(joined(model.files()[*file].lines[ran.line - 1]).size(), model.files()[*file].longest);
          const std::vector<u32> steps = steps_at(model, *file, ran.line);
          EXPECT_NE(std::find(steps.begin(), steps.end(), step), steps.end());
          EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
          EXPECT_GT(model.place_in_step(step, *file, ran.line), 0u);
          // Clicking on goes round all of them.
          std::vector<u32> round;
          for (u32 at = step; round.empty() || at != step; round.push_back(at))
            at = *model.step_at(*file, ran.line, at);
          std::sort(round.begin(), round.end());
          EXPECT_EQ(round, steps);
          ++checked;
        }
        EXPECT_EQ(model.main_file(step), 0u) << line << ": the search's own file is the first";
        EXPECT_EQ(model.line_in(step, 0), trace.steps[step].ran[trace.steps[step].main_line].line);
      }
    }
  }
  EXPECT_GT(checked, 200u);
}

// --- Values ---

const watch_row* row_of(const std::vector<watch_row>& rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const watch_row& r) { return r.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

TEST(WatchList, TellsWhatAValueWasBefore) {
  lookup_trace trace;
  trace.steps.resize(3);
  trace.steps[0].watched = {{"node", 1}, {"first", 4}, {"row", not_found, watched_kind::row}};
  trace.steps[1].watched = {{"first", 4}};
  trace.steps[2].watched = {{"node", 3}, {"first", 4}, {"row", 6, watched_kind::row}, {"step", 2}};
  EXPECT_FALSE(watch_list(trace, 0)[0].changed()) << "nothing before";
  EXPECT_EQ(watch_list(trace, 0)[2].value, "not_found");
  const std::vector<watch_row> rows = watch_list(trace, 2);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_TRUE(rows[0].changed());
  EXPECT_EQ(rows[0].before, "1");
  EXPECT_EQ(rows[0].before_step, 0u);
  EXPECT_FALSE(rows[1].changed());
  EXPECT_EQ(rows[1].before_step, 1u);
  EXPECT_EQ(rows[2].before, "not_found");
  EXPECT_FALSE(rows[3].before_step);
}

TEST(WatchList, PutsLanesInARow) {
  lookup_trace trace;
  trace.steps.resize(2);
  trace.steps[0].watched = {{"less", 2, watched_kind::number, 0}, {"less", 2, watched_kind::number, 1}, {"node", 1}};
  trace.steps[1].watched = {{"less", 2, watched_kind::number, 0}, {"less", 0, watched_kind::number, 1}, {"less", 9}};
  const std::vector<watch_row> before = watch_list(trace, 0), rows = watch_list(trace, 1);
  ASSERT_EQ(before.size(), 2u);
  EXPECT_EQ(before[0].name, "node") << "what all lanes share goes first";
  EXPECT_EQ(before[1].value, "2") << "they agree";
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].value, "9");
  EXPECT_FALSE(rows[0].before_step) << "a lane's is another one";
  EXPECT_EQ(rows[1].value, "2 0");
  EXPECT_EQ(rows[1].before, "2");
  EXPECT_TRUE(rows[1].changed());
  ASSERT_EQ(rows[1].lanes.size(), 2u);
  EXPECT_EQ(rows[1].lanes[1].second, "0");
}

TEST(WatchList, OfTheExampleGoesDownTheTree) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const lookup_trace trace = *trace_lookup(*index, 9);
  const char* nodes[] = {"0", "1", "4", "10"};
  for (u32 step = 0; step < 4; ++step) {
    const std::vector<watch_row> rows = watch_list(trace, step);
    ASSERT_NE(row_of(rows, "node[i]"), nullptr);
    EXPECT_EQ(row_of(rows, "node[i]")->value, nodes[step]);
    EXPECT_EQ(row_of(rows, "node[i]")->changed(), step > 0);
    EXPECT_FALSE(row_of(rows, "nodes")->changed());
  }
}

}  // namespace
}  // namespace pivotscope::viz
