// Each word that a lesson can ask for: taken, refused in words, and true exactly when it is so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/deaf_session.hpp"
#include "viz/models/tile_model.hpp"
#include "viz/state/lesson.hpp"
#include "viz/state/lesson_progress.hpp"
#include "viz/state/opening.hpp"

namespace pivotscope::viz {
namespace {

using ::testing::HasSubstr;

// Does nothing but remember the scenario that was asked for.
class deaf : public pivotscope::testing::deaf_session {
 public:
  std::optional<view_position> open_scenario(std::string_view text) override {
    opened.emplace_back(text);
    return opens;
  }
  view_position opens = {};
  std::vector<std::string> opened;
};

struct lesson_bench {
  session_view session;
  view_state view;
  pivotscope::testing::no_bytes slots;
  deaf act;
  frame f{session, act, slots, view};

  lesson_bench() { session.runs = std::make_shared<const std::vector<session_run>>(); }
  void choose(const char* line, question key = 9) {
    session.choice.config = testing::config_of(line);
    session.choice.key = key;
    session.index = testing::build_on_cpu(session.choice.config, testing::paper_keys_in_order());
    session.path = std::make_shared<const path_data>(path_data{session.index, *trace_of(*session.index, key)});
    view.transport.path = session.path;
    view.transport.step = 0;
  }
  bool is(const char* text) {
    const auto parsed = parse_conditions(text, false);
    EXPECT_TRUE(parsed.ok()) << text << ": " << (parsed.ok() ? "" : parsed.error().words);
    if (!parsed.ok()) return false;
    return std::all_of(parsed->begin(), parsed->end(), [&](const lesson_condition& c) { return holds(c, f); });
  }
  void set(const char* text) {
    const auto parsed = parse_conditions(text, true);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.error().words;
    for (const lesson_condition& c : *parsed) set_up(c, f);
  }
};

lesson a_lesson() {
  lesson one;
  one.id = "one";
  one.title = "One";
  one.steps.resize(3);
  one.steps[0].scenario = "EO+BS distribution=paper lookup=9";
  one.steps[0].task = "Go to the end";
  one.steps[0].done = *parse_conditions("step=last", false);
  one.steps[0].show = {panel::tree};
  one.steps[1].question = "How many?";
  one.steps[1].answers = {{"1", "No", false}, {"2", "Yes", true}};
  one.steps[2].prose = "The end.";
  return one;
}

TEST(LessonConditions, AskWhatIsChosenInAScenariosWords) {
  lesson_bench b;
  b.choose("EO+KS fanout=9 lanes=4 layout=soa");
  EXPECT_TRUE(b.is("method=EO+KS, fanout=9, lanes>=4, layout=soa"));
  EXPECT_TRUE(b.is("method!=EO+BS"));
  EXPECT_FALSE(b.is("method=EO+BS"));
  EXPECT_TRUE(b.is("fanout<=9"));
  EXPECT_FALSE(b.is("fanout>=10"));
  EXPECT_TRUE(b.is("keys=u32"));
  EXPECT_FALSE(b.is("keys=u64"));
  EXPECT_TRUE(b.is("keys=14, distribution=paper, lookups=64, hits=1"));
  EXPECT_FALSE(b.is("keys=2^20"));
  EXPECT_TRUE(b.is("keys<=2^20"));
  EXPECT_FALSE(b.is("ranges>=1"));
  b.choose("AO+PB+BS pivots=2");
  EXPECT_TRUE(b.is("pivots=2, pivots!=all"));
  b.choose("AO+PB+BS");
  EXPECT_TRUE(b.is("pivots=all"));
  b.choose("PLAIN");
  EXPECT_FALSE(b.is("fanout=2")) << "it has no such knob";
  EXPECT_TRUE(b.is("fanout!=2"));
}

TEST(LessonConditions, AskForTheStepAndTheLookup) {
  lesson_bench b;
  b.choose("EO+BS");
  EXPECT_TRUE(b.is("step=1, lookup=9, found=yes"));
  EXPECT_FALSE(b.is("step=last"));
  b.set("step=3");
  EXPECT_TRUE(b.is("step=3, step>=2, step<=3, step!=4"));
  b.set("step=last");
  EXPECT_TRUE(b.is("step=4, step=last"));
  EXPECT_FALSE(b.is("lookup=8"));
  EXPECT_FALSE(b.is("lookup=range"));
  b.choose("EO+BS", {operation::range, 9, 12});
  EXPECT_TRUE(b.is("lookup=9..12, lookup=range, found=yes"));
  b.choose("EO+BS", 5);
  EXPECT_TRUE(b.is("found=no"));
  // A path of what was chosen before says nothing.
  b.session.choice.config = testing::config_of("AO+BS");
  EXPECT_FALSE(b.is("found=no"));
  EXPECT_FALSE(b.is("step=1"));
  EXPECT_FALSE(b.is("lookup=5"));
}

TEST(LessonConditions, AskForWhatTheViewsShow) {
  lesson_bench b;
  b.choose("EO+BS");
  EXPECT_FALSE(b.is("panel=warp"));
  b.view.seen[static_cast<std::size_t>(panel::warp)] = true;
  EXPECT_TRUE(b.is("panel=warp"));
  EXPECT_FALSE(b.is("order=sorted")) << "there is no tile yet";
  b.view.tile.study = std::make_shared<tile_study>(b.session.index, b.session.choice.load, 0);
  EXPECT_TRUE(b.is("order=as-they-come"));
  b.set("order=sorted");
  EXPECT_TRUE(b.is("order=sorted"));
  b.set("warp=3, round=2, tile=5, row=32");
  EXPECT_TRUE(b.is("warp=3, round=2, tile=5, row=32, warp>=2"));
  EXPECT_TRUE(b.is("array=entries"));
  EXPECT_FALSE(b.is("array=rows"));
  EXPECT_FALSE(b.is("points=key"));
  b.view.pointed.rank = 3;
  EXPECT_TRUE(b.is("points=key"));
  EXPECT_FALSE(b.is("points=sector"));
  b.view.pointed.sector = memory_block{};
  EXPECT_TRUE(b.is("points=sector"));
  EXPECT_TRUE(b.is("required=nothing"));
  b.set("required=ascending");
  EXPECT_TRUE(b.is("required=ascending, required!=smallest"));
  b.set("playing=yes");
  EXPECT_TRUE(b.is("playing=yes"));
  EXPECT_TRUE(b.is("machine=cpu, measured=no, tuned=no"));
  session_run run;
  run.load = b.session.choice.load;
  run.record.config = b.session.choice.config;
  run.origin = provenance::live;
  b.session.runs = std::make_shared<const std::vector<session_run>>(1, run);
  EXPECT_TRUE(b.is("measured=no"));
  run.origin = provenance::measured;
  b.session.runs = std::make_shared<const std::vector<session_run>>(1, run);
  EXPECT_TRUE(b.is("measured=yes"));
  b.session.choice.load.seed = 7;
  EXPECT_TRUE(b.is("measured=no")) << "of another workload";
  b.view.layout.lower.camera.set_extent(1000, 100, 72);
  EXPECT_TRUE(b.is("zoom=all"));
  b.set("zoom=cells");
  b.view.layout.lower.camera.advance(1, true);
  EXPECT_TRUE(b.is("zoom=cells"));
}

TEST(LessonConditions, AskForTheSlotOfTheBuild) {
  lesson_bench b;
  b.choose("AO+PB+BS");
  advance_transport(b.f);
  EXPECT_TRUE(b.is("build=no, build!=any, build!=3"));
  b.set("build=3");
  EXPECT_TRUE(b.is("build=3, build=any, build!=no, build!=pivots:3, build=entries:3"));
  b.set("build=pivots:1");
  EXPECT_TRUE(b.is("build=pivots:1, build!=1"));
  b.set("build=last");
  EXPECT_TRUE(b.is("build=last, build!=pivots:1"));
  EXPECT_EQ(b.view.build.at.pass, 1u);
  b.set("build=no");
  EXPECT_TRUE(b.is("build=no"));
}

TEST(LessonConditions, WhatIsNoneIsRefusedInWords) {
  const auto refused = [](const char* text, const char* words, bool to_set = false) {
    const auto parsed = parse_conditions(text, to_set);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_THAT(parsed.error().words, HasSubstr(words)) << text;
  };
  refused("", "is no condition");
  refused("step", "is no condition");
  refused("=3", "is no condition");
  refused("step=", "has no value");
  refused("step>3", "comes =, !=, >= or <=");
  refused("stp=3", "did you mean 'step'?");
  refused("step=soon", "step is 1, 2, ... or last");
  refused("build=soon", "build is 11, pivots:2, ..., last, any or no, not 'soon'");
  refused("build>=3", "build is no number");
  refused("build=A:3", "build is 11");
  refused("methd=EO+BS", "did you mean 'method'?");
  refused("method=EO", "method is one of AO+BS");
  refused("fanout=many", "fanout is 2 to 33");
  refused("layout>=soa", "no number");
  refused("panel=tee", "a panel's name");
  refused("panel>=tree", "no number");
  refused("order=random", "sorted, as-they-come");
  refused("lookup=nine", "nine");
  refused("lookup>=9", "'=' or '!='");
  refused("keys=lots", "lots");
  refused("distribution=uniforn", "did you mean 'uniform'?");
  refused("step=1, , key=2", "is no condition");
  refused("method=EO+BS", "cannot set 'method'", true);
  refused("panel=tree", "cannot set 'panel'", true);
  refused("step>=2", "to set step takes '='", true);
}

TEST(LessonConditions, EveryFactIsDocumentedAndTaken) {
  for (const lesson_fact_words& fact : lesson_facts()) {
    EXPECT_FALSE(fact.values.empty() || fact.meaning.empty()) << fact.name;
    const std::string first(fact.values.substr(0, fact.values.find(',')));
    const std::string value = fact.name == "panel" ? "tree" : first;
    EXPECT_TRUE(parse_conditions(std::string(fact.name) + "=" + value, fact.settable).ok()) << fact.name;
  }
}

// --- Going through a lesson ---

TEST(LessonProgress, AScenarioShowsTheLookupUnlessItNamesASlot) {
  lesson_bench b;
  lesson one = a_lesson();
  one.steps[1].scenario = one.steps[0].scenario;
  b.view.lessons.all = std::make_shared<const std::vector<lesson>>(1, one);
  b.choose("EO+BS");
  b.act.opens.build = build_slot{"", 5};
  begin_lesson(b.f, 0);
  const auto frame_at = [&](double now) {
    b.f.now = now;
    advance_transport(b.f);
    follow_opening(b.f);
    advance_lesson(b.f);
  };
  frame_at(1);
  EXPECT_FALSE(b.view.lessons.settling);
  EXPECT_TRUE(b.view.build.on);
  EXPECT_EQ(b.view.build.at.slot, 5u);
  b.act.opens = {};
  go_to_lesson_step(b.f, 1);
  EXPECT_FALSE(b.view.build.on);
}

TEST(LessonProgress, AStepIsNoticedWhenItsDeedIsDoneAndNotBefore) {
  lesson_bench b;
  b.view.lessons.all = std::make_shared<const std::vector<lesson>>(std::vector<lesson>{a_lesson()});
  b.choose("AO+BS");
  b.view.transport.step = 4;  // step=last
  advance_lesson(b.f);
  EXPECT_FALSE(lesson_in_view(b.f));
  begin_lesson(b.f, 0);
  ASSERT_EQ(b.act.opened, std::vector<std::string>{"EO+BS distribution=paper lookup=9"});
  advance_lesson(b.f);
  EXPECT_TRUE(b.view.lessons.settling) << "this frame's session is from before";
  EXPECT_EQ(b.view.focus, panel::tree);
  EXPECT_FALSE(is_noticed(b.f));
  // Chosen, but the old index is still there.
  b.f.now = 1;
  b.session.choice.config = testing::config_of("EO+BS");
  advance_lesson(b.f);
  EXPECT_TRUE(b.view.lessons.settling);
  b.choose("EO+BS");
  b.view.transport.step = 3;  // where the key was left
  advance_lesson(b.f);
  EXPECT_FALSE(b.view.lessons.settling);
  EXPECT_EQ(b.view.transport.step, 0u) << "a scenario begins at its first step";
  advance_lesson(b.f);
  EXPECT_FALSE(is_noticed(b.f));
  b.view.transport.step = 3;
  advance_lesson(b.f);
  EXPECT_TRUE(is_noticed(b.f));
  b.view.transport.step = 1;
  advance_lesson(b.f);
  EXPECT_TRUE(is_noticed(b.f)) << "what was done stays done";

  next_step(b.f);
  EXPECT_EQ(b.act.opened.size(), 1u) << "a step without a scenario goes on with what is there";
  EXPECT_FALSE(is_noticed(b.f));
  answer_question(b.f, 0);
  EXPECT_FALSE(is_noticed(b.f));
  answer_question(b.f, 7);
  answer_question(b.f, 1);
  EXPECT_TRUE(is_noticed(b.f));
  next_step(b.f);
  EXPECT_FALSE(is_finished(b.f, a_lesson()));
  next_step(b.f);
  EXPECT_FALSE(lesson_in_view(b.f));
  EXPECT_TRUE(is_finished(b.f, a_lesson()));
}

TEST(LessonProgress, ALeapSetsUpTheScenarioThatHoldsThereAndASkippedLessonIsNotTicked) {
  lesson_bench b;
  b.view.lessons.all = std::make_shared<const std::vector<lesson>>(std::vector<lesson>{a_lesson()});
  begin_lesson(b.f, 0);
  go_to_lesson_step(b.f, 2);
  EXPECT_EQ(b.act.opened.size(), 2u);
  EXPECT_EQ(b.act.opened[1], b.act.opened[0]);
  set_step_up_again(b.f);
  EXPECT_EQ(b.act.opened.size(), 3u);
  go_to_lesson_step(b.f, 9);
  EXPECT_EQ(b.view.lessons.step, 2u);
  next_step(b.f);
  EXPECT_FALSE(lesson_in_view(b.f));
  EXPECT_FALSE(is_finished(b.f, a_lesson()));
  begin_lesson(b.f, 5);
  EXPECT_FALSE(lesson_in_view(b.f));
}

}  // namespace
}  // namespace pivotscope::viz
