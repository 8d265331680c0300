// A path in Layout: what it has in hand, what its steps change, and the view that follows it; keys in cells of a few pixels.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <map>

#include "core/index/config_text.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/parts/key_label.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class layout_path : public window_test {
 protected:
  void show(const char* line, u64 keys, distribution kind = distribution::uniform) {
    if (bench_) close();
    window_options start;
    start.config = *config_from_line(line);
    start.load = {.keys = keys, .dist = kind, .lookups = 64};
    open(start, 1280, 720);
    ASSERT_TRUE(until_settled());
    view().preset = 1, view().reset_layout = true;
    view().focus = panel::layout;
    draw_frames(8);
  }
  void go_through_steps(const std::function<void()>& look) {
    for (u32 s = 0; s < steps(); ++s) {
      view().transport.step = s;
      draw_frames(40);
      look();
    }
  }
  void switch_following() {
    perform([&](ImGuiTestContext& hand) { hand.ItemClick(panel_item(panel::layout, "follow").c_str()); });
  }
  bool says(panel which, const std::string& part) {
    return std::ranges::any_of(watch_.texts(), [&](const drawn_text& t) {
      return t.window == viz::name_of(which) && t.words.find(part) != std::string::npos && !t.hidden() && !t.cut();
    });
  }
};

TEST_F(layout_path, AnInsertHasItsEntryInHandUntilACellTakesIt) {
  ASSERT_NO_FATAL_FAILURE(show("HT+OA load=95 window=4", 14, distribution::paper));
  for (u64 key = 20; key < 90 && steps() < 3; ++key) {
    state().choose_key(question(operation::insert, key));
    ASSERT_TRUE(until_settled());
  }
  ASSERT_GE(steps(), 2u);
  view().motion = true;
  const std::string entry = fmt::format("entry {}, row 14", now().choice.key->key);
  for (u32 s = 0; s < steps(); ++s) {
    view().transport.step = s;
    draw_frames(3);
    EXPECT_TRUE(says(panel::layout, "in hand: " + entry)) << s;
    EXPECT_TRUE(says(panel::path, entry)) << s;
  }
  take_picture("insert-in-hand");
  // The last step writes: for a moment that is seen, and again when it is taken back.
  ASSERT_EQ(view().transport.change.cells.size(), 1u);
  const cell_ref cell = view().transport.change.cells.front();
  EXPECT_EQ(cell.region, main_region);
  EXPECT_EQ(cell.cell, now().path->trace.steps.back().changed.front().slot);
  draw_frames(60);
  view().transport.step = 0;
  draw_frames(2);
  EXPECT_EQ(view().transport.change.cells, (std::vector<cell_ref>{cell}));
  EXPECT_GE(view().transport.change.at, 0);
  view().motion = false;
  view().transport.step = steps() - 1;
  draw_frames(2);
  EXPECT_EQ(view().transport.change.step, steps() - 1) << "without motion nothing lights up, and the marks stay";
  EXPECT_TRUE(says(panel::layout, "\u2192 row 14"));
}

TEST_F(layout_path, ADirectorysStepHasALeafInHand) {
  ASSERT_NO_FATAL_FAILURE(show("PACKED", 3000, distribution::nested));
  draw_frames(4);
  EXPECT_TRUE(says(panel::layout, "in hand: leaf "));
  take_picture("leaf-in-hand");
  EXPECT_GE(now().path->trace.steps.size(), 2u);
  view().transport.step = steps() - 1;
  draw_frames(3);
  EXPECT_FALSE(says(panel::layout, "in hand"));
}

TEST_F(layout_path, TheViewFollowsThePathWhereItIsAskedTo) {
  for (const char* line : {"EO+BS", "HT+OA lanes=1", "PACKED", "PLAIN"}) {
    SCOPED_TRACE(line);
    ASSERT_NO_FATAL_FAILURE(show(line, line[1] == 'L' ? 2000 : 1 << 20));
    const double far = view().layout.lower.camera.cell_width();
    go_through_steps([&] { EXPECT_EQ(view().layout.lower.camera.cell_width(), far) << "it stays as it is"; });
    switch_following();
    ASSERT_TRUE(view().layout.follow);
    u64 near = 0;
    go_through_steps([&] {
      for (const memory_access& a : now().path->trace.steps[view().transport.step].accesses) {
        if (a.array != main_region || a.space != memory_space::global) continue;
        const viz::strip_camera& camera = view().layout.lower.camera;
        EXPECT_GE(camera.cell_width(), viz::px(viz::least_key_cell));
        EXPECT_GE(a.slot + a.slots, camera.first_visible()) << view().transport.step;
        EXPECT_LE(a.slot, camera.end_visible());
        ++near;
      }
    });
    EXPECT_GT(near, 0u);
    take_picture(fmt::format("followed-{}", line[0]));
    switch_following();
    EXPECT_FALSE(view().layout.follow);
  }
}

// Cells of a few pixels have their keys' digits one below the other.
TEST_F(layout_path, CellsOfAFewPixelsShowTheirKeys) {
  for (const char* line : {"EO+BS", "HT+OA", "PACKED"}) {
    ASSERT_NO_FATAL_FAILURE(show(line, 3000));
    for (const double wide : {6.5, 8.0, 11.0, 13.5}) {
      SCOPED_TRACE(fmt::format("{}, {} pixels", line, wide));
      viz::strip_camera& camera = view().layout.lower.camera;
      camera.go_to(400, 400 + camera.width() / wide);
      draw_frames(40);
      ASSERT_NEAR(camera.cell_width(), wide, 0.6);
      // By column, from top to bottom.
      std::map<int, std::map<float, std::string>> columns;
      for (const drawn_text& t : watch_.texts())
        if (t.window == "Layout" && t.size == viz::px(8) && !t.hidden())
          columns[static_cast<int>(std::lround(t.box.GetCenter().x))][t.box.Min.y] = t.words;
      u64 read = 0;
      for (const auto& [x, signs] : columns) {
        std::string words;
        for (const auto& [y, sign] : signs) words += sign;
        EXPECT_GE(words.size(), 2u) << x;
        ++read;
      }
      EXPECT_GT(read, 30u);
    }
    take_picture(fmt::format("narrow-cells-{}", line[0]));
  }
}

}  // namespace
}  // namespace pivotscope
