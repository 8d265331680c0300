// The Advice panel: a click takes a config, and the autotuner runs beside the frames.
#include <stdlib.h>

#include <filesystem>

#include "core/common/whole_file.hpp"
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
  bool says(const std::string& words) {
    draw_frames(3);
    for (const drawn_text& t : watch_.texts())
      if (t.window == "Advice" && t.words.find(words) != std::string::npos) return true;
    return false;
  }

  std::string folder_;
};

TEST_F(advice_test, OneClickTakesTheAdvice) {
  open_large();
  arrange(2);
  take_picture("advice");
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick(panel_item(panel::advice, "recommended/apply").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(to_line(now().choice.config), "AO+PB+KS") << "what was measured elsewhere comes before the papers' rule";
    EXPECT_TRUE(says("Measured elsewhere"));
    hand.ItemClick(panel_item(panel::advice, "fold paper").c_str());
    hand.ItemClick(panel_item(panel::advice, "paper/apply").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(to_line(now().choice.config), "EO+BS");
    hand.ItemClick(panel_item(panel::advice, "ascending").c_str());
    EXPECT_TRUE(view().advice.ascending);
    // What was measured of it is looked for on disk; a line of words comes with the answer and moves what is below.
    ASSERT_TRUE(until([&] { return now().tuned.ascending && now().tuned.load == now().choice.load; }));
    hand.Yield(2);
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
  // One answer, with how it is known and what it gains; nothing else until it is unfolded.
  EXPECT_TRUE(says("Measured here"));
  EXPECT_TRUE(says("std::lower_bound"));
  // Which one of the two is the machine's affair: what cannot be told apart from the fastest stays in use.
  EXPECT_NE(says("the current index"), says("in use"));
  EXPECT_FALSE(says("only looked at:"));
  take_picture("tuned");
  perform([&](ImGuiTestContext& hand) {
    EXPECT_FALSE(hand.ItemExists(panel_item(panel::advice, "$$0/row").c_str()));
    hand.ItemClick(panel_item(panel::advice, "fold ranking").c_str());
    hand.ItemClick(panel_item(panel::advice, "fold looked at").c_str());
    hand.MouseMoveToPos({2, 2});
    take_picture("tuned-unfolded");
    hand.ScrollToItemY(panel_item(panel::advice, "$$0/row").c_str());
    hand.ItemClick(panel_item(panel::advice, "$$0/row").c_str());
  });
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(now().choice.config, done->winner()->config);
  close();

  open_large();
  arrange(2);
  ASSERT_TRUE(until([&] { return now().tuned.result != nullptr; }));
  view().advice.show_ranking = true;
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

// The keys of a file are not in any store: what was measured of them two minutes ago is there when one comes back.
TEST_F(advice_test, ATuningIsThereAgainAfterAnotherBatch) {
  std::string keys;
  for (int i = 0; i < 5000; ++i) keys += std::to_string(7 * i) + "\n";
  const std::string path = folder_ + "/keys.txt";
  ASSERT_TRUE(write_whole_file(path, keys).ok());
  open_large();
  arrange(2);
  bench_->take_files({path});
  ASSERT_TRUE(until([&] { return now().choice.load.keys == 5000; }));
  ASSERT_TRUE(until_settled());
  view().preset = 1, view().reset_layout = true;
  draw_frames(8);
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Advice");
    hand.ItemClick(panel_item(panel::advice, "tune").c_str());
  });
  ASSERT_TRUE(until([&] { return !now().job.running && now().tuned.result != nullptr; }));
  const auto done = now().tuned.result;
  for (const u64 size : {u64{1} << 16, u64{1} << 14}) {
    state().choose_batch(size);
    ASSERT_TRUE(until_settled());
    draw_frames(5);
  }
  ASSERT_TRUE(until([&] { return now().tuned.result != nullptr; }));
  EXPECT_EQ(now().tuned.result, done);
  EXPECT_TRUE(says("Measured here"));
}

}  // namespace
}  // namespace pivotscope
