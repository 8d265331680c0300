// The Snapshots panel: kept, opened at their step, deleted, there at the next start.
#include "app/window/thumbnails.hpp"
#include "core/index/config_text.hpp"
#include "tests/app/program.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class snapshots_window : public window_test {
 protected:
  void SetUp() override {
    const char* before = std::getenv("XDG_CONFIG_HOME");
    if (before) config_home_ = before;
    ::setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
  }
  void TearDown() override {
    window_test::TearDown();
    config_home_ ? ::setenv("XDG_CONFIG_HOME", config_home_->c_str(), 1) : ::unsetenv("XDG_CONFIG_HOME");
  }
  bool is_kept(u32 slot) { return now().snapshots && (*now().snapshots)[slot]; }

  scratch_folder folder_;
  std::optional<std::string> config_home_;
};

TEST_F(snapshots_window, ASnapshotIsKeptOpenedAndDeleted) {
  open();
  ASSERT_TRUE(until_settled());
  const std::string line = state().scenario_line();
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Snapshots");
    ASSERT_TRUE(until([&] { return now().snapshots != nullptr; }));
    hand.KeyPress(ImGuiKey_RightArrow);
    hand.KeyPress(ImGuiKey_RightArrow);
    ASSERT_EQ(step(), 2u);
    hand.ItemClick(panel_item(panel::snapshots, "$$0/keep").c_str());
    ASSERT_TRUE(until([&] { return is_kept(0); }));
    const viz::snapshot kept = *(*now().snapshots)[0];
    EXPECT_EQ(kept.line, line + " step=3");
    EXPECT_EQ(kept.at, (view_position{.step = 3}));
    ASSERT_TRUE(kept.png);
    const outcome<picture> small = picture_of_png(*kept.png);
    ASSERT_TRUE(small.ok());
    EXPECT_EQ(small->width, 480);
    EXPECT_NE(view().snapshots.textures[0], 0u);

    state().open_scenario("AO+PB+KS fanout=5 lanes=2 keys=2^12 distribution=uniform lookup=77");
    ASSERT_TRUE(until_settled());
    hand.ItemClick(panel_item(panel::snapshots, "$$1/keep").c_str());
    ASSERT_TRUE(until([&] { return is_kept(1); }));
    hand.MouseMoveToPos({700, 60});
    draw_frames(3);
    take_picture("snapshots");
    view().light = true;
    draw_frames(3);
    take_picture("snapshots-light");
    view().light = false;

    hand.ItemClick(panel_item(panel::snapshots, "$$0/open").c_str());
    ASSERT_TRUE(until([&] { return state().scenario_line() == line; }));
    ASSERT_TRUE(until_settled());
    ASSERT_TRUE(until([&] { return step() == 2; }));
  });
  close();

  open();
  ASSERT_TRUE(until([&] { return is_kept(0) && is_kept(1); }));
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Snapshots");
    draw_frames(2);
    EXPECT_NE(view().snapshots.textures[1], 0u);
    // The same scenario at another step is one click as well.
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(step(), 0u);
    hand.ItemClick(panel_item(panel::snapshots, "$$0/open").c_str());
    ASSERT_TRUE(until([&] { return step() == 2; }));
    // Deleted by the second click on the cross.
    hand.ItemClick(panel_item(panel::snapshots, "$$1/delete").c_str());
    draw_frames(2);
    EXPECT_TRUE(is_kept(1));
    hand.ItemClick(panel_item(panel::snapshots, "$$1/delete").c_str());
    ASSERT_TRUE(until([&] { return !is_kept(1); }));
    EXPECT_TRUE(is_kept(0));
  });
}

TEST(small_picture, is_the_mean_of_what_it_covers) {
  picture whole{4, 2, {}};
  for (const int value : {0, 10, 20, 30, 40, 50, 60, 70})
    for (int c = 0; c < 3; ++c) whole.rgb.push_back(static_cast<u8>(value + c));
  const picture small = small_picture(whole, {0, 0, 4, 2}, 2);
  EXPECT_EQ(small.width, 2);
  EXPECT_EQ(small.height, 1);
  EXPECT_EQ(small.rgb, (std::vector<u8>{25, 26, 27, 45, 46, 47}));
  EXPECT_EQ(small_picture(whole, {2, 1, 9, 9}, 100).rgb, (std::vector<u8>{60, 61, 62, 70, 71, 72}));
  EXPECT_TRUE(small_picture(whole, {4, 0, 9, 9}, 100).rgb.empty());
  EXPECT_EQ(picture_of_png(*png_of(whole))->rgb, whole.rgb);
  EXPECT_FALSE(picture_of_png("no picture").ok());
}

}  // namespace
}  // namespace pivotscope
