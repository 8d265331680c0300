// The views of the optimisations: what is pinned, what is trimmed, what a block does with its tile, what a kernel
// takes.
#include "core/config/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/scratch_row.hpp"
#include "viz/tile_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

index_config config_of(const std::string& line) {
  const outcome<index_config> config = config_from_line(line);
  EXPECT_TRUE(config.ok()) << line;
  return config.ok() ? *config : index_config{};
}

TEST_F(window_test, WhatIsPinnedLiesInAStripOfItsOwn) {
  window_options start;
  start.config = config_of("EO+BS pin=full scratch=48");
  start.key = 9;
  open(start);
  ASSERT_TRUE(until_settled());
  ASSERT_TRUE(view().layout.scratch);
  EXPECT_EQ(view().layout.scratch->count(), 12u);
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiKey_RightArrow);
    hand.ItemClick(panel_item(panel::layout, "scratch").c_str());  // its middle: a pinned key
    EXPECT_TRUE(until([&] { return now().choice.key != 9u; }));
  });
  take_picture("scratch");
  state().choose_config(config_of("EO+BS"));
  ASSERT_TRUE(until_settled());
  EXPECT_FALSE(view().layout.scratch);
}

TEST_F(window_test, LevelsOfAPivotBufferAreTrimmedInTheTree) {
  window_options start;
  start.config = config_of("AO+PB+BS");
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick(panel_item(panel::tree, "fewer levels").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().index->config().pivots, 2u);
    EXPECT_EQ(now().index->shape().leaf_entries, 4u);
    hand.ItemClick(panel_item(panel::tree, "$$0/keep").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().index->config().pivots, 1u);
    take_picture("trimmed");
    hand.ItemClick(panel_item(panel::tree, "$$2/keep").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().index->config().pivots, 0u) << "all levels";
  });
}

TEST_F(window_test, ATileIsShownAsItComesAndSorted) {
  window_options start;
  start.config = config_of("EO+BS threads=64");
  start.load = workload{};
  start.load->lookups = 150;
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Tile");
    ASSERT_TRUE(until([&] { return view().tile.study && view().tile.study->complete(); }));
    EXPECT_FALSE(view().tile.study->reordered());
    hand.ItemClick(panel_item(panel::tile, "sort").c_str());
    ASSERT_TRUE(until_settled());
    ASSERT_TRUE(until([&] { return view().tile.study->reordered() && view().tile.study->complete(); }));
    take_picture("tile");
    hand.ItemClick(panel_item(panel::tile, "tile after").c_str());
    hand.ItemClick(panel_item(panel::tile, "tile after").c_str());
    ASSERT_TRUE(until([&] { return view().tile.study->number() == 2 && view().tile.study->complete(); }));
    EXPECT_EQ(view().tile.study->size(), 150u - 128);
  });
  workload none;
  none.lookups = 0;
  state().choose_workload(none);
  draw_frames(20);
  EXPECT_TRUE(now().notices.empty());
}

}  // namespace
}  // namespace pivotscope
