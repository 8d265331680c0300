// The Source panel: steps and lines lead to each other.
#include "core/index/config_text.hpp"
#include "core/machine/trace/trace_source.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/source_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

window_options shows(const std::string& config, u64 key, std::optional<u64> high = std::nullopt) {
  window_options start;
  start.config = *config_from_line(config);
  start.key = high ? question(operation::range, key, *high) : question(key);
  return start;
}

class source_window_test : public window_test {
 protected:
  const lookup_trace& trace() { return view().transport.path->trace; }
  const source_line& main_line(u32 at) { return trace().steps[at].ran[trace().steps[at].main_line]; }
  const viz::source_state& source() { return view().source; }
  static std::string line_item(u32 line) { return "//Source/**/line " + std::to_string(line); }
  // With the wheel over a line that is in view: those that are not are not drawn.
  void scroll_to(ImGuiTestContext& hand, u32 line, u32 from) {
    hand.MouseMove(line_item(from).c_str());
    const auto there = [&] { return hand.ItemInfo(line_item(line).c_str(), ImGuiTestOpFlags_NoError).ID != 0; };
    for (int i = 0; i < 60 && !there(); ++i) hand.MouseWheelY(line < from ? 1 : -1);
    EXPECT_TRUE(there()) << line;
  }
  // The step whose line is in view: it was scrolled to.
  u32 followed() { return view().source.followed_step; }
};

TEST_F(source_window_test, ALineLeadsToAStepAndAStepToItsLine) {
  open(shows("AO+PB+KS fanout=3 pivots=1", 9));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Source");
    hand.Yield(3);
    ASSERT_TRUE(source().model);
    ASSERT_GT(steps(), 2u);
    // Each step's line is in view when one has come there, and it is another line than the first step's.
    for (u32 i = 0; i < steps(); ++i) {
      hand.Yield(2);
      EXPECT_EQ(step(), i);
      EXPECT_EQ(followed(), i);
      EXPECT_EQ(source().model->line_in(i, source().followed_file), main_line(i).line);
      hand.KeyPress(ImGuiKey_RightArrow);
    }
    const u32 last = steps() - 1;
    ASSERT_NE(main_line(0).line, main_line(last).line);
    take_picture("source-last");
    // A click on the line of the first step goes there, and on the line of the last one back again.
    scroll_to(hand, main_line(0).line, main_line(last).line);
    hand.ItemClick(line_item(main_line(0).line).c_str());
    hand.Yield(2);
    EXPECT_EQ(step(), *source().model->step_at(0, main_line(0).line, last));
    EXPECT_EQ(main_line(step()).line, main_line(0).line);
    const u32 before = step();
    scroll_to(hand, main_line(last).line, main_line(0).line);
    hand.ItemClick(line_item(main_line(last).line).c_str());
    hand.Yield(2);
    EXPECT_EQ(step(), *source().model->step_at(0, main_line(last).line, before));
    EXPECT_GT(step(), before);
    EXPECT_FALSE(view().transport.playing);
  });
}

TEST_F(source_window_test, AFileStaysChosenWhereStepsRunThroughIt) {
  open(shows("EO+KS fanout=5 lanes=2", 9));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Source");
    hand.Yield(3);
    EXPECT_EQ(source().followed_file, 0u) << "the search's own";
    hand.ItemClick(panel_item(panel::source, "probe.hpp").c_str());
    hand.Yield(3);
    EXPECT_EQ(source().model->files()[source().followed_file].short_name, "probe.hpp");
    take_picture("source-probe");
    hand.KeyPress(ImGuiKey_RightArrow);
    hand.Yield(3);
    EXPECT_EQ(step(), 1u);
    EXPECT_EQ(source().model->files()[source().followed_file].short_name, "probe.hpp");
    hand.ItemClick(panel_item(panel::source, "eytzinger.hpp").c_str());
    hand.Yield(3);
    EXPECT_EQ(source().followed_file, 0u);
  });
  // Another index has other files.
  state().choose_config(*config_from_line("PLAIN lanes=4"));
  ASSERT_TRUE(until_settled());
  draw_frames(3);
  EXPECT_EQ(source().model->files()[source().followed_file].short_name, "plain.hpp");
  take_picture("source-plain");
}

TEST_F(source_window_test, AChipOfAFileGoesToAStepThatRunsThroughIt) {
  open(shows("EO+BS", 4, 12));
  ASSERT_TRUE(until([&] { return now().path && now().path->trace.range; }));
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Source");
    hand.Yield(3);
    ASSERT_EQ(step(), 0u);
    hand.ItemClick(panel_item(panel::source, "range_scan.hpp").c_str());
    hand.Yield(3);
    EXPECT_NE(trace().steps[step()].kind, step_kind::search);
    EXPECT_EQ(source().model->files()[source().followed_file].short_name, "range_scan.hpp");
    take_picture("source-scan");
  });
}

TEST_F(source_window_test, TheSearchInShortAndItsSourceLeadToEachOther) {
  open(shows("EO+BS", 9));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Source");
    hand.Yield(3);
    ASSERT_TRUE(source().code);
    const auto short_line = [](std::size_t i) { return "//Source/**/short line " + std::to_string(i + 1); };
    // The mouse over a line of the source points at the line in short, and the other way round.
    const source_line main = main_line(0);
    const std::size_t in_short = *source().code->line_at({main.file, main.line});
    hand.MouseMove(line_item(main.line).c_str());
    hand.Yield(2);
    EXPECT_EQ(source().pointed, in_short);
    hand.MouseMove(short_line(2).c_str());
    hand.Yield(2);
    EXPECT_EQ(source().pointed, 2u);
    take_picture("source-in-short");
    // "return its row id" is what the last step does: a click goes there, and shows where the source says so.
    const std::size_t found = 5;
    ASSERT_EQ(source().code->lines()[found].when, pseudo_when::found);
    hand.ItemClick(short_line(found).c_str());
    hand.Yield(3);
    EXPECT_EQ(step(), steps() - 1);
    EXPECT_FALSE(source().shown) << "it was scrolled to";
    EXPECT_EQ(source().chosen, source().code->source_in(found, trace().steps.back())->file);
    hand.ItemClick(panel_item(panel::source, "in short").c_str());
    hand.Yield(2);
    EXPECT_EQ(hand.ItemInfo(short_line(2).c_str(), ImGuiTestOpFlags_NoError).ID, 0u) << "folded away";
  });
  // Another question has other lines.
  state().choose_key(question(operation::range, 4, 12));
  ASSERT_TRUE(until([&] { return now().path && now().path->trace.range; }));
  draw_frames(3);
  EXPECT_EQ(source().code->lines()[0].text, "range(low, high):");
}

TEST_F(source_window_test, IsDrawnInBothThemesAndAllWidths) {
  open(shows("EO+BS", 9));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Source");
    hand.KeyPress(ImGuiKey_RightArrow);
    hand.KeyPress(ImGuiKey_RightArrow);
    hand.Yield(3);
    take_picture("source-dark");
    view().light = true;
    hand.MouseMove(line_item(main_line(step()).line).c_str());
    hand.SleepNoSkip(1, 1.0f / 10);
    take_picture("source-light");
    view().light = false;
    hand.UndockWindow("//Source");
    hand.WindowResize("//Source", {420, 640});
    hand.Yield(3);
    take_picture("source-narrow");
  });
}

TEST_F(source_window_test, AStepOf32LanesFitsASmallWindow) {
  window_options start = shows("EO+KS fanout=33 lanes=32", 37);
  start.load = workload{.keys = 100, .dist = distribution::dense};
  open(start, 1280, 720);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.Yield(10);
    hand.WindowFocus("//Source");
    hand.Yield(3);
    const std::vector<viz::watch_row> rows = viz::watch_list(trace(), step());
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const viz::watch_row& r) { return r.lanes.size() == 32; }));
    const char* lanes = "//Source/**/values of lanes";
    const auto there = [&] { return hand.ItemInfo(lanes, ImGuiTestOpFlags_NoError).ID != 0; };
    hand.MouseMove("//Source/**/value");
    for (int i = 0; i < 60 && !there(); ++i) hand.MouseWheelY(-1);
    ASSERT_TRUE(there());
    hand.MouseMove(lanes);
    hand.SleepNoSkip(1, 1.0f / 10);
    take_picture("source-lanes");
  });
}

TEST_F(source_window_test, WithoutALookupSaysWhatWouldFillIt) {
  window_options start;
  start.load = workload{.keys = 0, .dist = distribution::uniform, .lookups = 64};
  open(start);
  ASSERT_TRUE(until([&] { return now().index && !now().job.running; }));
  perform([&](ImGuiTestContext& hand) {
    hand.Yield(10);  // the panels have come to the front that are to be there
    hand.WindowFocus("//Source");
    hand.Yield(3);
    take_picture("source-empty");
    hand.ItemClick(panel_item(panel::source, "example").c_str());
    EXPECT_TRUE(until([&] { return source().model && !source().model->files().empty(); }));
  });
}

}  // namespace
}  // namespace pivotscope
