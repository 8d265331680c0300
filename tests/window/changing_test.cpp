// Views of an index that changed, and of a write: panels drawn without a session, over an index that a script made.
#include <fmt/format.h>

#include <algorithm>

#include "core/machine/machine.hpp"
#include "core/workload/script_text.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/plain_windows.hpp"
#include "tests/window/panels_alone.hpp"
#include "viz/panels/panels.hpp"

namespace pivotscope {
namespace {

class changing_window : public panels_alone {
 protected:
  // The index that the script's batches leave of these keys.
  void change(const char* line, const key_array& keys, const char* text) {
    const auto on = open_machine(machine_kind::cpu);
    shown_.choice.config = testing::config_of(line);
    std::shared_ptr<const built_index> index = testing::build_on_cpu(shown_.choice.config, keys);
    const script s = *script_from_text(text, shown_.choice.config.keys);
    for (u64 b = 0; b < s.batches().size(); ++b) {
      outcome<update_result> done = (*on)->update(*index, s, b, {}, {});
      ASSERT_TRUE(done) << done.error().words;
      index = done->index;
    }
    shown_.index = index;
    shown_.runs = std::make_shared<const std::vector<viz::session_run>>();
  }
  void walk(outcome<lookup_trace> trace) {
    ASSERT_TRUE(trace) << trace.error().words;
    shown_.path = std::make_shared<const viz::path_data>(viz::path_data{shown_.index, std::move(*trace)});
    shown_.choice.key = shown_.path->trace.key;
  }
};

key_array twice(u32 n) {
  std::vector<u32> keys(n);
  for (u32 i = 0; i < n; ++i) keys[i] = 2 * i;
  return key_array(keys);
}

TEST_F(changing_window, TombstonesAreStruckOutInEveryView) {
  change("PLAIN", twice(14), "erase 4\nerase 6\nerase 20\ninsert 99\nerase 24\n");
  walk(trace_lookup(*shown_.index, 20));
  picture_of({{viz::layout_panel, 1100}, {viz::path_panel, 500}}, 0, "tombstones");
  EXPECT_EQ(said("4 passed over"), 1);
  EXPECT_EQ(said("\u00D7"), 4) << "below the cells";
  picture_of({{viz::layout_panel, 1600}}, 0, "tombstones wide");
  EXPECT_EQ(said("erased"), 4) << "in place of row ids";
  EXPECT_GE(said("20"), 1) << "an erased cell keeps its key";
  picture_of({{viz::memory_panel, 800}, {viz::tree_panel, 800}}, 0, "tombstones in memory");
}

// From afar a column shows what a page of its cells is: live above, erased below, and nothing where they are empty.
TEST_F(changing_window, TombstonesAreSeenFromAfar) {
  std::string text;
  for (u32 i = 0; i < 60000; ++i)
    if (i % 4 == 0 || (i > 20000 && i < 30000)) text += "erase " + std::to_string(2 * i) + "\n";
  change("PLAIN", twice(60000), text.c_str());
  picture_of({{viz::layout_panel, 1600}}, 0, "tombstones from afar");
  const auto& blocks = seen_.layout.lower.blocks;
  const auto erased = [&](float from, float to) {
    double area = 0;
    for (const viz::strip_state::block& b : blocks)
      if (b.erased) area += std::max(0.0f, std::min(b.x1, to) - std::max(b.x0, from)) * (b.y1 - b.y0);
    return area / (to - from) / 72;  // of the strip's height, about
  };
  const auto width = static_cast<float>(seen_.layout.lower.camera.width());
  EXPECT_NEAR(erased(width * 0.05f, width * 0.3f), 0.25, 0.05);
  EXPECT_NEAR(erased(width * 0.36f, width * 0.48f), 1, 0.1);
}

TEST_F(changing_window, AWriteShowsWhatWasThereAndWhatIsThereNow) {
  change("PLAIN", twice(14), "erase 6\n");
  walk(trace_write(*shown_.index, operation::insert, 9));
  picture_of({{viz::layout_panel, 1100}, {viz::path_panel, 500}}, 0, "insert");
  EXPECT_GE(said("empty \u2192 row 14"), 2) << "in Path, and below the cell";
  EXPECT_EQ(said("9"), 4) << "looked for, and in the cell beside its row id's and its slot's number";
  EXPECT_EQ(said("none \u2192 9"), 1);
  picture_of({{viz::memory_panel, 1100}, {viz::path_panel, 500}}, 0, "insert in memory");
  EXPECT_GE(said("9"), 1);
  walk(trace_write(*shown_.index, operation::erase, 8));
  picture_of({{viz::layout_panel, 1100}, {viz::path_panel, 500}}, 0, "erase");
  EXPECT_GE(said("row 4 \u2192 erased"), 2);
  picture_of({{viz::memory_panel, 1100}, {viz::tree_panel, 500}}, 0, "erase in memory");
}

// PLAIN's steps as windows; what a table's own model says is drawn the same way.
TEST_F(changing_window, WindowsAndTheKeysWayThroughThem) {
  change("PLAIN", twice(120), "erase 8\nerase 66\nerase 100\n");
  shown_.choice.load = {.keys = 120, .dist = distribution::dense, .lookups = 512, .hits = 0.7};
  seen_.model = std::make_shared<const testing::plain_windows>(model_of(*shown_.index));
  seen_.modelled = shown_.index;
  walk(trace_lookup(*shown_.index, 140));
  ASSERT_EQ(shown_.path->trace.steps.size(), 3u);
  draw({{viz::layout_panel, 1100}, {viz::probes_panel, 500}}, 1, 60);
  picture_of({{viz::layout_panel, 1100}, {viz::probes_panel, 500}}, 1, "windows");
  EXPECT_EQ(said("window 2"), 1);
  EXPECT_EQ(said("All cells are counted."), 1);
  EXPECT_EQ(said("3, 2%"), 1) << "erased";
  EXPECT_EQ(said("The batch's first 512 lookups, traced."), 1);
  seen_.layout.lower.camera.go_to(40, 60);
  draw({{viz::layout_panel, 1100}, {viz::probes_panel, 500}}, 1, 60);
  picture_of({{viz::layout_panel, 1100}, {viz::probes_panel, 500}}, 1, "windows near");
}

// A full table: its searches go on.
TEST_F(changing_window, ATableHasWindowsAndTombstones) {
  const workload load{.keys = 60, .dist = distribution::uniform, .lookups = 512};
  const key_array keys = *make_keys(load, key_width::u32);
  std::string text;
  for (u32 i = 0; i < 60; i += 5) text += fmt::format("erase {}\n", keys[i]);
  for (const bool soa : {false, true}) {
    SCOPED_TRACE(soa);
    change(soa ? "HT+OA load=90 layout=soa" : "HT+OA load=90", keys, text.c_str());
    if (HasFatalFailure()) return;
    shown_.choice.load = load;
    u64 far = keys[1];  // whose search goes furthest
    for (u32 i = 0; i < 60; ++i)
      if (trace_lookup(*shown_.index, keys[i])->steps.size() > trace_lookup(*shown_.index, far)->steps.size())
        far = keys[i];
    walk(trace_lookup(*shown_.index, far));
    const auto last = static_cast<u32>(shown_.path->trace.steps.size() - 1);
    draw({{viz::layout_panel, 1100}, {viz::probes_panel, 500}}, last, 60);
    const std::string name = soa ? "table of two arrays" : "table";
    picture_of({{viz::layout_panel, 1100}, {viz::probes_panel, 500}}, last, name);
    EXPECT_EQ(said("All cells are counted."), 1);
    picture_of({{viz::memory_panel, 800}, {viz::path_panel, 400}, {viz::tree_panel, 400}}, last, name + " in memory");
    walk(trace_write(*shown_.index, operation::insert, 77));
    const auto end = static_cast<u32>(shown_.path->trace.steps.size() - 1);
    picture_of({{viz::layout_panel, 1100}, {viz::path_panel, 500}}, end, name + " insert");
    EXPECT_GE(said("empty \u2192 row 60"), 1);
  }
}

}  // namespace
}  // namespace pivotscope
