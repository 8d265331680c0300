// The windows of a lookup as a row: every cell of every window once, in the order of memory, and gaps between those that lie apart.
#include "viz/cells/window_row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/support/build_index.hpp"
#include "viz/layout/layout_picture.hpp"
#include "viz/layout/layout_windows.hpp"

namespace pivotscope::viz {
namespace {

using testing::config_of;

TEST(WindowRow, HasEveryCellOfItsWindowsOnceAndGapsBetweenThem) {
  std::mt19937_64 random(7);
  for (const char* line : {"HT+OA", "HT+OA window=1 lanes=1", "HT+OA window=4 lanes=2 layout=soa"}) {
    const auto model = model_of(config_of(line), 3000);
    const probe_windows all = *model->windows();
    for (int run = 0; run < 200; ++run) {
      std::set<u64> windows;
      const u64 around = random() % 3, most = 1 + random() % 12, spread = 1 + random() % all.count;
      while (windows.size() < std::min(most, spread)) windows.insert(random() % spread);
      std::vector<u64> asked(windows.begin(), windows.end());
      std::shuffle(asked.begin(), asked.end(), random);
      const window_row row(model, asked, around);
      std::set<u64> slots;
      u64 last = 0;
      for (u64 cell = 0; cell < row.count(); ++cell) {
        if (!row.there(cell)) continue;
        const cell_place place = row.at(cell);
        ASSERT_EQ(place.array, main_region);
        ASSERT_TRUE(slots.empty() || place.slot > last) << "in the order of memory";
        slots.insert(last = place.slot);
        ASSERT_EQ(row.cell_of_slot(main_region, place.slot), cell) << "there and back";
      }
      for (u64 window = 0; window < all.count; ++window) {
        const bool near = std::any_of(windows.begin(), windows.end(),
                                      [&](u64 w) { return w <= window + around && window <= w + around; });
        const std::optional<u64> first = row.cell_of_window(window);
        if (near) {
          ASSERT_TRUE(first) << line << " window " << window;
        }
        for (u64 i = 0; first && i < all.cells; ++i) ASSERT_EQ(row.at(*first + i).slot, window * all.cells + i);
        ASSERT_EQ(first.has_value(), slots.contains(window * all.cells));
      }
      for (std::size_t i = 1; i < row.runs().size(); ++i)
        ASSERT_GT(row.runs()[i].first, row.runs()[i - 1].end() + 1) << "one window alone is shown, not left out";
      u64 counts[max_levels];
      row.count_levels(0, row.count(), counts);
      ASSERT_EQ(counts[0], slots.size());
    }
  }
}

TEST(WindowRow, IsAboveTheTableWhereNothingElseIs) {
  const u64 windows[] = {3, 50};
  layout_picture p;
  auto model = model_of(config_of("HT+OA"), 3000);
  choose_rows(p, model);
  add_windows(p, model, windows);
  ASSERT_TRUE(p.windows);
  EXPECT_EQ(p.upper.get(), p.windows);
  EXPECT_FALSE(p.upper_is_sorted);
  for (const float height : {245.0f, 400.0f, 900.0f}) {
    place_rows(p, *model, {10, 100}, {600, height});
    EXPECT_GE(p.upper_area.low.y, 100 + px(36)) << "the way from window to window has room";
    EXPECT_GE(p.lower_area.low.y, p.upper_marks + marks_height(*model) + px(overview_height));
    EXPECT_EQ(p.caret_lane, 0);
  }
  layout_picture none;
  choose_rows(none, model);
  add_windows(none, model, {});
  EXPECT_FALSE(none.upper);
  layout_picture ordered;
  model = model_of(config_of("EO+BS"), 3000);
  choose_rows(ordered, model);
  add_windows(ordered, model, windows);
  EXPECT_FALSE(ordered.windows) << "the sorted keys stay";
}

TEST(WindowRow, FullWindowsFormClustersWhereASearchGoesOnToTheNext) {
  EXPECT_TRUE(forms_clusters(*model_of(config_of("HT+OA probing=linear"), 3000)));
  EXPECT_FALSE(forms_clusters(*model_of(config_of("HT+OA probing=quadratic"), 3000)));
  EXPECT_FALSE(forms_clusters(*model_of(config_of("HT+OA probing=double"), 3000)));
  EXPECT_FALSE(forms_clusters(*model_of(config_of("EO+BS"), 3000)));
}

TEST(StepWords, AreThoseOfTheIndex) {
  std::vector<u32> keys;
  for (u32 i = 0; i < 400; ++i) keys.push_back(i * 3);
  const auto words_of = [](const built_index& index, u64 key) {
    std::vector<std::string> words;
    const lookup_trace trace = *trace_of(index, question(key));
    for (const trace_step& step : trace.steps) words.push_back(step.where + ", " + step.left);
    return words;
  };
  const auto index_of = [&](const char* line) { return testing::build_on_cpu(config_of(line), key_array(keys)); };
  const std::vector<std::string> ordered = words_of(*index_of("EO+BS"), 0);
  EXPECT_TRUE(ordered.front().starts_with("level 0, ") && ordered.front().ends_with(" left")) << ordered.front();
  EXPECT_EQ(words_of(*index_of("PLAIN"), 1).front(), "slots 0 to 31, 368 left");
  const auto table = index_of("HT+OA probing=linear load=90 window=4 lanes=1");
  bool chained = false;
  for (u64 key = 0; key < 1200; ++key) {
    const std::vector<std::string> words = words_of(*table, key);
    ASSERT_TRUE(words.front().starts_with("home window ")) << words.front();
    ASSERT_TRUE(words.back().ends_with(key % 3 == 0 ? ", found" : ", has room")) << words.back();
    for (std::size_t i = 0; i + 1 < words.size(); ++i) ASSERT_TRUE(words[i].ends_with(", full")) << words[i];
    for (std::size_t i = 1; i < words.size(); ++i) ASSERT_TRUE(words[i].starts_with("window ")) << words[i];
    chained |= words.size() > 3;
  }
  EXPECT_TRUE(chained) << "a long chain is among them";
  EXPECT_EQ(model_of(config_of("EO+BS"), 14)->level_words(2), "level 2");
  EXPECT_EQ(model_of(config_of("HT+OA"), 14)->level_words(0), "windows");
  EXPECT_EQ(model_of(config_of("PLAIN"), 14)->level_words(0), "runs");
}

}  // namespace
}  // namespace pivotscope::viz
