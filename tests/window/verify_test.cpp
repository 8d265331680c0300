// The Verify panel: on a machine that is right, and on one that lies.
#include "core/index/config_text.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

// Wrong for a key in 16.
machine_source liars() {
  machine_source source;
  source.open = [](machine_kind, const machine_options&) -> outcome<std::unique_ptr<machine>> {
    return std::unique_ptr<machine>(std::make_unique<lying_machine>([](u64 key) { return key % 16 == 5; }));
  };
  return source;
}

TEST_F(window_test, RandomCasesAreVerifiedBesideTheIndex) {
  open();
  ASSERT_TRUE(until_settled());
  const auto index = now().index;
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Verify");
    take_picture("verify-empty");
    hand.ItemInputValue(panel_item(panel::verify, "cases/##value").c_str(), "many");
    EXPECT_NE(view().verify.cases.problem, "");
    hand.ItemInputValue(panel_item(panel::verify, "cases/##value").c_str(), "25");
    hand.ItemInputValue(panel_item(panel::verify, "seed/##value").c_str(), "7");
    hand.ItemInputValue(panel_item(panel::verify, "keys/##value").c_str(), "2^9");
    EXPECT_EQ(view().verify.asked, (viz::verify_request{.cases = 25, .seed = 7, .most_keys = 512}));
    hand.ItemClick(panel_item(panel::verify, "verify").c_str());
    ASSERT_TRUE(until([&] { return now().verified.done == 25 && !now().verified.running; }));
    EXPECT_EQ(now().verified.failing, nullptr);
    EXPECT_EQ(now().verified.asked.seed, 7u);
    EXPECT_EQ(now().index, index);
    draw_frames(2);
    hand.MouseMoveToPos({700, 60});
    take_picture("verified");
  });
}

TEST_F(window_test, AFailingCaseOpensInTheStepper) {
  window_options start;
  start.from = liars();
  start.load = workload{.lookups = 0};  // so that no run of the window's own is wrong
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Verify");
    hand.ItemClick(panel_item(panel::verify, "verify").c_str());
    ASSERT_TRUE(until([&] { return now().verified.failing && !now().verified.running; }));
    draw_frames(3);
    const viz::failing_case c = now().verified.failing->front();
    EXPECT_EQ(c.key.key % 16, 5u);
    hand.MouseMoveToPos({700, 60});
    take_picture("failing");
    view().light = true;
    draw_frames(3);
    take_picture("failing-light");
    view().light = false;
    hand.ItemClick(panel_item(panel::verify, "$$0/row").c_str());
    ASSERT_TRUE(until([&] {
      const viz::session_view v = now();
      return !v.job.running && v.index && v.index->config() == c.config && v.path && v.path->index == v.index;
    }));
    EXPECT_EQ(now().choice.key, c.key);
    EXPECT_EQ(now().path->trace.key, c.key.key);
    EXPECT_EQ(now().keys->set->size(), c.load.keys);
    draw_frames(3);
    hand.MouseMoveToPos({700, 60});
    take_picture("failing-opened");
  });
}

TEST_F(window_test, VerifyingStopsByItsButtonAndByEscape) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Verify");
    hand.ItemInputValue(panel_item(panel::verify, "cases/##value").c_str(), "1e9");
    for (const bool by_escape : {false, true}) {
      hand.ItemClick(panel_item(panel::verify, "verify").c_str());
      ASSERT_TRUE(until([&] { return now().verified.running && now().verified.done > 0; }));
      take_picture(by_escape ? "verifying" : "verifying-first");
      if (by_escape)
        state().cancel();
      else
        hand.ItemClick(panel_item(panel::verify, "stop verifying").c_str());
      ASSERT_TRUE(until([&] { return !now().verified.running; }));
      EXPECT_TRUE(now().verified.stopped);
      EXPECT_LT(now().verified.done, 1'000'000'000u);
    }
  });
}

}  // namespace
}  // namespace pivotscope
