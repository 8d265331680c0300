// A batch watched as it is merged into SA: slot by slot in place of the build, by keys, clicks and play; undone and redone.
#include "core/index/config_text.hpp"
#include "core/run/stored_entries.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::build_place;
using viz::panel;

class merge_window : public window_test {
 protected:
  void open_with(const std::string& load, std::size_t batches, int width = 1600, int height = 1000,
                 const char* config = "SA") {
    window_options start;
    start.config = *config_from_line(config);
    start.load = *workload_from_line(load);
    open(start, width, height);
    ASSERT_TRUE(until_applied(batches));
  }
  bool until_applied(std::size_t batches) {
    return until([&] {
      const viz::session_view v = now();
      return !v.job.running && v.updates && v.updates->applied == batches;
    });
  }
  const batch_merge& merge() { return *now().updates->merged.merge; }
  build_place at() { return view().build.at; }
  bool says(std::string_view part) {
    draw_frames(3);
    return std::any_of(watch_.texts().begin(), watch_.texts().end(),
                       [&](const drawn_text& t) { return t.words.find(part) != std::string::npos; });
  }
  // How often a text stands in a panel.
  std::size_t times(std::string_view words, std::string_view window) {
    draw_frames(3);
    return static_cast<std::size_t>(
        std::count_if(watch_.texts().begin(), watch_.texts().end(),
                      [&](const drawn_text& t) { return t.words == words && t.window == window; }));
  }
  static constexpr const char* two_batches =
      "key_list=1200457731,2003118846,2714550912,2714550912,3101446275,3590018844,4012345678,4100200300 "
      "script=(-2714550912,+2714550912,+3000000000,-4100200300,+3999999999)/+1000000001";
};

TEST_F(merge_window, ABatchIsSteppedSlotBySlot) {
  open_with(two_batches, 2);
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    EXPECT_TRUE(says("Batch 2, merged"));
    EXPECT_TRUE(says("Step 0 inserts 1000000001"));
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_TRUE(until_applied(1));
    EXPECT_TRUE(says("Batch 1, merged"));
    EXPECT_TRUE(says("8 = 5 kept + 3 dropped"));
    EXPECT_TRUE(says("5 = 3 inserts + 2 erases"));
    EXPECT_TRUE(says("8 = 5 kept + 3 inserted"));
    // Every slot, on and back: what is told is what the array holds there.
    const std::vector<stored_entry> held = *stored_entries(*now().index);
    for (u64 slot = 0; slot < held.size(); ++slot) {
      EXPECT_EQ(at(), (build_place{0, slot}));
      EXPECT_TRUE(says(view().build.merged.merge->at_slot(slot).part == path_part::insert
                           ? "inserts " + std::to_string(held[slot].key)
                           : "old slot"));
      EXPECT_TRUE(says(std::to_string(held[slot].key) + ", row id " + std::to_string(held[slot].row)));
      if (slot == 2) {
        take_picture("merge");
        EXPECT_EQ(times("2714550912", "Layout"), 3u) << "two old entries, dropped, and the new one";
        EXPECT_TRUE(says("step 5: insert 2714550912")) << "at the slot, in Layout";
        EXPECT_FALSE(says("old slot 4:")) << "none is copied";
      }
      if (slot == 4) {
        EXPECT_EQ(times("old slot 4", "Layout"), 1u) << "where it is copied from";
      }
      hand.KeyPress(ImGuiKey_RightArrow);
    }
    hand.KeyPress(ImGuiKey_LeftArrow);
    EXPECT_EQ(at(), (build_place{0, 6}));
    view().light = true;
    draw_frames(3);
    take_picture("merge-light");
    view().light = false;
    expect_no_text_is_cut("the merge of a batch");
  });
  EXPECT_TRUE(now().notices.empty());
}

TEST_F(merge_window, ClicksGoToSlotsAndPlayGoesToTheLast) {
  open_with(two_batches, 2);
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ASSERT_TRUE(until_applied(1));
    hand.ItemClick("//transport/mode build");
    for (u32 i = 0; i < 2; ++i) hand.KeyPress(ImGuiKey_RightArrow);
    ASSERT_EQ(merge().at_slot(2).step, 5u);
    hand.ItemClick(panel_item(panel::path, "$$4/path step").c_str());
    EXPECT_TRUE(until([&] { return says("The entry of old slot 3 is dropped"); })) << "the card at the mouse";
    EXPECT_EQ(at(), (build_place{0, 2})) << "a dropped entry has no slot";
    hand.ItemClick(panel_item(panel::path, "$$7/path step").c_str());
    EXPECT_EQ(at(), (build_place{0, 4}));
    hand.ItemClick(panel_item(panel::path, "$$3/path step").c_str());
    EXPECT_EQ(at(), (build_place{0, 4})) << "nor has this one";
    hand.ItemClick(panel_item(panel::layout, "lower").c_str());
    const u64 middle = at().slot;
    EXPECT_TRUE(middle == 3 || middle == 4) << "the cell in the middle of memory";
    hand.ItemClick(panel_item(panel::layout, "upper").c_str());
    EXPECT_TRUE(at().slot == 4) << "old slot 4 went there; old slot 3 was dropped";
    view().transport.steps_per_second = 16;
    hand.ItemClick("//transport/first");
    EXPECT_EQ(at(), build_place{});
    hand.KeyPress(ImGuiKey_Space);
    EXPECT_TRUE(until([&] { return !view().transport.playing; }));
    EXPECT_EQ(at(), (build_place{0, 7}));
  });
}

TEST_F(merge_window, UndoComesBackToTheBuildAndRedoToTheBatch) {
  open_with(two_batches, 2);
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    for (u32 i = 0; i < 3; ++i) hand.KeyPress(ImGuiKey_RightArrow);
    for (u32 round = 0; round < 2; ++round) {
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
      ASSERT_TRUE(until_applied(1));
      EXPECT_TRUE(says("Batch 1, merged"));
      EXPECT_TRUE(says("old array"));
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
      ASSERT_TRUE(until_applied(0));
      EXPECT_TRUE(says("A copy: the array is the sorted keys, so slot 3"));
      EXPECT_FALSE(says(", merged"));
      EXPECT_FALSE(says("old array"));
      EXPECT_TRUE(says("n from 9 to 26"));
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y);
      ASSERT_TRUE(until_applied(1));
      EXPECT_EQ(at(), (build_place{0, 3})) << "the same slot";
      EXPECT_TRUE(says("Step 6 inserts 3000000000"));
      EXPECT_FALSE(says("n from 9 to 26"));
      hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y);
      ASSERT_TRUE(until_applied(2));
    }
    // Another method has the build again, and one that does not change has no batch.
    state().choose_config(*config_from_line("EO+BS"));
    ASSERT_TRUE(until([&] { return now().index && now().index->config() == *config_from_line("EO+BS"); }));
    EXPECT_FALSE(says(", merged"));
  });
}

TEST_F(merge_window, AMillionSlotsOfABatchAreASlider) {
  open_with("keys=2^20 distribution=uniform seed=3 inserts=2^16 erases=2^10 mix=1 lookups=64", 1, 1280, 720);
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    hand.ItemClick("//transport/scrub");
    const u64 slot = at().slot;
    EXPECT_NEAR(static_cast<double>(slot), static_cast<double>(merge().after()) / 2, 8000);
    EXPECT_TRUE(says(std::to_string((*stored_entries(*now().index))[slot].key)));
    draw_frames(30);
    take_picture("merge-million");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_G);
    hand.KeyCharsReplaceEnter("777");
    EXPECT_EQ(at(), (build_place{0, 777}));
    draw_frames(30);
    take_picture("merge-million-near");
    expect_no_text_is_cut("the merge of a large batch");
  });
}

TEST_F(merge_window, KeysWithoutRoomKeepTheDigitsThatDiffer) {
  std::string keys = "key_list=", script = " script=";
  for (u64 i = 1; i < 6; ++i) {
    keys += (i == 1 ? "" : ",") + std::to_string(12345678901234560000u + 10 * i);
    script += (i == 1 ? "+" : ",+") + std::to_string(12345678901234560005u + 10 * i);
  }
  open_with(keys + script, 1, 1280, 720, "SA keys=u64");
  perform([&](ImGuiTestContext& hand) {
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
    draw_frames(3);
    take_picture("merge-long-keys");
    std::set<std::string> shown;
    for (const drawn_text& t : watch_.texts())
      if (t.window == "Path" && t.words.find("\u2026") != std::string::npos) shown.insert(t.words);
    EXPECT_EQ(shown.size(), 9u) << "a step each, and no two alike";
    expect_no_text_is_cut("a merge of long keys");
  });
}

}  // namespace
}  // namespace pivotscope
