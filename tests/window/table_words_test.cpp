// A hash table in its own words: the home window, windows that are full, keys that are others; and the windows of a lookup side
// by side, however far apart they lie.
#include <algorithm>
#include <cmath>

#include "core/index/config_text.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/layout/layout_windows.hpp"

namespace pivotscope {
namespace {

using viz::panel;

class table_window : public window_test {
 protected:
  // Looks for a key whose search comes to so many windows.
  void find_chain(u32 least, u32 most) {
    for (u64 key = 7; key < 60000; key += 149) {
      state().choose_key(key);
      ASSERT_TRUE(until_settled());
      if (steps() >= least && steps() <= most) return;
    }
    FAIL() << "no chain of " << least << " to " << most << " windows";
  }
  std::size_t said(panel which, const std::string& part) {
    return static_cast<std::size_t>(std::ranges::count_if(watch_.texts(), [&](const drawn_text& t) {
      return t.window == viz::name_of(which) && t.words.find(part) != std::string::npos;
    }));
  }
  bool is_drawn(panel which, const std::string& words) {
    return std::ranges::any_of(watch_.texts(), [&](const drawn_text& t) {
      return t.window == viz::name_of(which) && t.words == words && !t.hidden() && !t.cut();
    });
  }
};

TEST_F(table_window, HasNoWordsOfATree) {
  window_options start;
  start.config = *config_from_line("HT+OA probing=linear load=95 window=4 lanes=1");
  start.load = {.keys = 1 << 16, .dist = distribution::dense, .lookups = 64};
  open(start, 1280, 720);
  ASSERT_TRUE(until_settled());
  ASSERT_NO_FATAL_FAILURE(find_chain(12, 40));
  view().transport.step = 0;
  draw_frames(6);
  EXPECT_TRUE(said(panel::path, "home window ")) << "where the search begins";
  EXPECT_TRUE(said(panel::path, "The hash of ")) << "and why";
  EXPECT_TRUE(said(panel::path, "full"));
  for (const panel which : {panel::tree, panel::layout, panel::path}) {
    EXPECT_EQ(said(which, "level"), 0u) << viz::name_of(which);
    EXPECT_EQ(said(which, " left"), 0u) << viz::name_of(which);
    EXPECT_EQ(said(which, "<") + said(which, ">"), 0u) << viz::name_of(which);
  }
  take_picture("table-chain");

  // Each window of the way has its number, a disc's width and more from the next.
  const std::vector<viz::probe_stop> stops = viz::probe_stops(*view().layout.model, now().path->trace);
  ASSERT_GE(stops.size(), 12u);
  const viz::strip_camera& camera = view().layout.upper.camera;
  EXPECT_TRUE(camera.shows_all() || camera.cell_width() >= viz::px(6));
  for (u32 s = 0; s < steps(); ++s) {
    view().transport.step = s;
    draw_frames(3);
    EXPECT_TRUE(is_drawn(panel::layout, std::to_string(s + 1))) << "step " << s;
  }
  // Nearer, each key that is read is another one.
  view().transport.step = 0;
  view().layout.upper.camera.go_to(0, 20);
  draw_frames(40);
  EXPECT_GT(said(panel::layout, "\u2260"), 0u);
  EXPECT_EQ(said(panel::layout, "<") + said(panel::layout, ">"), 0u);
  take_picture("table-chain-near");
}

TEST_F(table_window, BreaksTheAxisBetweenWindowsThatLieApart) {
  window_options start;
  start.config = *config_from_line("HT+OA probing=double load=95 window=4 lanes=1");
  start.load = {.keys = 1 << 16, .dist = distribution::dense, .lookups = 64};
  open(start, 1280, 720);
  ASSERT_TRUE(until_settled());
  ASSERT_NO_FATAL_FAILURE(find_chain(3, 4));
  view().transport.step = 1;
  draw_frames(6);
  EXPECT_TRUE(view().layout.upper.camera.shows_all());
  for (u32 s = 0; s < steps(); ++s) EXPECT_TRUE(is_drawn(panel::layout, std::to_string(s + 1))) << "step " << s;
  take_picture("table-apart");
  // Without a lookup there is the table alone; while the whole table can be read, too.
  state().choose_workload({.keys = 12, .dist = distribution::dense, .lookups = 64});
  state().choose_key(9);
  ASSERT_TRUE(until_settled());
  draw_frames(3);
  EXPECT_TRUE(is_drawn(panel::layout, "9"));
  take_picture("table-small");
}

}  // namespace
}  // namespace pivotscope
