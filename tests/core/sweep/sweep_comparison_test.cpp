// Two measurements of one sweep beside each other.
#include "core/sweep/sweep_comparison.hpp"

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"

namespace pivotscope {
namespace {

sweep_point point(const std::string& row, const char* config, double ms, u64 keys = 1 << 20) {
  sweep_point made;
  made.row.id = row;
  made.row.load.keys = keys;
  if (ms <= 0) return made;
  tuned_config best{.config = *config_from_line(config), .operations = 1 << 20, .finalist = true};
  for (u32 i = 0; i < 14; ++i) best.samples_ms.push_back(ms * (1 + 0.0001 * i));
  made.ranking.push_back(best);
  return made;
}

TEST(sweep_comparison, tells_faster_slower_and_what_it_cannot_tell) {
  const std::vector<sweep_point> before = {point("a", "AO+BS", 1), point("b", "AO+BS", 1), point("c", "AO+BS", 1)};
  const std::vector<sweep_point> now = {point("a", "AO+BS", 1.001), point("b", "AO+BS", 0.9),
                                        point("c", "EO+BS", 1.25)};
  const std::vector<row_comparison> rows = compare_rows(before, now);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].said.says, speed_verdict::cannot_tell);
  EXPECT_EQ(rows[1].said.says, speed_verdict::faster);
  EXPECT_EQ(rows[2].said.says, speed_verdict::slower);
  EXPECT_EQ(rows[0].other_config, "");
  EXPECT_EQ(rows[2].other_config, "AO+BS") << "what was the best one before";
  EXPECT_NEAR(rows[2].apart(), 0.25, 1e-9);
  EXPECT_EQ(comparison_summary(rows),
            "Of 3 rows 1 can't be told apart, 1 is faster and 1 is slower; the medians are 11% apart in the middle, "
            "25% at most (c), 1 of them less than 2%.");
}

TEST(sweep_comparison, leaves_out_what_is_not_in_both) {
  const std::vector<sweep_point> before = {point("a", "AO+BS", 1), point("b", "AO+BS", 0), point("c", "AO+BS", 1, 5)};
  const std::vector<sweep_point> now = {point("b", "AO+BS", 1), point("c", "AO+BS", 1), point("d", "AO+BS", 1)};
  EXPECT_TRUE(compare_rows(before, now).empty()) << "without figures, over other keys, not measured before";
  EXPECT_EQ(comparison_summary({}), "No row has figures in both.");
}

TEST(sweep_comparison, is_of_one_sweep_at_one_scale) {
  const sweep& of = **find_sweep("lightweight-1a");
  sweep_result before{.of = of};
  EXPECT_EQ(not_comparable(before, of, 0), "");
  EXPECT_EQ(not_comparable(before, of, 3), "it was measured with --scale 0, and this is --scale 3");
  EXPECT_EQ(not_comparable(before, **find_sweep("lightweight-1b"), 0),
            "it is of lightweight-1a, and not of lightweight-1b");
}

}  // namespace
}  // namespace pivotscope
