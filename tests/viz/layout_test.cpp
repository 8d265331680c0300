// Which rows the Layout panel has, and when its cells glide.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/families/packed/directory.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"
#include "viz/layout/layout_glide.hpp"
#include "viz/layout/layout_picture.hpp"
#include "viz/layout/layout_rows.hpp"

namespace pivotscope::viz {
namespace {

using testing::config_of;

layout_picture rows_with(const char* line, u64 n) {
  layout_picture p;
  choose_rows(p, model_of(config_of(line), n));
  return p;
}

TEST(LayoutRows, AreMemoryAndAboveItWhatLeadsThere) {
  const layout_picture sorted = rows_with("EO+BS", 14);
  EXPECT_TRUE(sorted.upper_is_sorted);
  EXPECT_FALSE(sorted.upper->in_memory());
  EXPECT_EQ(sorted.upper->count(), 14u);
  EXPECT_EQ(sorted.lower->count(), 15u) << "slot 0 is empty";
  EXPECT_FALSE(sorted.rows_region);

  const layout_picture pivots = rows_with("AO+PB+BS layout=soa", 14);
  EXPECT_FALSE(pivots.upper_is_sorted);
  EXPECT_TRUE(pivots.upper->in_memory());
  EXPECT_EQ(pivots.upper->count(), 7u);
  EXPECT_EQ(pivots.upper->at(0).array, pivots.upper_region);
  EXPECT_EQ(pivots.lower->at(0).array, main_region);
  ASSERT_TRUE(pivots.rows_region);
  EXPECT_NE(*pivots.rows_region, pivots.upper_region);

  EXPECT_TRUE(rows_with("AO+PB+BS", 2).upper_is_sorted) << "one leaf, and no pivots";

  const layout_picture alone = rows_with("PLAIN", 14);
  EXPECT_FALSE(alone.upper) << "no ranks, and no other region";
  EXPECT_FALSE(alone.upper_is_sorted);
  EXPECT_EQ(alone.lower->count(), 32u);
  EXPECT_EQ(alone.lower->at(13).slot, 13u);
  EXPECT_FALSE(alone.lower->cell_of_rank(0));
  EXPECT_TRUE(alone.lower->left_ascends()) << "what is left is counted by its slots";
  EXPECT_TRUE(alone.lower->at(4).out(5, 14));
  EXPECT_FALSE(alone.lower->at(5).out(5, 14));
  EXPECT_FALSE(alone.lower->at(14).out(0, 14)) << "an empty one is never ruled out";
  EXPECT_FALSE(pivots.upper->at(0).out(0, 14));
  EXPECT_TRUE(pivots.upper->at(0).out(0, 0)) << "by its rank";
}

// The caret's lane is above the row that has the ranks: with pivots above, that is the lower one, and links keep clear of it.
TEST(LayoutRows, LieOneBelowTheOtherInAnyRoom) {
  for (const char* line : {"EO+BS", "EO+KS fanout=9 layout=soa", "AO+PB+BS", "AO+PB+KS fanout=9 layout=soa", "PLAIN"}) {
    for (const float height : {150.0f, 245.0f, 400.0f, 900.0f}) {
      SCOPED_TRACE(fmt::format("{} in {}", line, height));
      const auto model = model_of(config_of(line), 1000);
      layout_picture p;
      choose_rows(p, model);
      place_rows(p, *model, {10, 100}, {600, height});
      const bool pivots = p.upper && !p.upper_is_sorted;
      const box& first = p.upper ? p.upper_area : p.lower_area;
      EXPECT_GE(first.low.y, 100 + px(pivots ? step_lane : caret_lane));
      EXPECT_EQ(p.caret_lane, pivots ? px(caret_lane) : 0);
      EXPECT_GE(p.lower_area.height(), px(38)) << "key and row id have room";
      if (p.upper) {
        EXPECT_GE(p.upper_area.height(), px(27));
        const float links = p.lower_area.low.y - p.caret_lane - p.upper_area.high.y -
                            (pivots ? marks_height(*model) : 0) - px(overview_height + 8);
        EXPECT_GE(links, px(28) - 0.01f);
      }
      if (p.rows_region) {
        EXPECT_GE(p.rows_area.low.y, p.lower_area.high.y);
        EXPECT_GE(p.lower_marks, p.rows_area.high.y);
      }
      EXPECT_GE(p.lower_marks, p.lower_area.high.y);
      EXPECT_GE(p.ruler, p.lower_marks);
    }
  }
  // Where 1280 x 720 leaves Layout so much, all of the papers' example is seen without scrolling.
  layout_picture p;
  const auto model = model_of(config_of("AO+PB+BS"), 14);
  choose_rows(p, model);
  place_rows(p, *model, {0, 0}, {600, 245});
  EXPECT_LE(p.ruler + px(ruler_height), 245);
}

bool glide(const char* before, const char* now, u64 n = 14, u64 n_now = 14) {
  return glides(*model_of(config_of(before), n), *model_of(config_of(now), n_now));
}

TEST(LayoutGlide, IsForEntriesThatMoveOrChangeTheirColour) {
  EXPECT_TRUE(glide("EO+BS", "AO+BS"));
  EXPECT_TRUE(glide("EO+BS", "EO+KS fanout=3"));
  EXPECT_TRUE(glide("AO+BS", "AO+PB+BS")) << "in place, but all on the last level";
  EXPECT_TRUE(glide("AO+BS", "AO+KS fanout=3"));
  EXPECT_FALSE(glide("EO+BS", "EO+BS layout=soa"));
  EXPECT_FALSE(glide("EO+BS", "EO+BS pin=full threads=512"));
  EXPECT_FALSE(glide("AO+PB+BS", "AO+PB+BS pivots=1")) << "the leaves stay, and stay the last level";
  EXPECT_FALSE(glide("EO+BS", "AO+BS", 14, 15)) << "other keys";
  EXPECT_TRUE(glide("EO+BS", "AO+BS", 512, 512));
  EXPECT_FALSE(glide("EO+BS", "AO+BS", 513, 513)) << "too many";
  EXPECT_FALSE(glide("EO+BS", "PLAIN")) << "entries without ranks have no place to glide from";
}

// Of several other regions the one that the step reads is shown, and else the first: never a lesser one in its place.
TEST(LayoutRows, AreTheRegionThatIsReadOrTheFirst) {
  const auto keys = *make_keys({.keys = 3000, .dist = distribution::nested}, key_width::u32);
  const auto model = model_of(*testing::build_on_cpu(config_of("PACKED"), keys));
  ASSERT_GT(model->region(packed_region::lists).cells, 0u);
  const auto upper = [&](std::optional<region_id> wanted) {
    layout_picture p;
    choose_rows(p, model, wanted);
    return p.upper_region;
  };
  EXPECT_EQ(upper({}), packed_region::blocks);
  EXPECT_EQ(upper(packed_region::blocks), packed_region::blocks);
  EXPECT_EQ(upper(packed_region::lists), packed_region::lists);
  EXPECT_EQ(upper(main_region), packed_region::blocks);
  EXPECT_EQ(upper(packed_region::plan), packed_region::blocks) << "nothing is left of it";
}

// Every region with cells has a row or a strip, once.
TEST(LayoutRows, LeaveNoRegionOut) {
  const auto keys = *make_keys({.keys = 3000, .dist = distribution::nested}, key_width::u32);
  for (const char* line : {"PACKED", "AO+PB+BS layout=soa", "EO+BS layout=soa", "HT+OA layout=soa", "PLAIN"}) {
    const auto model = model_of(*testing::build_on_cpu(config_of(line), keys));
    for (u32 wanted = 0; wanted < model->regions().size(); ++wanted) {
      layout_picture p;
      choose_rows(p, model, region_id(wanted));
      std::vector<region_id> shown = other_regions(*model, p);
      shown.push_back(main_region);
      if (p.upper && !p.upper_is_sorted) shown.push_back(p.upper_region);
      if (p.rows_region) shown.push_back(*p.rows_region);
      for (u32 id = 0; id < model->regions().size(); ++id)
        EXPECT_EQ(std::count(shown.begin(), shown.end(), region_id(id)), model->region(region_id(id)).cells > 0 ? 1 : 0)
            << line << ": " << model->region(region_id(id)).title << " of " << wanted;
    }
  }
}

TEST(LayoutRows, AStripMarksWhatAPathReadsOfItsRegion) {
  lookup_trace trace;
  trace.steps.resize(3);
  const auto reads = [&](u32 step, region_id region, u64 slot, u32 slots, memory_space space = memory_space::global) {
    trace.steps[step].accesses.push_back({.array = region, .space = space, .slot = slot, .slots = slots});
  };
  reads(0, region_id{1}, 5, 1), reads(1, region_id{2}, 7, 2), reads(1, region_id{2}, 3, 1, memory_space::scratch);
  reads(2, region_id{2}, 9, 1);
  const auto marks = reads_of_region(trace, 1, region_id{2});
  ASSERT_EQ(marks.size(), 2u) << "two cells of one load; none of scratch, and none that is still ahead";
  EXPECT_EQ(marks[0].cell, 7u);
  EXPECT_EQ(marks[1].cell, 8u);
  EXPECT_EQ(marks[0].mark, read_mark::now);
  EXPECT_EQ(reads_of_region(trace, 2, region_id{2}).front().mark, read_mark::before);
  EXPECT_EQ(reads_of_region(trace, 9, region_id{2}).size(), 3u) << "past the last step";
}

}  // namespace
}  // namespace pivotscope::viz
