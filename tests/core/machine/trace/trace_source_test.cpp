// A step's lines of the source and its values, as they are recorded, and as text and JSON.
#include "core/machine/trace/trace_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/common/source_text.hpp"
#include "core/machine/trace/source_recorder.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr source_place at(u32 line, const char* file = "/tree/core/search.hpp") { return {file, line}; }

std::vector<std::string> lines(const trace_step& step) {
  std::vector<std::string> list;
  for (const source_line& l : step.ran)
    list.push_back(std::string(l.file) + ":" + std::to_string(l.line) + " at " + std::to_string(l.depth));
  return list;
}

TEST(SourceRecorder, ALineIsThereOnceAfterTheCallsThatLedToIt) {
  source_recorder recorder;
  trace_step step;
  recorder.begin();
  recorder.ran(step, at(1));
  for (int turn = 0; turn < 2; ++turn) {
    const auto call = recorder.called_from(at(2));
    const auto inner = recorder.called_from(at(5, "/tree/core/probe.hpp"));
    recorder.ran(step, at(9, "/tree/core/probe.hpp"));
    recorder.ran(step, at(9, "/tree/core/probe.hpp"));
  }
  recorder.ran(step, at(9));  // the same number in another file
  recorder.ran(step, at(2));
  EXPECT_THAT(lines(step), ElementsAre("core/search.hpp:1 at 0", "core/search.hpp:2 at 0", "core/probe.hpp:5 at 1",
                                       "core/probe.hpp:9 at 2", "core/search.hpp:9 at 0"));
}

TEST(SourceRecorder, ACallWithoutALineLeavesNone) {
  source_recorder recorder;
  trace_step step;
  recorder.begin();
  { const auto call = recorder.called_from(at(2)); }
  EXPECT_TRUE(step.ran.empty());
}

TEST(SourceRecorder, AStepThatBeginsInACallShowsWhoCalled) {
  source_recorder recorder;
  trace_step first, second;
  recorder.begin();
  const auto call = recorder.called_from(at(2));
  recorder.ran(first, at(7));
  recorder.begin();
  recorder.ran(second, at(7));
  EXPECT_THAT(lines(second), ElementsAre("core/search.hpp:2 at 0", "core/search.hpp:7 at 1"));
  recorder.reads(second);
  EXPECT_EQ(second.main_line, 0u);
}

TEST(SourceRecorder, TheMainLineIsWhereTheSearchReadFirst) {
  source_recorder recorder;
  trace_step step;
  recorder.begin();
  recorder.reads(step);  // no line ran yet
  EXPECT_EQ(step.main_line, 0u);
  recorder.ran(step, at(1));
  {
    const auto call = recorder.called_from(at(2));
    recorder.ran(step, at(8));
    recorder.reads(step);
    step.accesses.emplace_back();
  }
  EXPECT_EQ(step.main_line, 1u);
  recorder.ran(step, at(3));
  recorder.reads(step);
  EXPECT_EQ(step.main_line, 1u) << "a later read";
  std::vector<bool> reads;
  for (const source_line& line : step.ran) reads.push_back(line.reads);
  EXPECT_EQ(reads, (std::vector<bool>{false, true, true, true})) << "the line, and the call that led to it";
  trace_step own;
  recorder.begin();
  recorder.ran(own, at(1));
  recorder.ran(own, at(4));
  recorder.reads(own);
  EXPECT_EQ(own.main_line, 1u) << "the search reads by itself";
}

TEST(SourceRecorder, AValueIsTheLastOfItsNameAndLane) {
  source_recorder recorder;
  trace_step step;
  recorder.watch(step, every_lane, "node", 3u, "pinned", true, "row", watched_row{not_found});
  recorder.watch(step, 0, "node", 7u);
  recorder.watch(step, every_lane, "node", u64{5}, "row", watched_row{6});
  ASSERT_EQ(step.watched.size(), 4u);
  EXPECT_EQ(step.watched[0].value, 5u);
  EXPECT_EQ(step.watched[1].kind, watched_kind::truth);
  EXPECT_EQ(step.watched[2].value, 6u);
  EXPECT_EQ(step.watched[3].lane, 0u);
  std::vector<std::string> texts;
  for (const watched_value& w : step.watched) texts.push_back(value_text(w));
  EXPECT_THAT(texts, ElementsAre("5", "yes", "6", "7"));
  EXPECT_EQ(value_text({"row", not_found, watched_kind::row}), "not_found");
  EXPECT_EQ(value_text({"key", not_found}), "4294967295");
  EXPECT_EQ(value_text({"pinned", 0, watched_kind::truth}), "no");
}

// By the text of lines: their numbers are anybody's.
std::vector<std::string> texts(const trace_step& step, std::string_view file) {
  std::vector<std::string> list;
  for (const source_line& line : step.ran) {
    if (line.file == file) list.emplace_back(text_of(line));
  }
  return list;
}

TEST(TraceSource, OfEytzingerIsItsLoopAndTheProbe) {
  const auto index = testing::build_on_cpu(testing::config_of("EO+BS"), testing::paper_keys_in_order());
  const lookup_trace trace = *trace_lookup(*index, 9);
  ASSERT_EQ(trace.steps.size(), 4u);
  for (const trace_step& step : trace.steps) {
    EXPECT_THAT(std::string(text_of(step.ran[step.main_line])), HasSubstr("wave.memory.probe_entries("));
    const auto of_search = texts(step, "core/families/ordered/eytzinger/eytzinger.hpp");
    const bool last = &step == &trace.steps.back();
    EXPECT_EQ(of_search.size(), last ? 2u : 3u) << "what the next step reads is asked for, but not at the end";
    EXPECT_THAT(texts(step, "core/families/ordered/probe.hpp").front(), HasSubstr("each_entry<entry_cell<Key>>("));
  }
  EXPECT_THAT(source_words(trace.steps[1]),
              HasSubstr("wave.keys[i] 9, level 1, node[i] 1, first 2, pinned no, less 1, child 4, nodes 14; "
                        "lane 0: p.less 1, p.row not_found\n"));
  EXPECT_THAT(source_words(trace.steps[0]), HasSubstr("  core/families/ordered/eytzinger/eytzinger.hpp\n"));
  EXPECT_THAT(to_text(trace), Not(HasSubstr(".hpp")));
  for (const trace_step& step : trace.steps) EXPECT_THAT(to_text(trace, true), HasSubstr(source_words(step)));
}

TEST(TraceSource, OfAScanIsWhereTheOrderAsksForIt) {
  const auto index = testing::build_on_cpu(testing::config_of("AO+BS"), testing::paper_keys_in_order());
  const lookup_trace trace = *trace_range(*index, 9, 12);
  const trace_step& scan = trace.steps.back();
  ASSERT_EQ(scan.kind, step_kind::scan);
  EXPECT_THAT(std::string(text_of(scan.ran[scan.main_line])), HasSubstr("scan.run("));
  EXPECT_THAT(texts(scan, "core/families/ordered/range_scan.hpp"),
              ElementsAre(HasSubstr("memory_.scan_step("), HasSubstr("memory_.scan_entry(")));
}

TEST(TraceSource, AsJsonHasAllFields) {
  const auto index =
      testing::build_on_cpu(testing::config_of("EO+KS fanout=5 lanes=2"), testing::paper_keys_in_order());
  const lookup_trace trace = *trace_lookup(*index, 8);
  nlohmann::json plain, json;
  to_json(plain, trace);
  EXPECT_FALSE(plain["steps"][0].contains("source") || plain["steps"][0].contains("watched"));
  json = plain;
  add_source(json, trace);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const trace_step& step = trace.steps[i];
    ASSERT_EQ(json["steps"][i]["source"].size(), step.ran.size());
    for (std::size_t l = 0; l < step.ran.size(); ++l) {
      const nlohmann::json& said = json["steps"][i]["source"][l];
      EXPECT_EQ(said["file"], step.ran[l].file);
      EXPECT_EQ(said["line"], step.ran[l].line);
      EXPECT_EQ(said["depth"], step.ran[l].depth);
      EXPECT_EQ(said["main"], l == step.main_line);
      EXPECT_EQ(said["reads"], step.ran[l].reads);
      EXPECT_EQ(said["text"], text_of(step.ran[l]));
    }
    ASSERT_EQ(json["steps"][i]["watched"].size(), step.watched.size());
    for (std::size_t w = 0; w < step.watched.size(); ++w) {
      const watched_value& value = step.watched[w];
      const nlohmann::json& said = json["steps"][i]["watched"][w];
      EXPECT_EQ(said["name"], value.name);
      EXPECT_EQ(said["lane"], value.lane == every_lane ? nlohmann::json() : nlohmann::json(value.lane));
      if (value.kind == watched_kind::truth)
        EXPECT_EQ(said["value"], value.value == 1);
      else if (value.kind == watched_kind::row && value.value == not_found)
        EXPECT_TRUE(said["value"].is_null());
      else
        EXPECT_EQ(said["value"], value.value);
    }
    json["steps"][i].erase("source"), json["steps"][i].erase("watched");
  }
  EXPECT_EQ(json, plain) << "and nothing else";
}

TEST(TraceSource, ALineOfNoFileIsEmpty) {
  EXPECT_EQ(text_of({"core/none.hpp", 3}), "");
  EXPECT_EQ(text_of({"core/simt/lane_run.hpp", 1'000'000}), "");
}

}  // namespace
}  // namespace pivotscope
