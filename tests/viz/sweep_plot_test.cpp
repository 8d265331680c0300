// No two series of a plot are alike, in either theme.
#include "viz/parts/sweep_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "core/sweep/sweep_svg.hpp"
#include "viz/theme/theme.hpp"

namespace pivotscope::viz {
namespace {

double away(ImU32 a, ImU32 b) {
  double sum = 0;
  for (const int shift : {0, 8, 16}) {
    const double d = static_cast<double>(a >> shift & 255) - static_cast<double>(b >> shift & 255);
    sum += d * d;
  }
  return std::sqrt(sum);
}

TEST(series, are_told_apart_by_colour_mark_and_dashes) {
  ImGuiContext* const context = ImGui::CreateContext();
  for (const bool light : {false, true}) {
    set_theme(light);
    std::set<std::tuple<ImU32, u32, u32>> seen;
    for (std::size_t i = 0; i < 24; ++i) {
      EXPECT_TRUE(seen.insert({ink_of_series(i), style_of_series(i).shape, dashes_of_series(i)}).second) << i;
      EXPECT_GE(contrast(ink_of_series(i), theme().panel), 3) << i;
      for (std::size_t j = 0; j < i && i < 8; ++j)
        EXPECT_GE(away(ink_of_series(i), ink_of_series(j)), 40) << i << " and " << j << (light ? " light" : " dark");
    }
  }
  set_theme(false);
  ImGui::DestroyContext(context);
}

}  // namespace
}  // namespace pivotscope::viz
