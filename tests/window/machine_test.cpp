// The Machine panel: what is known of a machine, and its memory's floor, which is measured from there.
#include "tests/app/given_machine.hpp"
#include "tests/app/program.hpp"
#include "tests/window/text_watch.hpp"
#include "tests/window/window_driver.hpp"

namespace pivotscope {
namespace {

using viz::panel;

TEST_F(window_test, TheMachinePanelMeasuresTheFloorAndShowsIt) {
  const scratch_folder folder;
  window_options start;
  start.machines.cache_folder = (folder / "cache").string();
  start.from.open = [](machine_kind kind, const machine_options&) -> outcome<std::unique_ptr<machine>> {
    return std::unique_ptr<machine>(std::make_unique<given_machine>(kind));
  };
  open(start);
  ASSERT_TRUE(until_settled());
  perform([&](ImGuiTestContext& hand) {
    hand.WindowFocus("//Machine");
    ASSERT_TRUE(until([&] { return now().memory_benchmarks != nullptr; }));
    draw_frames(2);
    take_picture("machine-no-floor");
    hand.ItemClick(panel_item(panel::machine, "measure floor").c_str());
    ASSERT_TRUE(
        until([&] { return !now().benchmarking.running && now().memory_benchmarks->contains(machine_kind::cpu); }));
    EXPECT_EQ(now().memory_benchmarks->at(machine_kind::cpu)->name, "Given Machine");
    draw_frames(3);
    hand.MouseMoveToPos({700, 60});
    take_picture("machine-floor");
    // What a frame costs, on a cpu as on a GPU.
    EXPECT_GT(view().frame_ms.last(), 0.0f);
    text_watch watch;
    draw_frames(1);
    EXPECT_TRUE(std::any_of(watch.texts().begin(), watch.texts().end(),
                            [](const drawn_text& t) { return t.words == "a frame"; }));
  });
}

}  // namespace
}  // namespace pivotscope
