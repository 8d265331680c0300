// The batch follows the keys until one says how large it is, and one too small to time is not compared.
#include <algorithm>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/models/timings_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class told_batch_window : public window_test {
 protected:
  static std::string item(const std::string& name) { return panel_item(panel::workload, name); }
  void choose_keys(ImGuiTestContext& hand, const char* chip, u64 keys) {
    hand.ItemClick(item(std::string("keys/") + chip).c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.keys == keys; }));
    ASSERT_TRUE(until_settled());
  }
  // In a panel that is in front.
  bool says(const char* window, const std::string& words) {
    std::string all;
    for (const drawn_text& t : watch_.texts())
      if (t.window == window) all += t.words + " ";
    return all.find(words) != std::string::npos;
  }
};

TEST_F(told_batch_window, FollowsTheKeysUntilOneSaysHowLargeItIs) {
  open();
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(now().choice.load.lookups, 64u);
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Workload");
    choose_keys(hand, "2^16", 1 << 16);
    EXPECT_EQ(now().choice.load.lookups, 1u << 16);
    choose_keys(hand, "2^20", 1 << 20);
    EXPECT_EQ(now().choice.load.lookups, 1u << 20);
    take_picture("usual-batch");
    choose_keys(hand, "14", 14);
    EXPECT_EQ(now().choice.load, workload{}) << "the example is as it was";
    // Said: from now on it stays.
    hand.ItemClick(item("lookups/2^16").c_str());
    ASSERT_TRUE(until([&] { return now().choice.batch_told; }));
    choose_keys(hand, "2^20", 1 << 20);
    EXPECT_EQ(now().choice.load.lookups, 1u << 16);
    hand.ItemClick(item("lookups/usual").c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.lookups == 1 << 20; }));
    EXPECT_FALSE(now().choice.batch_told);
    // So is what stands in a line; and the next start knows.
    state().open_scenario("keys=2^16 lookups=64");
    ASSERT_TRUE(until_settled());
    choose_keys(hand, "2^20", 1 << 20);
    EXPECT_EQ(now().choice.load.lookups, 64u);
    EXPECT_EQ(bench_->to_remember().batch_told, true);
    state().open_scenario("keys=2^16");
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.lookups, 64u) << "as such a line has always meant";
    choose_keys(hand, "2^20", 1 << 20);
    EXPECT_EQ(now().choice.load.lookups, 1u << 20);
    EXPECT_EQ(bench_->to_remember().batch_told, false);
  });
}

TEST_F(told_batch_window, ThatIsTooSmallToTimeIsNotComparedAndNotTunedFor) {
  window_options start;
  start.load = uniform_keys(1 << 20, 64);
  start.config = *config_from_line("EO+BS");
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    view().pinned = *config_from_line("AO+BS");
    hand.WindowFocus("//Compare");
    ASSERT_TRUE(until([&] {
      const viz::session_view &a = bench_->pinned_shown(), b = now();
      return a.index && !a.runs->empty() && !a.job.running && !b.job.running;
    }));
    hand.ItemClick(panel_item(panel::compare, "measure both").c_str());
    const auto measured = [](const viz::session_view& s) {
      return !s.runs->empty() && s.runs->back().origin == viz::provenance::measured && !s.job.running;
    };
    ASSERT_TRUE(until([&] { return measured(bench_->pinned_shown()) && measured(now()); }));
    draw_frames(5);
    EXPECT_TRUE(says("Compare", "64 lookups over 2^20 keys are too few to time"));
    EXPECT_FALSE(says("Compare", "faster")) << "of 64 lookups";
    EXPECT_FALSE(says("Compare", "slower"));
    take_picture("compare-too-few");
    hand.WindowFocus("//Timings");
    draw_frames(5);
    EXPECT_TRUE(says("Timings", "64 lookups over 2^20 keys are too few to time"));
    take_picture("timings-too-few");
    hand.WindowFocus("//Advice");
    draw_frames(5);
    EXPECT_TRUE(says("Advice", "64 lookups over 2^20 keys are too few to time"));
    take_picture("advice-too-few");
    hand.ItemClick(panel_item(panel::advice, "tune").c_str());
    draw_frames(5);
    EXPECT_FALSE(now().job.running) << "it is grey";
    // One click takes a batch that tells.
    hand.ItemClick(panel_item(panel::advice, "enough").c_str());
    ASSERT_TRUE(until([&] { return now().choice.load.lookups == 1 << 20; }));
    ASSERT_TRUE(until_settled());
    draw_frames(5);
    EXPECT_FALSE(says("Advice", "too few"));
  });
}

}  // namespace
}  // namespace pivotscope
