#include "core/sweep/measured_curves.hpp"

#include <gtest/gtest.h>

#include "core/common/whole_file.hpp"
#include "core/sweep/plot_lines.hpp"
#include "tests/support/places.hpp"

namespace pivotscope {
namespace {

std::string contents(const char* file) {
  std::string text;
  EXPECT_EQ(read_whole_file(testing::source_folder() / file, text), 0) << file;
  return text;
}

const sweep& the(const char* name) { return **find_sweep(name); }

TEST(measured_curves, are_those_of_the_repository) {
  for (const auto& [file, device] : {std::pair("docs/figures/lightweight/one-visit/20a.csv", "H100"),
                                     std::pair("docs/figures/lightweight/h200-scale-2/20a.csv", "H200")}) {
    SCOPED_TRACE(file);
    const outcome<measured_curves> curves = curves_from_csv(the("lightweight-20a"), contents(file), "unknown");
    ASSERT_TRUE(curves.ok()) << curves.error().words;
    EXPECT_EQ(curves->device, device);
    // The H200 was measured before there was HT+BUCKET, both before there was BTREE.
    const bool all = curves->device == "H100";
    EXPECT_EQ(curves->points.size(), all ? 140u : 112u);
    for (const plot_line& line : plot_lines(the("lightweight-20a"), curves->points))
      EXPECT_EQ(line.dots.size(),
                (all || !line.series.starts_with("HT (buckets)")) && !line.series.starts_with("B+") ? 14u : 0u)
          << line.series;
  }
  std::string text = contents("docs/figures/gph/gph-10.csv");
  const outcome<measured_curves> of_ours = curves_from_csv(the("gph-10"), text, "another");
  ASSERT_TRUE(of_ours.ok());
  EXPECT_EQ(of_ours->device, "H200");
  const std::size_t column = text.find(",device,");
  ASSERT_NE(column, text.npos);
  text.replace(column, 8, ",nothing,");
  const outcome<measured_curves> old = curves_from_csv(the("gph-10"), text, "H300");
  ASSERT_TRUE(old.ok());
  EXPECT_EQ(old->device, "H300") << "which that file does not say";
  EXPECT_EQ(old->points.size(), 35u);
}

TEST(measured_curves, have_the_figures_that_the_file_has) {
  const outcome<measured_curves> curves =
      curves_from_csv(the("lightweight-20a"), contents("docs/figures/lightweight/one-visit/20a.csv"), "H100");
  ASSERT_TRUE(curves.ok());
  const sweep_point& first = curves->points.front();
  EXPECT_EQ(first.row.id, "HT (open) 50% at 2^15");
  EXPECT_EQ(first.row.load.keys, 1u << 13);
  EXPECT_NEAR(first.best()->rate(), 8.49496e10, 1e5);
  EXPECT_NEAR(first.best()->rate_at(0.25), (8.50134e10 + 8.49496e10) / 2, 1e8);
  EXPECT_EQ(first.best()->index_bytes, 131072u);
  // As many lookups as one's own rows have, so that a batch's time can stand beside them.
  const std::vector<sweep_point> mine = for_as_many(*curves, the("lightweight-20a"), 14);
  EXPECT_EQ(mine.front().best()->operations, 1u << 13);
  EXPECT_NEAR(mine.front().median_ms(), 0.394992 / (1 << 12), 1e-7);
  EXPECT_NEAR(mine.front().best()->rate(), first.best()->rate(), 1);
}

TEST(measured_curves, of_another_text_are_a_problem) {
  EXPECT_FALSE(curves_from_csv(the("lightweight-20a"), "", "x").ok());
  EXPECT_EQ(curves_from_csv(the("lightweight-20a"), "a,b\n1,2\n", "x").error().words, "it has no column row");
  const outcome<measured_curves> none =
      curves_from_csv(the("lightweight-20a"),
                      "row,workload,operations,config,per_second,index_bytes\nno such row,x,1,AO+BS,1,1\n", "x");
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->points.empty());
}

}  // namespace
}  // namespace pivotscope
