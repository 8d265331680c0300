// The views of the optimisations: what is pinned, what is trimmed, what a block does with its tile, what a kernel
// takes.
#include <imgui_internal.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/cells/scratch_row.hpp"
#include "viz/models/tile_model.hpp"

namespace pivotscope {
namespace {

using viz::panel;

using testing::config_of;

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
    EXPECT_EQ(knobs_of(now().index->config()).pivots, 2u);
    EXPECT_EQ(shape_of(*now().index).leaf_entries, 4u);
    hand.ItemClick(panel_item(panel::tree, "$$0/keep").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(knobs_of(now().index->config()).pivots, 1u);
    take_picture("trimmed");
    hand.ItemClick(panel_item(panel::tree, "$$2/keep").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(knobs_of(now().index->config()).pivots, 0u) << "all levels";
  });
}

class batch_window : public window_test {
 protected:
  static window_options thousand_keys() {
    window_options start;
    start.load = workload{.keys = 1000, .dist = distribution::dense};
    return start;
  }
  void choose_batch(ImGuiTestContext& hand, const char* what) {
    hand.WindowFocus("//Workload");
    hand.ItemClick(panel_item(panel::workload, what).c_str());
    EXPECT_TRUE(until_settled());
  }
};

TEST_F(batch_window, OfRangesIsChosenRunAndTimed) {
  open(thousand_keys());
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    choose_batch(hand, "ranges");
    EXPECT_EQ(now().choice.load.ranges, 64u);
    EXPECT_EQ(now().choice.load.lookups, 0u);
    hand.ItemClick(panel_item(panel::workload, "entries/4").c_str());
    ASSERT_TRUE(until_settled());
    hand.ItemInputValue(panel_item(panel::workload, "ranges/##ranges").c_str(), "100");
    ASSERT_TRUE(until([&] { return now().choice.load.ranges == 100; }));
    ASSERT_TRUE(until_settled());
    const run_record& run = now().runs->back().record;
    EXPECT_EQ(run.kind, operation::range);
    EXPECT_EQ(run.check.checked, 100u);
    EXPECT_EQ(run.check.wrong, 0u);
    EXPECT_EQ(run.entries, 400u) << "each has four keys, and no key is there twice";
    take_picture("ranges");
    hand.WindowFocus("//Tile");
    draw_frames(2);
    EXPECT_FALSE(view().tile.study) << "a tile is of lookups";
    hand.WindowFocus("//Workload");
    hand.ItemClick(panel_item(panel::workload, "lookups").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.lookups, 100u);
    EXPECT_EQ(now().runs->back().record.kind, operation::find);
  });
}

TEST_F(batch_window, OfSuccessorsIsChosenRunAndTimed) {
  open(thousand_keys());
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    choose_batch(hand, "successors");
    EXPECT_EQ(now().choice.load.successors, 64u);
    EXPECT_EQ(now().choice.load.lookups, 0u);
    hand.ItemInputValue(panel_item(panel::workload, "successors/##successors").c_str(), "100");
    ASSERT_TRUE(until([&] { return now().choice.load.successors == 100; }));
    ASSERT_TRUE(until_settled());
    const run_record& run = now().runs->back().record;
    EXPECT_EQ(run.kind, operation::successor);
    EXPECT_EQ(run.check.checked, 100u);
    EXPECT_EQ(run.check.wrong, 0u);
    take_picture("successors");
    hand.ItemClick(panel_item(panel::workload, "ranges").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.ranges, 100u);
    EXPECT_EQ(now().choice.load.successors, 0u);
  });
}

TEST_F(batch_window, OfMatchesAndLowerBoundsAreChosenRunAndTimed) {
  open(thousand_keys());
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    for (const operation kind : {operation::matches, operation::lower_bound}) {
      const std::string noun(operation_noun(kind));
      choose_batch(hand, noun.c_str());
      EXPECT_EQ(operation_of(now().choice.load), kind);
      hand.ItemInputValue(panel_item(panel::workload, (noun + "/##" + noun).c_str()).c_str(), "100");
      ASSERT_TRUE(until([&] { return batch_size(now().choice.load) == 100; }));
      ASSERT_TRUE(until_settled());
      const run_record& run = now().runs->back().record;
      EXPECT_EQ(run.kind, kind);
      EXPECT_EQ(run.check.checked, 100u);
      EXPECT_EQ(run.check.wrong, 0u);
      take_picture(noun == "matches" ? "matches" : "lower-bounds");
    }
  });
}

// Typed into the key field: all rows of a key, and the least that is not smaller.
TEST_F(batch_window, AKeysMatchesAndItsLowerBoundAreSteppedThrough) {
  open();
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    for (const auto& [typed, verdict] : {std::pair{"=7", "2 entries have key 7; "},
                                         {">=8", "The least key that is not smaller than 8 is 9: "},
                                         {">=18", "18 has no lower bound: all keys are smaller."}}) {
      hand.KeyChars(typed);
      hand.Yield(12);
      hand.KeyPress(ImGuiKey_Enter);
      ASSERT_TRUE(until_settled());
      EXPECT_EQ(to_text(*now().choice.key), typed);
      EXPECT_TRUE(now().path->trace.verdict.starts_with(verdict)) << now().path->trace.verdict;
      take_picture(std::string("question-") + (typed[0] == '=' ? "matches" : typed[2] == '8' ? "lower" : "none"));
      hand.KeyPress(ImGuiKey_Escape);
    }
  });
}

// What a family lacks: said when its index is chosen for such a batch, and not to be chosen beside it.
TEST_F(window_test, SuccessorsOfAFamilyWithoutAnOrderAreRefusedInWords) {
  window_options start;
  start.load = workload{.keys = 100, .dist = distribution::dense, .lookups = 0, .successors = 64};
  open(start);
  ASSERT_TRUE(until_settled());
  EXPECT_TRUE(now().notices.empty());
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick(panel_item(panel::index, "method/PLAIN").c_str());
    ASSERT_TRUE(until([&] { return !now().notices.empty(); }));
    EXPECT_TRUE(now().notices.back().words.starts_with("PLAIN has no order, so it has no successors; AO+BS, "))
        << now().notices.back().words;
    take_picture("successors-refused");
    hand.WindowFocus("//Workload");
    hand.ItemClick(panel_item(panel::workload, "lookups").c_str());
    ASSERT_TRUE(until_settled());
    EXPECT_EQ(now().choice.load.lookups, 64u);
    EXPECT_EQ(now().runs->back().record.kind, operation::find);
    hand.ItemClick(panel_item(panel::workload, "successors").c_str());
    draw_frames(3);
    EXPECT_EQ(now().choice.load.successors, 0u) << "its chip is grey and says why";
  });
}

TEST_F(window_test, TheTabsOverTheKnobsHaveRoom) {
  open({}, 1280, 720);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    const auto fits = [&] {
      draw_frames(10);
      const ImGuiWindow* index = ImGui::FindWindowByName("Index");
      ASSERT_TRUE(index && index->DockNode && index->DockNode->TabBar);
      const ImGuiTabBar& tabs = *index->DockNode->TabBar;
      EXPECT_LE(tabs.WidthAllTabsIdeal, tabs.BarRect.GetWidth() + 0.5f) << tabs.Tabs.Size << " tabs";
    };
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_1);
    fits();
    view().lessons.wants_room = true;
    fits();
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

TEST_F(window_test, EntriesWithoutAnOrderAreOneStripAndNoTree) {
  window_options start;
  start.config = config_of("PLAIN");
  start.key = 9;
  open(start);
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(steps(), 1u);
  take_picture("plain");
  const u64 entries = 100;
  state().choose_workload({.keys = entries, .dist = distribution::dense, .lookups = 64});
  state().choose_config(config_of("PLAIN lanes=8"));
  ASSERT_TRUE(until_settled());
  EXPECT_TRUE(now().choice.key) << "one that is there is chosen without ranks, too";
  EXPECT_LT(now().choice.key->key, entries);
  perform([&](ImGuiTestContext& hand) {
    const auto draw_one = [&](const char* star, bool there) {
      const auto before = now().path;
      hand.ItemClick(panel_item(panel::path, star).c_str());
      ASSERT_TRUE(until([&] { return now().path && now().path != before && now().choice.key; }));
      ASSERT_TRUE(until_settled());
      EXPECT_EQ(now().path->trace.row != not_found, there);
      EXPECT_EQ(now().choice.key->key < entries, there);
    };
    draw_one("hit", true);
    draw_one("miss", false);
    EXPECT_EQ(steps(), 4u);
    hand.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(step(), 1u);
    draw_frames(30);
    take_picture("plain-miss");
    hand.ItemClick(panel_item(panel::layout, "lower").c_str());  // a cell of memory
    EXPECT_TRUE(until([&] { return now().choice.key && now().choice.key->key < entries; }));
    hand.WindowFocus("//Tile");
    ASSERT_TRUE(until([&] { return view().tile.study && view().tile.study->complete(); }));
    EXPECT_FALSE(view().tile.study->ranked());
    hand.WindowFocus("//Index");
  });
  state().choose_workload({.keys = 1 << 16, .dist = distribution::uniform, .lookups = 64});
  state().choose_key(3);
  ASSERT_TRUE(until_settled());
  draw_frames(5);
  take_picture("plain-many");
  EXPECT_TRUE(now().notices.empty());
}

}  // namespace
}  // namespace pivotscope
