#include "viz/cells/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pivotscope::viz {
namespace {

strip_camera camera_of(u64 cells, double width = 800, double widest = 76) {
  strip_camera camera;
  camera.set_extent(cells, width, widest);
  return camera;
}

TEST(Camera, ShowsAllOfARowAtFirst) {
  for (const u64 cells : {1ull, 14ull, 1000ull, 1ull << 28, 0xFFFFFFFEull}) {
    const strip_camera camera = camera_of(cells);
    EXPECT_TRUE(camera.shows_all()) << cells;
    EXPECT_EQ(camera.first_visible(), 0u) << cells;
    EXPECT_EQ(camera.end_visible(), cells) << cells;
  }
}

TEST(Camera, AFewCellsStandInTheMiddle) {
  const strip_camera camera = camera_of(2);
  EXPECT_DOUBLE_EQ(camera.cell_width(), 76);
  EXPECT_DOUBLE_EQ(camera.x_of(1), 400);
}

TEST(Camera, TheCellUnderTheMouseStaysThereWhileZooming) {
  strip_camera camera = camera_of(1 << 20);
  const double before = camera.cell_at(500);
  for (int i = 0; i < 20; ++i) camera.zoom_at(500, 1.5);
  EXPECT_NEAR(camera.cell_at(500), before, 1e-6 * before);
  EXPECT_FALSE(camera.shows_all());
}

TEST(Camera, ZoomsDownToOneCellAndBackToAll) {
  strip_camera camera = camera_of(1ull << 28);
  for (int i = 0; i < 200; ++i) camera.zoom_at(123, 1.25);
  EXPECT_LE(camera.end_visible() - camera.first_visible(), 2u);
  for (int i = 0; i < 200; ++i) camera.zoom_at(700, 0.8);
  EXPECT_TRUE(camera.shows_all());
}

TEST(Camera, NeverLooksPastTheEnds) {
  strip_camera camera = camera_of(1000);
  camera.zoom_at(400, 8);
  camera.pan(1e9);
  EXPECT_DOUBLE_EQ(camera.left(), 0);
  camera.pan(-1e9);
  EXPECT_NEAR(camera.cell_at(camera.width()), 1000, 1e-6);
}

TEST(Camera, GoesToWhatIsAskedFor) {
  strip_camera camera = camera_of(1 << 20);
  camera.go_to(5000, 5017);
  EXPECT_TRUE(camera.advance(0.01, false)) << "it glides";
  EXPECT_FALSE(camera.advance(10, false));
  EXPECT_LE(camera.cell_at(0), 5000.001);
  EXPECT_GE(camera.cell_at(camera.width()), 5016.999);
  camera.go_to(0, 1 << 20);
  EXPECT_FALSE(camera.advance(0, true)) << "without motion it jumps";
  EXPECT_TRUE(camera.shows_all());
}

TEST(Camera, RevealsWithoutAChangeOfScale) {
  strip_camera camera = camera_of(100000);
  camera.go_to(0, 20);
  camera.advance(0, true);
  const double scale = camera.cell_width();
  EXPECT_FALSE(camera.reveal(10));
  EXPECT_TRUE(camera.reveal(70000));
  camera.advance(0, true);
  EXPECT_DOUBLE_EQ(camera.cell_width(), scale);
  EXPECT_LT(camera.first_visible(), 70000u);
  EXPECT_GT(camera.end_visible(), 70000u);
}

TEST(Camera, AnotherRowIsShownWholeAndAResizeKeepsTheView) {
  strip_camera camera = camera_of(1000);
  camera.zoom_at(400, 10);
  const double left = camera.left();
  camera.set_extent(1000, 900, 76);
  EXPECT_NEAR(camera.left(), left, 12);
  EXPECT_FALSE(camera.shows_all());
  camera.set_extent(2000, 900, 76);
  EXPECT_TRUE(camera.shows_all());
}

}  // namespace
}  // namespace pivotscope::viz
