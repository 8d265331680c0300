// Views of cells that share their bytes, and of cells without keys.
#include <algorithm>

#include "tests/support/build_index.hpp"
#include "tests/support/packed_index.hpp"
#include "tests/window/panels_alone.hpp"
#include "viz/panels/panels.hpp"

namespace pivotscope {
namespace {

class packed_window : public panels_alone {
 protected:
  // So many that PLAIN, which it says it is, has no tile studied.
  void show(u64 packs, u64 cell, u64 empty_from = ~0ull) {
    const auto index = std::make_shared<testing::packed_index>(packs, testing::config_of("PLAIN"));
    index->empty_from(empty_from);
    shown_.index = index;
    shown_.choice.config = index->config();
    shown_.runs = std::make_shared<const std::vector<viz::session_run>>();
    shown_.path = std::make_shared<const viz::path_data>(viz::path_data{index, testing::path_to(*index, cell)});
    shown_.choice.key = shown_.path->trace.key;
    seen_.model = std::shared_ptr<const index_model>(index, &index->model);
    seen_.modelled = index;
  }
  // The middle of where the last frame says so first.
  ImVec2 place_of(std::string_view words) const {
    const auto found = std::find_if(watch_.texts().begin(), watch_.texts().end(),
                                    [&](const drawn_text& t) { return t.words == words; });
    EXPECT_NE(found, watch_.texts().end()) << words;
    return found == watch_.texts().end() ? ImVec2(-1, -1) : found->box.GetCenter();
  }
  bool says(std::string_view part) const {
    return std::any_of(watch_.texts().begin(), watch_.texts().end(),
                       [&](const drawn_text& t) { return t.words.find(part) != std::string::npos; });
  }
};

TEST_F(packed_window, LayoutNamesEveryBit) {
  show(40000, 50);
  picture_of({{viz::layout_panel, 1600}}, 1, "packed from afar");
  seen_.layout.upper.camera.go_to(14, 20);
  seen_.layout.lower.camera.go_to(48, 54);
  draw({{viz::layout_panel, 1600}}, 1, 60);
  picture_of({{viz::layout_panel, 1600}}, 1, "packed near");
  EXPECT_EQ(said("26000"), 2) << "looked for, and the key of cell 50, from its pack and its block";
  EXPECT_EQ(said("row 350"), 1);
  EXPECT_EQ(said("row id 64-83"), 2) << "of cells 50 and 53";
  EXPECT_EQ(said("from key 16000"), 1);
  EXPECT_EQ(said("="), 1);
  mouse_ = place_of("row id 64-83");
  draw({{viz::layout_panel, 1600}}, 1);
  for (const char* line : {"row id 64-83 = 0x15e", "high bits of the key 116-125 = 0x2", "264 to 267  (0x108)"})
    EXPECT_EQ(said(line), 1) << line;
  EXPECT_EQ(said("Click to look for this key."), 1);
  mouse_ = place_of("from key 16000");
  draw({{viz::layout_panel, 1600}}, 1);
  EXPECT_EQ(said("Click to look for this key."), 0) << "a block has none";
}

TEST_F(packed_window, EmptyCellsAreSeenFromAfar) {
  show(40000, 50, 80000);
  picture_of({{viz::layout_panel, 1600}}, 1, "packed and empty from afar");
  float end = 0;
  for (const viz::strip_state::block& b : seen_.layout.lower.blocks) end = std::max(end, b.x1);
  EXPECT_NEAR(end / seen_.layout.lower.camera.width(), 2.0 / 3, 0.01);
}

TEST_F(packed_window, MemoryPartsOwnBytesFromShared) {
  show(40000, 50);
  seen_.memory.row_bytes = 32;
  picture_of({{viz::memory_panel, 1100}, {viz::path_panel, 500}}, 1, "packed memory");
  EXPECT_EQ(said("compares no key"), 1) << "step 1, which reads a block";
  EXPECT_EQ(said("26000"), 4) << "looked for, and as three packs have it: one its first, one its second, one its third";
  EXPECT_EQ(said("row 350"), 1) << "its row id, in its own four bytes";
  mouse_ = place_of("row 350");
  draw({{viz::memory_panel, 1100}}, 1, 90);
  EXPECT_TRUE(says("key 26000, row id 350"));
  EXPECT_TRUE(says(": row id 64-83, of slot 50"));
  seen_.memory.array = testing::packed_blocks;
  mouse_ = {-1, -1};
  picture_of({{viz::memory_panel, 1600}}, 0, "packed memory of blocks");
  EXPECT_EQ(said("from key 16000"), 1);
}

TEST_F(packed_window, ATreeMarksBlocksByTheirLoads) {
  show(6, 7);
  picture_of({{viz::tree_panel, 1600}}, 0, "packed tree");
  EXPECT_EQ(said("7000"), 2) << "looked for, and of cell 7";
  EXPECT_EQ(said("1"), 1) << "step 1 read a block";
  const ImVec2 number = place_of("1");  // at the corner of its box
  mouse_ = {number.x - 8, number.y + 12};
  draw({{viz::tree_panel, 1600}}, 0, 90);
  EXPECT_EQ(said("from key 2000"), 1);
  EXPECT_EQ(said("Right-click for more."), 1) << "there is no key to look for";
}

}  // namespace
}  // namespace pivotscope
