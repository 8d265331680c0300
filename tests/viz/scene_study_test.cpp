// What of a scene a picture shows: all that is in view, or a triangle of each box.
#include "viz/models/scene_study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/index/index_reader.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

struct studied {
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;
  scene_study study;

  studied(const char* line, const workload& load) : studied(line, *make_keys(load, testing::config_of(line).keys)) {}
  studied(const char* line, const key_array& keys)
      : index(testing::build_on_cpu(testing::config_of(line), keys)), model(model_of(*index)), study(index, model) {
    while (study.go_on(1)) {
    }
    EXPECT_TRUE(study.complete());
    EXPECT_FALSE(study.failed());
  }
  orbit_camera camera(double width = 900, double height = 500) const {
    orbit_camera made;
    made.set_picture(width, height, 20, *study.frame());
    return made;
  }
  std::set<u64> cells(const orbit_camera& camera, const scene_slice& slice, std::size_t most) const {
    std::set<u64> list;
    for (const shown_triangle& t : show_scene(study, camera, slice, most).triangles) list.insert(t.cell);
    return list;
  }
};

workload uniform(u64 keys) { return {.keys = keys, .dist = distribution::uniform}; }

TEST(SceneStudy, KnowsEveryBoxAndTriangle) {
  const studied s("CGRX keys=u64 bucket=4", uniform(1000));
  EXPECT_TRUE(s.study.has_all());
  EXPECT_EQ(s.study.read_triangles(), s.study.tree().triangles);
  const index_reader read(*s.index);
  for (u64 cell = 0; cell < s.study.tree().triangles; ++cell)
    EXPECT_EQ(s.study.triangle(cell)->mark, s.study.scene().scene().triangle(cell, read)->mark);
  EXPECT_FALSE(s.study.triangle(s.study.tree().triangles));
  EXPECT_FALSE(s.study.bounds(s.study.tree().boxes()));
}

TEST(SceneStudy, FrameHoldsEveryTriangleAndWholeRows) {
  for (const char* line : {"RX", "CGRX bucket=4", "CGRX keys=u64 bucket=4 form=naive", "CGRX bucket=64"}) {
    const studied s(line, uniform(300));
    const scene_frame frame = *s.study.frame();
    EXPECT_LE(frame.low()[0], -0.5) << line;
    EXPECT_GE(frame.high()[0], s.study.scene().scene().grid().x_max()) << line;
    for (u64 cell = 0; cell < s.study.tree().triangles; ++cell) {
      const grid_point p = s.study.scene().scene().place_of(*s.study.triangle(cell));
      const double places[] = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
      for (std::size_t a = 0; a < 3; ++a) {
        EXPECT_LT(frame.low()[a], places[a]) << line;
        EXPECT_GT(frame.high()[a], places[a]) << line;
      }
    }
  }
}

TEST(SceneStudy, AFewTrianglesAreAllShownOnceTheFarthestFirst) {
  const studied s("CGRX keys=u64 bucket=4", uniform(2000));
  const shown_scene shown = show_scene(s.study, s.camera(), {});
  EXPECT_TRUE(shown.all);
  ASSERT_EQ(shown.triangles.size(), s.study.tree().triangles);
  std::set<u64> cells;
  double before = -1e300;
  for (const shown_triangle& t : shown.triangles) {
    EXPECT_TRUE(cells.insert(t.cell).second);
    EXPECT_GE(t.at.nearness, before);
    before = t.at.nearness;
    const picture_point at = s.camera().project(
        {static_cast<double>(t.what.at.x), static_cast<double>(t.what.at.y), static_cast<double>(t.what.at.z)});
    EXPECT_NEAR(t.at.x, at.x, 1e-3);
    EXPECT_NEAR(t.at.y, at.y, 1e-3);
  }
}

TEST(SceneStudy, OfManyTrianglesOneOfEachBoxIsShown) {
  const studied s("RX", uniform(20000));
  constexpr std::size_t most = 500;
  const shown_scene shown = show_scene(s.study, s.camera(), {}, most);
  EXPECT_FALSE(shown.all);
  EXPECT_LE(shown.triangles.size(), most);
  EXPECT_GT(shown.triangles.size(), most / 8);
  // Of boxes of one level: the first triangles of groups of equal size.
  u64 group = 1;
  while (ceil_div<u64>(20000, group) > shown.triangles.size()) group *= 4;
  EXPECT_EQ(shown.triangles.size(), ceil_div<u64>(20000, group));
  for (const shown_triangle& t : shown.triangles) EXPECT_EQ(t.cell % group, 0u);
}

TEST(SceneStudy, NearEnoughEveryTriangleInViewIsShown) {
  const studied s("RX", uniform(20000));
  orbit_camera camera = s.camera();
  camera.zoom_at(450, 250, 30);
  const shown_scene shown = show_scene(s.study, camera, {}, 500);
  EXPECT_TRUE(shown.all);
  std::set<u64> seen;
  for (u64 cell = 0; cell < s.study.tree().triangles; ++cell) {
    const grid_point p = s.study.scene().scene().place_of(*s.study.triangle(cell));
    const picture_point at =
        camera.project({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
    if (at.x > 0 && at.x < 900 && at.y > 0 && at.y < 500) seen.insert(cell);
  }
  EXPECT_FALSE(seen.empty());
  const std::set<u64> cells = s.cells(camera, {}, 500);
  for (const u64 cell : seen) EXPECT_TRUE(cells.contains(cell)) << cell;
}

TEST(SceneStudy, ASliceHasTheTrianglesOfItsPlaneOrRow) {
  const studied s("CGRX bucket=2 x_bits=4 y_bits=3", workload{.keys = 400, .dist = distribution::dense});
  std::set<u64> of_plane, of_row;
  for (u64 cell = 0; cell < s.study.tree().triangles; ++cell) {
    const grid_point p = s.study.scene().scene().place_of(*s.study.triangle(cell));
    if (p.z == 1) of_plane.insert(cell);
    if (p.z == 1 && p.y == 3) of_row.insert(cell);
  }
  ASSERT_FALSE(of_row.empty());
  ASSERT_GT(of_plane.size(), of_row.size());
  EXPECT_EQ(s.cells(s.camera(), {scene_slice::kind::plane, 1, 0}, 10000), of_plane);
  EXPECT_EQ(s.cells(s.camera(), {scene_slice::kind::row, 1, 3}, 10000), of_row);
  // Thinned out a slice has its own triangles all the same.
  for (const u64 cell : s.cells(s.camera(), {scene_slice::kind::plane, 1, 0}, 8)) EXPECT_TRUE(of_plane.contains(cell));
  EXPECT_FALSE(s.cells(s.camera(), {scene_slice::kind::plane, 1, 0}, 8).empty());
}

TEST(SceneStudy, SlicesComeToRestWhereTrianglesAre) {
  const studied s("RX x_bits=2 y_bits=3", key_array(std::vector<u32>{0, 12, 64, 65, 200}));
  EXPECT_EQ(s.study.plane_from(0), 0);
  EXPECT_EQ(s.study.plane_from(1), 2);
  EXPECT_EQ(s.study.plane_from(3), 6);
  EXPECT_EQ(s.study.plane_from(99), 6) << "the last";
  EXPECT_EQ(s.study.row_from(0, 1), 3);
  EXPECT_EQ(s.study.row_from(2, 0), 0);
  EXPECT_EQ(s.study.row_from(1, 0), std::nullopt) << "a plane without triangles";
}

TEST(SceneStudy, TheNearestTriangleIsPickedAndInFrontOfOthers) {
  const auto at = [](u64 cell, double x, double y, double nearness) {
    return shown_triangle{cell, {}, {x, y, nearness}};
  };
  const shown_scene shown{{at(1, 10, 10, -1), at(2, 30, 10, 0), at(3, 30.5, 10, 1)}, true};
  EXPECT_EQ(pick(shown, 12, 10, 8)->cell, 1u);
  EXPECT_EQ(pick(shown, 29, 10, 8)->cell, 3u) << "in front of another, as near to the mouse";
  EXPECT_EQ(pick(shown, 50, 10, 8), nullptr);
}

TEST(SceneStudy, MovedTrianglesAreToldByTheirBuckets) {
  const studied s("CGRX bucket=3 x_bits=2 y_bits=2", workload{.keys = 14, .dist = distribution::paper});
  shown_scene shown = show_scene(s.study, s.camera(), {});
  for (const shown_triangle& t : shown.triangles) EXPECT_NE(t.what.kind, triangle_kind::moved);
  EXPECT_TRUE(tell_triangles(s.study, index_reader(*s.index), shown));
  EXPECT_TRUE(std::ranges::any_of(shown.triangles,
                                  [](const shown_triangle& t) { return t.what.kind == triangle_kind::moved; }));
}

// 2^20 triangles: what a frame of an orbit takes of the processor, but for the drawing.
TEST(SceneStudy, AMillionTrianglesAreThinnedOutByPixels) {
  const studied s("RX", uniform(u64{1} << 20));
  EXPECT_TRUE(s.study.has_all());
  orbit_camera camera = s.camera(1200, 700);
  for (int turn = 0; turn < 8; ++turn) {
    camera.orbit(40, turn % 2 == 0 ? 15 : -10);
    const shown_scene shown = show_scene(s.study, camera, {});
    EXPECT_LE(shown.triangles.size(), most_shown_triangles);
    EXPECT_GT(shown.triangles.size(), most_shown_triangles / 8);
  }
}

TEST(SceneStudy, OfMoreASampleIsRead) {
  const studied s("RX", uniform((u64{1} << 20) + 5));
  EXPECT_FALSE(s.study.has_all());
  EXPECT_LE(s.study.read_triangles(), scene_study::most_sampled);
  EXPECT_GT(s.study.read_triangles(), scene_study::most_sampled / 8);
  EXPECT_EQ(s.study.read_triangles(), ceil_div<u64>(s.study.tree().triangles, s.study.stride()));
  const index_reader read(*s.index);
  for (u64 cell = 0; cell < s.study.tree().triangles; cell += s.study.stride() * 101)
    EXPECT_EQ(s.study.triangle(cell)->mark, s.study.scene().scene().triangle(cell, read)->mark);
  EXPECT_FALSE(s.study.triangle(1));
  orbit_camera camera = s.camera();
  // Those shown are from all over the curve, not from its begin alone.
  const shown_scene whole = show_scene(s.study, camera, {});
  EXPECT_FALSE(whole.all);
  std::array<u64, 8> by_eighth{};
  for (const shown_triangle& t : whole.triangles) ++by_eighth[t.cell * 8 / s.study.tree().triangles];
  for (const u64 count : by_eighth) EXPECT_GT(count, whole.triangles.size() / 32) << "of " << whole.triangles.size();
  // And each is where it is said to be.
  for (const shown_triangle& t : whole.triangles) {
    const grid_point at = s.study.scene().scene().place_of(*s.study.triangle(t.cell));
    const picture_point drawn =
        camera.map().of({static_cast<double>(at.x), static_cast<double>(at.y), static_cast<double>(at.z)});
    EXPECT_EQ(drawn.x, t.at.x);
    EXPECT_EQ(drawn.y, t.at.y);
  }
  camera.zoom_at(450, 250, 8);
  const shown_scene near = show_scene(s.study, camera, {});
  EXPECT_GT(near.triangles.size(), 100u) << "a part of the scene, from the sample";
  camera.zoom_at(450, 250, 125);
  EXPECT_FALSE(show_scene(s.study, camera, {}).all) << "others lie between them";
}

}  // namespace
}  // namespace pivotscope::viz
