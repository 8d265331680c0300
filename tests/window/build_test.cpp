// The build stepper: slot by slot through the build of the index in view.
#include "core/index/config_text.hpp"
#include "tests/support/ordered.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::build_place;
using viz::panel;

window_options start_with(const std::string& line, std::optional<workload> load = std::nullopt) {
  window_options start;
  start.config = *config_from_line(line);
  start.load = load;
  return start;
}

TEST_F(window_test, TheBuildIsSteppedSlotBySlotAndBack) {
  open(start_with("EO+BS"), 1280, 720);
  ASSERT_TRUE(until_settled());
  const auto at = [&] { return view().build.at; };
  perform([&](ImGuiTestContext& hand) {
    const u32 lookup_step = step();
    hand.ItemClick("//transport/mode build");
    EXPECT_TRUE(view().build.on);
    for (u64 k = 1; k <= 14; ++k) {
      hand.KeyPress(ImGuiKey_RightArrow);
      EXPECT_EQ(at(), (build_place{0, k}));
    }
    hand.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(at(), (build_place{0, 14})) << "the last slot";
    for (u64 k = 14; k-- > 0;) {
      hand.KeyPress(ImGuiKey_LeftArrow);
      EXPECT_EQ(at(), (build_place{0, k}));
    }
    hand.ItemClick("//transport/on");
    hand.ItemClick("//transport/on");
    EXPECT_EQ(at(), (build_place{0, 2}));
    take_picture("build-small");
    hand.KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
    EXPECT_EQ(at(), (build_place{0, 4})) << "the next level";
    hand.ItemClick("//transport/last");
    EXPECT_EQ(at(), (build_place{0, 14}));
    hand.ItemClick("//transport/first");
    EXPECT_EQ(at(), build_place{});
    hand.ItemClick("//transport/scrub");  // its middle
    EXPECT_EQ(at(), (build_place{0, 7}));
    hand.ItemClick(panel_item(panel::layout, "lower").c_str());
    EXPECT_EQ(at(), (build_place{0, 7})) << "the cell in the middle of memory";
    hand.ItemClick(panel_item(panel::layout, "upper").c_str());
    EXPECT_EQ(now().path->trace.key, 9u) << "a click looks for no key now";
    EXPECT_EQ(model_of(*now().index)->step_of_build(0, at().slot).rank, 7u)
        << "the slot of the key in the middle of the sorted row";
    view().transport.steps_per_second = 16;
    hand.ItemClick("//transport/first");
    hand.KeyPress(ImGuiKey_Space);
    EXPECT_TRUE(view().transport.playing);
    EXPECT_TRUE(until([&] { return !view().transport.playing; }));
    EXPECT_EQ(at(), (build_place{0, 14}));
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    EXPECT_FALSE(view().build.on);
    EXPECT_EQ(step(), lookup_step);
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    EXPECT_TRUE(view().build.on);
    hand.ItemClick("//transport/mode lookup");
    EXPECT_FALSE(view().build.on);
  });
}

TEST_F(window_test, NIsSlidAndTheSlotStays) {
  open(start_with("EO+KS fanout=3"));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    for (u32 i = 0; i < 5; ++i) hand.KeyPress(ImGuiKey_RightArrow);
    draw_frames(3);
    take_picture("build-figure-10");
    view().light = true;
    draw_frames(3);
    take_picture("build-figure-10-light");
    view().light = false;
    const auto slide = [&](int n) {
      hand.ItemInputValue(panel_item(panel::path, "##n").c_str(), n);
      ASSERT_TRUE(until([&] { return now().choice.load.keys == static_cast<u64>(n); }));
      ASSERT_TRUE(until_settled());
      EXPECT_EQ(view().build.at, (build_place{0, 5}));
    };
    slide(26);
    EXPECT_EQ(now().choice.load.dist, distribution::dense);
    EXPECT_EQ(model_of(*now().index)->step_of_build(0, 5).rank, 14u) << "the level below is full";
    take_picture("build-full");
    slide(9);
    slide(10);
    EXPECT_EQ(model_of(*now().index)->step_of_build(0, 5).shift->by, 2u);
    slide(14);
    EXPECT_EQ(now().choice.load.dist, distribution::paper) << "the example again";
    hand.ItemClick(panel_item(panel::path, "c by n").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_TRUE(now().choice.load.keys == 17 || now().choice.load.keys == 18) << "a column in the middle";
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(window_test, PassesAreSteppedOneAfterTheOther) {
  open(start_with("AO+PB+KS fanout=3"));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    hand.KeyPress(ImGuiKey_End);
    EXPECT_EQ(view().build.at, (build_place{0, 13}));
    take_picture("build-entries");
    hand.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(view().build.at, (build_place{1, 0})) << "the next pass";
    hand.KeyPress(ImGuiKey_LeftArrow);
    EXPECT_EQ(view().build.at, (build_place{0, 13}));
    hand.ItemClick(panel_item(panel::path, "$$1/pass").c_str());
    EXPECT_EQ(view().build.at, (build_place{1, 0}));
    for (u32 i = 0; i < 3; ++i) hand.KeyPress(ImGuiKey_RightArrow);
    take_picture("build-pivots");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_R);
    EXPECT_FALSE(view().build.on) << "a key is a lookup's";
  });
}

TEST_F(window_test, AMillionSlotsAreASlider) {
  open(start_with("EO+BS", workload{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 64}));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    hand.ItemClick("//transport/scrub");
    const u64 middle = view().build.at.slot;
    EXPECT_NEAR(static_cast<double>(middle), 1 << 19, 4000);
    hand.KeyPress(ImGuiMod_Shift | ImGuiKey_LeftArrow);
    EXPECT_EQ(view().build.at.slot % 2, 1u) << "a level's last slot";
    hand.KeyPress(ImGuiMod_Shift | ImGuiKey_RightArrow);
    EXPECT_EQ(view().build.at.slot & (view().build.at.slot - 1), 0u) << "a level's first";
    take_picture("build-million");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_G);
    hand.KeyCharsReplaceEnter("777");
    EXPECT_EQ(view().build.at, (build_place{0, 777}));
    draw_frames(30);
    take_picture("build-million-near");
  });
}

TEST_F(window_test, ABuildWithoutAFormulaIsToldInWords) {
  open(start_with("PLAIN"));
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    for (u32 i = 0; i < 3; ++i) hand.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(view().build.at, (build_place{0, 3}));
    take_picture("build-plain");
  });
  state().choose_config(*config_from_line("AO+PB+KS fanout=5 layout=soa pivots=1"));
  state().choose_workload({.keys = 1000, .dist = distribution::uniform, .lookups = 64});
  ASSERT_TRUE(until_settled());
  viz::view_state& v = view();
  v.light = true;
  v.build.wanted = {1, 2};
  draw_frames(5);
  take_picture("build-pivots-light");
  state().choose_workload({.keys = 0, .dist = distribution::dense, .lookups = 0});
  draw_frames(20);
  EXPECT_TRUE(view().build.on) << "nothing to build, and nothing breaks";
}

}  // namespace
}  // namespace pivotscope
