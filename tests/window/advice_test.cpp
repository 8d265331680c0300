// The Advice panel: a click takes a config, and the autotuner runs beside the frames.
#include <stdlib.h>

#include <filesystem>

#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class advice_test : public window_test {
 protected:
  void open_large(u64 lookups = 1 << 14) {
    window_options options;
    options.load = workload{.keys = 1 << 14, .dist = distribution::uniform, .lookups = lookups};
    options.config = *config_from_line("AO+BS");
    options.machines.cache_folder = folder_;
    open(options);
    ASSERT_TRUE(until_settled());
  }
  void arrange(int preset) {
    view().preset = preset;
    view().reset_layout = true;
    draw_frames(8);
  }
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "pivotscope-advice-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    window_test::TearDown();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string folder_;
};

TEST_F(advice_test, OneClickTakesTheAdvice) {
  open_large();
  arrange(2);
  take_picture("advice");
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick(panel_item(panel::advice, "paper/apply").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(to_line(now().choice.config), "EO+BS");
    hand.ItemClick(panel_item(panel::advice, "ascending").c_str());
    EXPECT_TRUE(view().advice.ascending);
    hand.ItemClick(panel_item(panel::advice, "paper/apply").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(method_name(now().index->config()), "AO+BS");
    EXPECT_EQ(now().index->config().launch.reorder, reorder_kind::both);
  });
  arrange(1);
  perform([&](ImGuiTestContext& hand) { hand.WindowFocus("//Advice"); });
  take_picture("advice-learn");
}

TEST_F(advice_test, TuningRanksAndIsKeptForTheNextStart) {
  open_large();
  arrange(2);
  perform([&](ImGuiTestContext& hand) { hand.ItemClick(panel_item(panel::advice, "tune").c_str()); });
  // Whether a frame falls into the run is the machine's affair; the test after this one waits for it.
  bool pictured = false;
  ASSERT_TRUE(until([&] {
    if (now().tuned.running && !pictured && now().tuned.progress.done > 3) {
      pictured = true;
      take_picture("tuning");
    }
    return !now().job.running && now().tuned.result != nullptr;
  }));
  const auto done = now().tuned.result;
  EXPECT_TRUE(done->rejected.empty());
  EXPECT_GT(done->ranking.size(), 15u);
  EXPECT_FALSE(now().tuned.kept);
  EXPECT_EQ(to_line(now().choice.config), "AO+BS") << "measuring changes nothing that was chosen";
  take_picture("tuned");
  perform([&](ImGuiTestContext& hand) {
    hand.ScrollToItemY(panel_item(panel::advice, "$$0/row").c_str());
    hand.ItemClick(panel_item(panel::advice, "$$0/row").c_str());
  });
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(now().choice.config, done->winner()->config);
  close();

  open_large();
  arrange(2);
  ASSERT_TRUE(until([&] { return now().tuned.result != nullptr; }));
  EXPECT_TRUE(now().tuned.kept);
  EXPECT_EQ(now().tuned.result->winner()->config, done->winner()->config);
  view().light = true;
  perform([&](ImGuiTestContext& hand) { hand.ScrollToItemY(panel_item(panel::advice, "$$0/row").c_str()); });
  take_picture("tuned-kept-light");
}

TEST_F(advice_test, AnotherChoiceEndsTheTuning) {
  open_large(1 << 20);  // long enough to be met while it runs
  arrange(2);
  perform([&](ImGuiTestContext& hand) { hand.ItemClick(panel_item(panel::advice, "tune").c_str()); });
  ASSERT_TRUE(until([&] { return now().tuned.running && now().tuned.progress.done > 0; }));
  state().choose_config(*config_from_line("EO+KS"));
  ASSERT_TRUE(until_settled());
  EXPECT_FALSE(now().tuned.running);
  EXPECT_EQ(to_line(now().index->config()), "EO+KS");
  EXPECT_TRUE(now().notices.empty());
}

}  // namespace
}  // namespace pivotscope
