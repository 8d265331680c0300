// The Interleave panel: operations that meet are typed and drawn, stepped by mouse and keys, given another order, searched.
#include <algorithm>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/interleave_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class interleave_window : public window_test {
 protected:
  void open_with(const char* config, int width = 1600, int height = 1000) {
    window_options start;
    start.config = *config_from_line(config);
    start.load = uniform_keys(1000);
    open(start, width, height);
    ASSERT_TRUE(until_settled());
  }
  static std::string item(const std::string& name) { return "//Interleave/**/" + name; }
  viz::interleave_state& shown() { return view().interleave; }
  // The line that stands there is shown, with all its orders tried.
  bool until_shown() {
    return until([&] {
      return shown().model && shown().model->result().switches && to_text(shown().model->of()) == shown().line.text;
    });
  }
  void type(ImGuiTestContext& hand, const char* text) {
    hand.ItemClick(item("##line").c_str());
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    hand.KeyChars(text);
    draw_frames(2);
  }
};

TEST_F(interleave_window, ALineIsTypedSteppedAndGivenAnotherOrder) {
  open_with("PLAIN");
  const u32 path_step = view().transport.step;
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Interleave");
    ASSERT_TRUE(until_shown());
    take_picture("interleave-first");
    type(hand, "keys=5,3 ops=+7,*5");
    EXPECT_NE(shown().line.problem.find("column 17: \"*5\" is no operation"), std::string::npos)
        << shown().line.problem;
    EXPECT_TRUE(shown().model) << "what was there stays";
    take_picture("interleave-fault");
    type(hand, "keys=5,3 ops=+7,-5 schedule=0:1 1:3 0 1 late");
    EXPECT_EQ(shown().line.problem, "");
    ASSERT_TRUE(until_shown());
    EXPECT_EQ(shown().model->result().run.fault, "");
    // By keys, where the panel has the focus.
    hand.ItemClick(item("on").c_str());
    ASSERT_TRUE(shown().focused);
    EXPECT_EQ(shown().step, 2u);
    hand.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(shown().step, 3u);
    hand.KeyPress(ImGuiKey_LeftArrow);
    EXPECT_EQ(shown().step, 2u);
    hand.KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
    EXPECT_EQ(shown().step, 5u);
    hand.KeyPress(ImGuiKey_Home);
    EXPECT_EQ(shown().step, 0u);
    hand.KeyPress(ImGuiKey_End);
    EXPECT_EQ(shown().step, shown().model->accesses());
    EXPECT_EQ(view().transport.step, path_step) << "the path stays where it is";
    // By clicks.
    hand.ItemClick(item("begin").c_str());
    EXPECT_EQ(shown().step, 0u);
    hand.ItemClick(item("on").c_str());
    EXPECT_EQ(shown().step, 1u);
    hand.MouseMoveToPos({700, 20});
    take_picture("interleave-late");
    // The insert goes on where the erase had come: another order, which is a line.
    hand.ItemClick(item("$$2/access").c_str());
    EXPECT_EQ(shown().step, 3u);
    hand.ItemClick(item("let 0 go on").c_str());
    ASSERT_TRUE(until_shown());
    EXPECT_EQ(shown().line.text, "keys=5,3 ops=+7,-5 schedule=0:1 1:2 0 late");
    EXPECT_EQ(shown().step, 4u);
    EXPECT_EQ(shown().model->task(3), 0u);
    hand.ItemClick(item("at once").c_str());
    ASSERT_TRUE(until_shown());
    EXPECT_EQ(shown().line.text, "keys=5,3 ops=+7,-5 schedule=0:1 1:2 0");
    hand.MouseMoveToPos({700, 20});
    take_picture("interleave-switched");
    view().light = true;
    take_picture("interleave-switched-light");
    hand.ItemClick(item("copy line").c_str());
    EXPECT_STREQ(ImGui::GetClipboardText(),
                 "pivotscope interleave --config \"PLAIN\" --replay \"keys=5,3 ops=+7,-5 schedule=0:1 1:2 0\"");
    // The keys are the path's again where the focus is elsewhere.
    hand.WindowFocus("//Path");
    hand.KeyPress(ImGuiKey_End);
    EXPECT_NE(view().transport.step, path_step);
    EXPECT_EQ(shown().step, 4u);
  });
  EXPECT_TRUE(now().notices.empty());
  // The next window has the line.
  remembered_ = bench_->to_remember();
  close();
  open_with("PLAIN");
  EXPECT_EQ(shown().line.text, "keys=5,3 ops=+7,-5 schedule=0:1 1:2 0");
}

TEST_F(interleave_window, OperationsAreDrawnAndSearched) {
  open_with("HT+OA", 1280, 720);
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Interleave");
    ASSERT_TRUE(until_shown());
    take_picture("interleave-table");
    const std::string before = shown().line.text;
    hand.ItemClick(item("draw").c_str());
    ASSERT_TRUE(until_shown());
    EXPECT_NE(shown().line.text, before);
    const std::string drawn = shown().line.text;
    hand.ItemClick(item("draw").c_str());
    ASSERT_TRUE(until_shown());
    EXPECT_NE(shown().line.text, drawn);
    hand.ItemInputValue(item("orders/##value").c_str(), "many");
    EXPECT_NE(shown().schedules.problem, "");
    hand.ItemInputValue(item("orders/##value").c_str(), "2000");
    hand.ItemClick(item("search").c_str());
    ASSERT_TRUE(until([&] { return now().interleavings.number == 1 && !now().interleavings.running; }));
    EXPECT_GE(now().interleavings.counts.schedules, 2000u);
    EXPECT_FALSE(now().interleavings.failure);
    hand.MouseMoveToPos({700, 20});
    take_picture("interleave-searched");
    // A long one is stopped, and the window is drawn meanwhile.
    hand.ItemInputValue(item("orders/##value").c_str(), "1e9");
    hand.ItemClick(item("search").c_str());
    ASSERT_TRUE(until([&] { return now().interleavings.counts.schedules > 0 && now().interleavings.running; }));
    take_picture("interleave-searching");
    hand.ItemClick(item("stop searching").c_str());
    ASSERT_TRUE(until([&] { return now().interleavings.stopped; }));
    EXPECT_EQ(shown().line.text, to_text(shown().model->of()));
  });
}

// Two inserts that split one leaf: latches as bars, who waits for whom, and the tree as it is behind each access.
TEST_F(interleave_window, ASplitShowsItsStagesAndTheTree) {
  open_with("BTREE node=8 fill=100");
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Interleave");
    type(hand, "keys=10,20,30,40,50,60,70 ops=+45,+65 schedule=0:48 1:9 0 1");
    ASSERT_TRUE(until_shown());
    EXPECT_EQ(shown().model->result().run.fault, "");
    const auto step_to = [&](std::size_t step) {
      shown().step = step, shown().scroll = true;
      hand.MouseMoveToPos({700, 20});
      draw_frames(2);
    };
    const auto drawn = [&](std::string_view words) {
      return std::ranges::any_of(watch_.texts(), [&](const drawn_text& t) {
        return t.window.starts_with("Interleave") && t.words.find(words) != std::string::npos;
      });
    };
    step_to(48);
    take_picture("interleave-half-split");
    EXPECT_TRUE(drawn("half split"));
    EXPECT_TRUE(drawn("by the link alone"));
    EXPECT_TRUE(drawn("0: pairs that moved leave"));
    step_to(57);
    take_picture("interleave-latch-taken");
    EXPECT_TRUE(drawn("leaf 0 is latched, which 0 holds: not taken"));
    expect_no_text_is_cut("a split");
    view().light = true;
    take_picture("interleave-latch-taken-light");
    step_to(shown().model->accesses());
    EXPECT_FALSE(drawn("by the link alone"));
    take_picture("interleave-split-done-light");
  });
  EXPECT_TRUE(now().notices.empty());
}

// Tables whose entries move have bars for latches and claims, and arrows for who waits; below, cells and not a tree.
TEST_F(interleave_window, ATableWhoseEntriesMoveShowsItsLatches) {
  struct {
    const char *config, *line, *picture, *words;
    std::size_t step;  // an access that waits
  } const cases[] = {
      {"HT+CUCKOO homes=2 bucket=1 lanes=1 load=45",
       "keys=1533030529,3666505764,3049727566,3865618519 ops=+1007488365,+3310226004 schedule=0:30 1:30 0 1",
       "interleave-cuckoo", "0, latched", 37},
      {"GPH phases=one bucket=4 virtuals=2 load=80",
       "keys=3756348110,1320860226,2141275951,1550939236,1693156649,3532759219,2004329862,3362554755,3296080639,"
       "1624333932,2388299829,2738839415,1760249697,2431766446,1178777075,1049604121,3300324114,1930942420,1516219218,"
       "1070123733,3333042369,1408412445,3014232241,1147619478 ops=+3666969916,+2797740440 schedule=0:45 1:45 0 1",
       "interleave-gph", "row 24 stays", 57}};
  for (const auto& of : cases) {
    SCOPED_TRACE(of.config);
    open_with(of.config);
    perform([&](ImGuiTestContext& hand) {
      hand.WindowFocus("//Interleave");
      type(hand, of.line);
      ASSERT_TRUE(until_shown());
      EXPECT_EQ(shown().model->result().run.fault, "");
      shown().step = of.step, shown().scroll = true;
      hand.MouseMoveToPos({700, 20});
      draw_frames(2);
      take_picture(of.picture);
      const viz::latch_wait* const wait = shown().model->latches().wait_at(of.step - 1);
      ASSERT_NE(wait, nullptr);
      EXPECT_TRUE(shown().model->latches().held[wait->held].at_access(of.step - 1));
      EXPECT_TRUE(std::ranges::any_of(watch_.texts(), [&](const drawn_text& t) {
        return t.window.starts_with("Interleave") && t.words.find(of.words) != std::string::npos;
      }));
      view().light = true;
      take_picture(std::string(of.picture) + "-light");
      view().light = false;
    });
    close();
  }
}

TEST_F(interleave_window, WhatDoesNotChangeNamesWhatDoes) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Interleave");
    take_picture("interleave-refused");
    EXPECT_FALSE(now().interleaved);
    hand.ItemClick("//Interleave/PLAIN");
    ASSERT_TRUE(until([&] { return to_line(now().choice.config) == "PLAIN"; }));
    ASSERT_TRUE(until_shown());
    // A command that replays, pasted: its index is taken as well.
    ImGui::SetClipboardText("pivotscope interleave --config \"HT+OA\" --replay \"keys=4 ops=+4,?4 schedule=0:1 1\"");
    hand.ItemClick(item("##line").c_str());
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ASSERT_TRUE(until([&] { return to_line(now().choice.config) == "HT+OA lanes=4"; }));
    ASSERT_TRUE(until_shown());
    EXPECT_EQ(to_text(shown().model->of()), "keys=4 ops=+4,?4 schedule=0:1 1");
    EXPECT_EQ(to_line(shown().model->result().asked.config), "HT+OA lanes=4");
    // What a config cannot be asked for is said.
    type(hand, "keys=4 ops=+4,>4");
    ASSERT_TRUE(until([&] { return now().interleaved && !now().interleaved->problem.empty(); }));
    draw_frames(2);
    take_picture("interleave-problem");
  });
}

}  // namespace
}  // namespace pivotscope
