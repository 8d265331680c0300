// Fill: the parts of an index by how full they are, what hover says of one, and where a click goes; and what a packed lookup in doubt
// looks like in the other views.
#include <algorithm>
#include <random>

#include "core/families/packed/packed.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"
#include "tests/window/panels_alone.hpp"
#include "viz/models/fill_model.hpp"
#include "viz/panels/panels.hpp"
#include "viz/parts/strip.hpp"

namespace pivotscope {
namespace {

class fill_window : public panels_alone {
 protected:
  void show(const char* config, const key_array& keys, u64 key) {
    const auto index = testing::build_on_cpu(testing::config_of(config), keys);
    ASSERT_TRUE(index);
    shown_.index = index;
    shown_.choice.config = index->config();
    shown_.runs = std::make_shared<const std::vector<viz::session_run>>();
    auto trace = trace_lookup(*index, key);
    ASSERT_TRUE(trace.ok()) << trace.error().words;
    shown_.path = std::make_shared<const viz::path_data>(viz::path_data{index, std::move(*trace)});
    shown_.choice.key = key;
  }
  static key_array dense(u32 n) {
    std::vector<u32> keys(n);
    for (u32 i = 0; i < n; ++i) keys[i] = i;
    return key_array(keys);
  }
  // Most lie in a small part of the range.
  static key_array skewed() {
    std::mt19937 random(4);
    std::vector<u32> keys;
    for (u32 i = 0; i < 900; ++i) keys.push_back(static_cast<u32>(random()));
    for (u32 i = 0; i < 500; ++i) keys.push_back(static_cast<u32>(2'000'000'000 + random() % 4000));
    for (u32 i = 0; i < 200; ++i) keys.push_back(3'000'000'000);
    return key_array(keys);
  }
  bool says(std::string_view part) const {
    return std::any_of(watch_.texts().begin(), watch_.texts().end(),
                       [&](const drawn_text& t) { return t.words.find(part) != std::string::npos; });
  }
  const viz::strip_camera& camera() const { return seen_.fill.strip.camera; }
  // Over the middle of a part's bar.
  void point_at(u64 part) {
    mouse_ = {static_cast<float>(camera().x_of(static_cast<double>(part) + 0.5)) + map_left(), 300};
  }
  void click() {
    for (const bool down : {true, false}) {
      ImGui::GetIO().AddMouseButtonEvent(0, down);
      draw({{viz::fill_panel, 1600}}, 0, 2);
    }
  }

 private:
  float map_left() const {  // the camera spans the map, which ends 4 units before the panel's right edge
    const auto room = 1600.0f - static_cast<float>(camera().width());
    return room - viz::px(4) - ImGui::GetStyle().WindowPadding.x;
  }
};

TEST_F(fill_window, BucketsWithTheirLeavesAndWhatAClickShows) {
  show("PACKED", skewed(), 2'000'000'000);
  if (HasFatalFailure()) return;
  draw({{viz::fill_panel, 1600}}, 0, 60);
  picture_of({{viz::fill_panel, 1600}}, 0, "fill of skewed keys");
  ASSERT_TRUE(viz::shows_cells(camera()));
  const auto model = model_of(*shown_.index);
  const u64 part = *model->part_of(2'000'000'000, {});
  EXPECT_EQ(said("2000000000"), 1) << "the caret";
  EXPECT_EQ(said("12"), 2) << "what has room: on the map's scale, and in the histogram";
  EXPECT_TRUE(says("on average"));
  EXPECT_GE(said("L"), 1) << "a list";
  point_at(part);
  draw({{viz::fill_panel, 1600}}, 0, 90);
  EXPECT_TRUE(says("Bucket " + std::to_string(part) + " of"));
  const auto keys = model->keys_of_part(part);
  ASSERT_TRUE(keys && keys->first <= 2'000'000'000 && keys->last >= 2'000'000'000);
  EXPECT_TRUE(says(": list."));
  click();
  EXPECT_EQ(seen_.focus, viz::panel::layout);
  EXPECT_EQ(seen_.memory.array, packed_region::blocks);
  draw({{viz::layout_panel, 1600}}, 0, 60);
  EXPECT_LE(seen_.layout.upper.camera.first_visible(), part);
  EXPECT_GT(seen_.layout.upper.camera.end_visible(), part);
}

// Many: columns, and a click goes nearer. What a frame reads does not grow with them.
TEST_F(fill_window, OfManyPartsAColumnIsASample) {
  const key_array keys = *make_keys({.keys = 1 << 20, .dist = distribution::uniform}, key_width::u32);
  show("PACKED leaf=32", keys, keys[5]);
  if (HasFatalFailure()) return;
  draw({{viz::fill_panel, 1600}}, 0, 30);
  ASSERT_FALSE(viz::shows_cells(camera()));
  EXPECT_LE(seen_.fill.columns.size(), camera().width() / 2 + 1);
  u64 covered = 0;
  for (const viz::fill_column& c : seen_.fill.columns) {
    EXPECT_EQ(c.first, covered);
    EXPECT_LE(c.counted, viz::most_fill_sampled);
    EXPECT_NEAR(c.mean(), 6.5, 3.5);
    covered = c.end;
  }
  EXPECT_EQ(covered, camera().cells());
  picture_of({{viz::fill_panel, 1600}}, 0, "fill of many");
  const u64 part = camera().cells() / 3;
  point_at(part);
  draw({{viz::fill_panel, 1600}}, 0, 90);
  EXPECT_EQ(said("Click to look nearer."), 1);
  click();
  draw({{viz::fill_panel, 1600}}, 0, 90);
  EXPECT_TRUE(viz::shows_cells(camera()));
  EXPECT_LE(camera().first_visible(), part);
  EXPECT_GT(camera().end_visible(), part);
}

TEST_F(fill_window, WindowsOfATableAndIndexesWithoutParts) {
  const key_array keys = *make_keys({.keys = 600, .dist = distribution::uniform}, key_width::u32);
  show("HT+OA load=90", keys, keys[1]);
  if (HasFatalFailure()) return;
  draw({{viz::fill_panel, 1600}}, 0, 60);
  picture_of({{viz::fill_panel, 1600}}, 0, "fill of a table");
  EXPECT_TRUE(says("windows: "));
  EXPECT_TRUE(says("8 at most"));
  show("EO+BS", keys, keys[1]);
  draw({{viz::fill_panel, 1600}}, 0);
  EXPECT_TRUE(says("Cells by level"));
}

// The lookup of a leaf's first key is in doubt, and one before it goes back: the dense ones' digits differ, so equal ones do.
TEST_F(fill_window, ADoubtIsMarkedWhereItArises) {
  std::vector<u32> keys;
  for (u32 i = 0; i < 400; ++i) keys.push_back(i < 390 ? 100 * i : 1'000'000 + i);
  show("PACKED", key_array(keys), 0);
  std::optional<u64> doubtful;
  for (const u32 key : keys) {
    const auto trace = trace_lookup(*shown_.index, key);
    ASSERT_TRUE(trace.ok());
    const auto leaves = std::count_if(trace->steps.begin(), trace->steps.end(),
                                      [](const trace_step& s) { return s.next.find("one leaf back") != s.next.npos; });
    if (leaves == 1 && trace->row != not_found && trace->steps.size() == 3) doubtful = key;
  }
  ASSERT_TRUE(doubtful);
  show("PACKED", key_array(keys), *doubtful);
  const panel_list panels{{viz::tree_panel, 1200}, {viz::path_panel, 400}};
  picture_of(panels, 0, "packed in doubt");
  EXPECT_TRUE(says("the key may lie one leaf earlier."));
  EXPECT_EQ(said("?"), 1) << "on the block";
  picture_of(panels, 1, "packed in doubt at the leaf");
  EXPECT_TRUE(says("the key may lie in the leaf before."));
  EXPECT_EQ(said("?"), 2) << "and on the leaf";
  picture_of(panels, 2, "packed one leaf back");
  EXPECT_TRUE(says("Found, before the separator"));
  picture_of({{viz::layout_panel, 1200}, {viz::path_panel, 400}}, 2, "packed one leaf back in layout");
  EXPECT_EQ(said("?"), 2);
}

// A packed index's tree: as many links as blocks say, and none is drawn of what is not at hand.
TEST_F(fill_window, ATreeOfBlocksLeadsToLeaves) {
  show("PACKED", skewed(), 3'000'000'000);
  if (HasFatalFailure()) return;
  picture_of({{viz::tree_panel, 1600}}, 1, "packed path of a run");
  EXPECT_TRUE(says(" listed \u2264 key: leaf")) << "a step that compares no key says what it comes to";
  show("PACKED", dense(300), 150);
  picture_of({{viz::tree_panel, 1600}}, 1, "packed tree of leaves");
  std::vector<node_link> links;
  const auto model = model_of(*shown_.index);
  EXPECT_TRUE(model->links_of(
      model->nodes(),
      [&](region_id region, u64 byte, std::span<std::byte> out) { return shown_.index->read(region, byte, out).ok(); },
      links));
  EXPECT_EQ(links.size(), 27u) << "25 leaves, of which two are where another bucket begins, too";
}

}  // namespace
}  // namespace pivotscope
