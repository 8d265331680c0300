// The camera under any moves: what it says is in view against a loop over all cells, and its invariants.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "viz/cells/camera.hpp"

namespace pivotscope::viz {
namespace {

void expect_sound(const strip_camera& camera, double widest) {
  const double cells = static_cast<double>(camera.cells()), width = camera.width(), scale = camera.cell_width();
  const double whole = std::min(widest, width / cells);
  ASSERT_GE(scale, whole * (1 - 1e-12)) << "never smaller than all of it";
  ASSERT_LE(scale, std::max(whole, 0.9 * width) * (1 + 1e-12)) << "at most one cell fills the view";
  ASSERT_GE(camera.left(), 0);
  ASSERT_LE(camera.left() * scale, std::max(0.0, cells * scale - width) + 1e-6);
  ASSERT_EQ(camera.shows_all(), scale <= whole * (1 + 1e-9));
  const double margin = std::max(0.0, (width - cells * scale) / 2);
  ASSERT_NEAR(camera.x_of(camera.left()), margin, 1e-6);
  for (const double x : {0.0, width / 3, width}) ASSERT_NEAR(camera.x_of(camera.cell_at(x)), x, 1e-6);
  ASSERT_NEAR(camera.x_of(camera.left() + 1) - camera.x_of(camera.left()), scale, 1e-6);
  u64 first = camera.cells(), end = 0;  // cells with a part in (0, width), with a little room for rounding
  for (u64 cell = 0; cell < camera.cells(); ++cell) {
    const double from = camera.x_of(static_cast<double>(cell)), to = camera.x_of(static_cast<double>(cell + 1));
    if (to > 1e-6 && from < width - 1e-6) first = std::min(first, cell), end = cell + 1;
  }
  ASSERT_LE(camera.first_visible(), first);
  ASSERT_GE(camera.end_visible(), end);
  ASSERT_LE(first - camera.first_visible(), 1u) << "no more than a rounded edge";
  ASSERT_LE(camera.end_visible() - end, 1u);
  ASSERT_LE(camera.end_visible(), camera.cells());
}

TEST(CameraByLoop, AnyMovesKeepItSound) {
  std::mt19937_64 random(7);
  const auto up_to = [&](double greatest) { return std::uniform_real_distribution<double>(0, greatest)(random); };
  for (int run = 0; run < 150; ++run) {
    const u64 cells = 1 + random() % 300;
    const double width = 50 + up_to(900), widest = 10 + up_to(80);
    strip_camera camera;
    camera.set_extent(cells, width, widest);
    ASSERT_TRUE(camera.shows_all());
    for (int move = 0; move < 15; ++move) {
      const double x = up_to(width), before = camera.cell_at(x), left = camera.left(), scale = camera.cell_width();
      const double n = static_cast<double>(cells);
      switch (random() % 5) {
        case 0: {
          const double factor = std::exp(up_to(4) - 2);
          camera.zoom_at(x, factor);
          const double in_view = width / camera.cell_width();
          const bool at_an_end = camera.left() == 0 || std::abs(camera.left() + in_view - n) < 1e-9;
          if (!at_an_end) {
            ASSERT_NEAR(camera.cell_at(x), before, 1e-6) << "the cell under the mouse stays";
          }
          ASSERT_TRUE(factor > 1 ? camera.cell_width() >= scale * (1 - 1e-12)
                                 : camera.cell_width() <= scale * (1 + 1e-12));
          break;
        }
        case 1: {
          const double pixels = up_to(400) - 200;
          camera.pan(pixels);
          ASSERT_DOUBLE_EQ(camera.cell_width(), scale);
          const double most = std::max(0.0, n - width / scale);
          ASSERT_NEAR(camera.left(), std::min(std::max(left - pixels / scale, 0.0), most), 1e-9);
          break;
        }
        case 2: {
          const double first = up_to(n), end = std::min(n, first + 0.5 + up_to(40));
          camera.go_to(first, end);
          ASSERT_DOUBLE_EQ(camera.left(), left) << "it has not moved yet";
          while (camera.advance(0.05, false)) expect_sound(camera, widest);
          ASSERT_LE(camera.x_of(first), camera.x_of(end));
          const bool fits = (end - first) * camera.cell_width() <= width + 1e-6;
          if (fits) {
            ASSERT_GE(camera.x_of(first), -1e-6);
          }
          if (fits) {
            ASSERT_LE(camera.x_of(end), width + 1e-6);
          }
          break;
        }
        case 3: {
          const double cell = std::floor(up_to(n - 1e-9));
          const bool moves = camera.reveal(cell);
          camera.advance(0, true);
          ASSERT_NEAR(camera.cell_width(), scale, 1e-9 * scale);
          if (!moves) {
            ASSERT_DOUBLE_EQ(camera.left(), left);
          }
          if (camera.cell_width() <= 0.9 * width) {
            const double half = std::min(0.5, width / scale / 4) * scale;
            ASSERT_GE(camera.x_of(cell), -half - 1e-6);
            ASSERT_LE(camera.x_of(cell + 1), width + half + 1e-6);
          }
          break;
        }
        default:
          camera.fit();
          ASSERT_EQ(camera.left(), 0);
          ASSERT_TRUE(camera.shows_all());
      }
      ASSERT_NO_FATAL_FAILURE(expect_sound(camera, widest));
    }
  }
}

TEST(CameraByLoop, AMoveEasesOverItsTime) {
  EXPECT_EQ(ease(-1), 0);
  EXPECT_EQ(ease(0), 0);
  EXPECT_DOUBLE_EQ(ease(0.25), 0.15625);
  EXPECT_DOUBLE_EQ(ease(0.5), 0.5);
  EXPECT_DOUBLE_EQ(ease(0.75), 0.84375);
  EXPECT_EQ(ease(1), 1);
  EXPECT_EQ(ease(2), 1);
  strip_camera camera;
  camera.set_extent(1000, 500, 70);  // half a pixel a cell
  EXPECT_FALSE(camera.advance(1, false)) << "nothing moves by itself";
  camera.go_to(100, 150);  // 10 pixels a cell
  EXPECT_TRUE(camera.advance(0.14, false));
  EXPECT_DOUBLE_EQ(camera.cell_width(), std::sqrt(0.5 * 10)) << "half of 0.28 s: half of the zoom";
  const double in_view = 500 / camera.cell_width();
  EXPECT_NEAR(camera.left(), 100 * (1000 - in_view) / (1000 - 50), 1e-9) << "the edge keeps in step with the zoom";
  EXPECT_FALSE(camera.advance(0.14, false));
  EXPECT_DOUBLE_EQ(camera.cell_width(), 10);
  EXPECT_DOUBLE_EQ(camera.left(), 100);
  EXPECT_FALSE(camera.advance(0.14, false)) << "it is there";
  camera.go_to(500, 500.01);
  camera.advance(0, true);
  EXPECT_DOUBLE_EQ(camera.cell_width(), 450) << "nine tenths of the view is one cell";
  EXPECT_NEAR(camera.left(), 500.005 - 500.0 / 450 / 2, 1e-9) << "in the middle";
}

TEST(CameraByLoop, RevealLeavesRoomOfTwoCellsBesideTheEdge) {
  strip_camera camera;
  camera.set_extent(1000, 500, 70);
  camera.go_to(100, 150);
  camera.advance(0, true);
  EXPECT_FALSE(camera.reveal(102)) << "two cells less half of one from the left edge";
  EXPECT_FALSE(camera.reveal(147));
  EXPECT_TRUE(camera.reveal(101));
  camera.advance(0, true);
  EXPECT_DOUBLE_EQ(camera.left(), 101.5 - 25) << "in the middle";
  EXPECT_TRUE(camera.reveal(0));
  camera.advance(0, true);
  EXPECT_DOUBLE_EQ(camera.left(), 0);
  EXPECT_FALSE(camera.reveal(0)) << "there is nowhere to go";
  EXPECT_TRUE(camera.reveal(999));
  EXPECT_FALSE(camera.reveal(998)) << "where it goes, that is in view";
  camera.advance(0, true);
  EXPECT_DOUBLE_EQ(camera.left(), 950);
}

TEST(CameraByLoop, AnEmptyRowIsNothingToLookAt) {
  strip_camera camera;
  camera.set_extent(0, 500, 70);
  EXPECT_EQ(camera.first_visible(), 0u);
  EXPECT_EQ(camera.end_visible(), 0u);
  camera.go_to(0, 1);
  EXPECT_FALSE(camera.advance(1, true));
  EXPECT_EQ(camera.cell_width(), 1);
}

}  // namespace
}  // namespace pivotscope::viz
