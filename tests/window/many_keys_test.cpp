// The window over many keys: the batch run and timed, the layout from the whole array down to a sector. On a GPU 2^28 of
// them, skipped where there is none; its OpenGL may be the GPU's own or another's, nothing of it is shared with CUDA.
#include <fmt/format.h>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "tests/support/build_index.hpp"
#include "tests/window/window_driver.hpp"
#include "viz/parts/strip.hpp"

namespace pivotscope {
namespace {

using testing::config_of;
using viz::panel;

class window_of_many_keys : public window_test {
 protected:
  void is_live_from_the_whole_array_down_to_a_sector(machine_kind kind, u32 levels, u64 lookups);
  u64 cells_in_view() {
    const viz::strip_camera& camera = view().layout.lower.camera;
    return camera.end_visible() - camera.first_visible();
  }
};

void window_of_many_keys::is_live_from_the_whole_array_down_to_a_sector(machine_kind kind, u32 levels, u64 lookups) {
  const auto picture = [&](const char* what) {
    take_picture(fmt::format("{}-2^{}-{}", kind == machine_kind::cuda ? "gpu" : "cpu", levels, what));
  };
  window_options start;
  start.machine = kind;
  start.config = config_of("EO+BS");
  start.load = workload{.keys = 1ull << levels, .dist = distribution::uniform, .lookups = lookups};
  open(start);
  ASSERT_TRUE(until_settled());
  EXPECT_EQ(now().index->kind(), kind);
  EXPECT_EQ(now().runs->back().record.check.checked, lookups);
  EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
  EXPECT_GE(steps(), levels - 12) << "few keys lie near the root";
  picture("learn");

  view().preset = 2;
  view().reset_layout = true;
  draw_frames(8);
  perform([&](ImGuiTestContext& hand) {
    hand.ItemClick(panel_item(panel::timings, "measure").c_str());
    ASSERT_TRUE(until([&] { return now().runs->back().origin == viz::provenance::measured && !now().job.running; }));
  });
  EXPECT_EQ(now().runs->back().record.check.wrong, 0u);
  picture("measured");

  view().preset = 1;
  view().reset_layout = true;
  draw_frames(8);
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Layout");
    hand.KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
    ASSERT_TRUE(until([&] { return view().layout.lower.camera.shows_all(); }));
    picture("whole");
    hand.KeyPress(ImGuiKey_End);
    hand.MouseMove("//Layout/lower");
    for (int turns = 0; cells_in_view() > 1 << 14 && turns < 100; ++turns) hand.MouseWheelY(2);
    picture("nearer");
    for (int turns = 0; cells_in_view() > 32 && turns < 100; ++turns) hand.MouseWheelY(2);
    EXPECT_LE(cells_in_view(), 32u) << "four entries of 8 bytes are a sector";
    draw_frames(60);  // what is in view comes from the machine by pages
    picture("sector");
  });
}

TEST_F(window_of_many_keys, OnTheCpu) { is_live_from_the_whole_array_down_to_a_sector(machine_kind::cpu, 20, 1 << 16); }

TEST_F(window_of_many_keys, OnAGpu) {
  const auto gpu = open_machine(machine_kind::cuda);
  if (!gpu) GTEST_SKIP() << gpu.error().words;
  is_live_from_the_whole_array_down_to_a_sector(machine_kind::cuda, 28, 1 << 27);
}

}  // namespace
}  // namespace pivotscope
