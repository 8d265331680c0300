// What of a scene a picture shows: all that is in view, or a triangle of each box.
#include "viz/models/scene_study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <thread>

#include "core/index/index_reader.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"
#include "viz/models/shown_scene.hpp"

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
  std::set<u64> cells(const orbit_camera& camera, const scene_slice& slice, std::size_t most) {
    std::set<u64> list;
    for (const shown_triangle& t : show_scene(study, camera, slice, most).triangles) list.insert(t.cell);
    return list;
  }
  // What is shown once all that it takes is read.
  shown_scene settled(const orbit_camera& camera, const scene_slice& slice = {}) {
    shown_scene shown = show_scene(study, camera, slice);
    while (read_on()) shown = show_scene(study, camera, slice);
    return shown;
  }
  // Does a job, as long as there is one; never keeps more than it may.
  bool read_on() {
    if (!study.is_reading()) return false;
    study.read_asked([](const std::function<void()>& job) { job(); });
    study.take_read();
    EXPECT_LE(study.kept_triangles(), scene_study::most_triangles);
    return true;
  }
  triangle_cell stored(u64 cell) const { return *study.scene().scene().triangle(cell, index_reader(*index)); }
  grid_point place(u64 cell) const { return study.scene().scene().place_of(stored(cell)); }
};

// All triangles of an index, read at once.
std::vector<triangle_cell> all_triangles(const studied& s) {
  std::vector<triangle_cell> all(s.study.tree().triangles);
  EXPECT_TRUE(s.index->read(s.study.scene().scene().regions().triangles, 0, std::as_writable_bytes(std::span(all))));
  return all;
}
picture_point picture_of(const orbit_camera& camera, const grid_point& p) {
  return camera.project({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
}
// Those of them that are in view and in a slice.
std::set<u64> in_view(const studied& s, const std::vector<triangle_cell>& all, const orbit_camera& camera,
                      const scene_slice& slice = {}) {
  std::set<u64> list;
  for (u64 cell = 0; cell < all.size(); ++cell) {
    const grid_point p = s.study.scene().scene().place_of(all[cell]);
    const picture_point at = picture_of(camera, p);
    if (slice.has(p.y, p.z) && at.x > 0 && at.x < camera.width() && at.y > 0 && at.y < camera.height())
      list.insert(cell);
  }
  return list;
}

workload uniform(u64 keys) { return {.keys = keys, .dist = distribution::uniform}; }

TEST(SceneStudy, KnowsEveryBoxAndTriangle) {
  studied s("CGRX keys=u64 bucket=4", uniform(1000));
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
    studied s(line, uniform(300));
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
  studied s("CGRX keys=u64 bucket=4", uniform(2000));
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
  studied s("RX", uniform(20000));
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
  studied s("RX", uniform(20000));
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
  studied s("CGRX bucket=2 x_bits=4 y_bits=3", workload{.keys = 400, .dist = distribution::dense});
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
  studied s("RX x_bits=2 y_bits=3", key_array(std::vector<u32>{0, 12, 64, 65, 200}));
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
  studied s("CGRX bucket=3 x_bits=2 y_bits=2", workload{.keys = 14, .dist = distribution::paper});
  shown_scene shown = show_scene(s.study, s.camera(), {});
  for (const shown_triangle& t : shown.triangles) EXPECT_NE(t.what.kind, triangle_kind::moved);
  EXPECT_TRUE(tell_triangles(s.study, index_reader(*s.index), shown));
  EXPECT_TRUE(std::ranges::any_of(shown.triangles,
                                  [](const shown_triangle& t) { return t.what.kind == triangle_kind::moved; }));
}

// 2^20 triangles: what a frame of an orbit takes of the processor, but for the drawing.
TEST(SceneStudy, AMillionTrianglesAreThinnedOutByPixels) {
  studied s("RX", uniform(u64{1} << 20));
  EXPECT_TRUE(s.study.has_all());
  orbit_camera camera = s.camera(1200, 700);
  for (int turn = 0; turn < 8; ++turn) {
    camera.orbit(40, turn % 2 == 0 ? 15 : -10);
    const shown_scene shown = show_scene(s.study, camera, {});
    EXPECT_LE(shown.triangles.size(), most_shown_triangles);
    EXPECT_GT(shown.triangles.size(), most_shown_triangles / 8);
  }
}

// --- More than 2^20 triangles ---

workload more_than_all() { return uniform(scene_study::most_triangles + 5); }

TEST(SceneStudy, OfMoreASampleIsRead) {
  studied s("RX", more_than_all());
  EXPECT_FALSE(s.study.has_all());
  EXPECT_LE(s.study.read_triangles(), scene_study::most_sampled);
  EXPECT_GT(s.study.read_triangles(), scene_study::most_sampled / 8);
  const u64 stride = ceil_div<u64>(s.study.tree().triangles, s.study.read_triangles());
  for (u64 cell = 0; cell < s.study.tree().triangles; cell += stride * 101)
    EXPECT_EQ(s.study.triangle(cell)->mark, s.stored(cell).mark);
  EXPECT_FALSE(s.study.triangle(1));
  // Those shown are from all over the curve, not from its begin alone.
  const shown_scene whole = show_scene(s.study, s.camera(), {});
  EXPECT_FALSE(whole.all);
  EXPECT_LE(whole.triangles.size(), most_shown_triangles);
  std::array<u64, 8> by_eighth{};
  for (const shown_triangle& t : whole.triangles) ++by_eighth[t.cell * 8 / s.study.tree().triangles];
  for (const u64 count : by_eighth) EXPECT_GT(count, whole.triangles.size() / 32) << "of " << whole.triangles.size();
  // And each is where it is said to be.
  for (const shown_triangle& t : whole.triangles) {
    const picture_point drawn = picture_of(s.camera(), s.place(t.cell));
    EXPECT_NEAR(drawn.x, t.at.x, 1e-3);
    EXPECT_NEAR(drawn.y, t.at.y, 1e-3);
  }
}

TEST(SceneStudy, NearerMoreIsReadAndThenAllThatIsInView) {
  for (const char* line : {"RX wide=8", "RX keys=u64"}) {
    studied s(line, more_than_all());
    const std::vector<triangle_cell> all = all_triangles(s);
    orbit_camera camera = s.camera();
    bool whole = false;
    for (int i = 0; i < 8; ++i) {
      camera.zoom_at(430, 260, 2.5);
      const std::set<u64> seen = in_view(s, all, camera);
      const shown_scene shown = s.settled(camera);
      EXPECT_GE(shown.triangles.size(), std::min(seen.size(), most_shown_triangles / 16)) << line << ", zoom " << i;
      EXPECT_LE(shown.triangles.size(), most_shown_triangles);
      whole = shown.all;
      if (!whole) continue;
      std::set<u64> cells;
      for (const shown_triangle& t : shown.triangles) {
        EXPECT_TRUE(cells.insert(t.cell).second);
        EXPECT_EQ(t.stored.mark, all[t.cell].mark);
      }
      EXPECT_TRUE(std::ranges::includes(cells, seen)) << line << ", zoom " << i;
    }
    EXPECT_TRUE(whole) << line;
  }
}

TEST(SceneStudy, WhatIsReadStaysBoundedWhereverOneLooks) {
  studied s("RX", more_than_all());
  for (double x = 0; x <= 900; x += 75)
    for (double y = 0; y <= 500; y += 50) {
      orbit_camera camera = s.camera();
      camera.zoom_at(x, y, 9);
      s.settled(camera);  // looks at the bound
    }
  EXPECT_GT(s.study.kept_triangles(), scene_study::most_triangles * 9 / 10) << "it was reached";
}

TEST(SceneStudy, ASliceOfManyIsReadWhereItIs) {
  studied s("RX x_bits=10 y_bits=8", more_than_all());
  const std::vector<triangle_cell> all = all_triangles(s);
  const grid_point p = s.study.scene().scene().place_of(all[all.size() / 3]);
  for (const scene_slice& slice : {scene_slice{scene_slice::kind::plane, p.z, 0}, {scene_slice::kind::row, p.z, p.y}}) {
    const std::set<u64> seen = in_view(s, all, s.camera(), slice);
    const shown_scene shown = s.settled(s.camera(), slice);
    EXPECT_TRUE(shown.all);
    EXPECT_EQ(shown.triangles.size(), seen.size());
    for (const shown_triangle& t : shown.triangles) EXPECT_TRUE(seen.contains(t.cell));
  }
}

// A frame begins a job and goes on; another thread reads.
TEST(SceneStudy, JobsReadOffTheFrameOneAtATime) {
  studied s("RX", more_than_all());
  orbit_camera camera = s.camera();
  camera.zoom_at(450, 250, 60);
  const shown_scene coarse = show_scene(s.study, camera, {});
  EXPECT_FALSE(coarse.all);
  std::vector<std::function<void()>> jobs;
  const auto later = [&](std::function<void()> job) { jobs.push_back(std::move(job)); };
  s.study.read_asked(later);
  EXPECT_FALSE(show_scene(s.study, camera, {}).all);
  s.study.read_asked(later);
  ASSERT_EQ(jobs.size(), 1u) << "one is under way";
  s.study.take_read();
  EXPECT_EQ(s.study.kept_triangles(), s.study.read_triangles()) << "nobody has read anything yet";
  EXPECT_TRUE(s.study.is_reading());
  const u64 before = s.study.changes();
  std::thread(jobs[0]).join();
  s.study.take_read();
  EXPECT_GT(s.study.changes(), before);
  EXPECT_GT(show_scene(s.study, camera, {}).triangles.size(), coarse.triangles.size());
}

// Returns the first cells of some parts of a level, from part `from` on.
std::vector<u64> begins_of_parts(u64 from, u64 count) {
  std::vector<u64> begins;
  for (u64 part = from; part < from + count; ++part) begins.push_back(part * scene_study::part_cells);
  return begins;
}

TEST(SceneStudy, APartThatALookAsksForTwiceCountsOnce) {
  studied s("RX", more_than_all());
  const u32 level = s.study.triangles_level();
  constexpr u64 some = scene_study::most_parts * 2 / 3, rest = scene_study::most_parts - some;
  for (const bool is_read : {false, true}) {
    s.study.begin_look();
    for (int twice = 0; twice < 2; ++twice)
      EXPECT_TRUE(s.study.ask_for(level, begins_of_parts(0, some))) << "read: " << is_read;
    EXPECT_FALSE(s.study.ask_for(level, begins_of_parts(some, rest + 1))) << "one too many";
    EXPECT_TRUE(s.study.ask_for(level, begins_of_parts(some - 1, rest + 1))) << "as many as it can keep";
    EXPECT_FALSE(s.study.ask_for(level, begins_of_parts(scene_study::most_parts, 1)));
    while (s.read_on()) {
      s.study.begin_look();
      s.study.ask_for(level, begins_of_parts(0, scene_study::most_parts));
    }
  }
}

TEST(SceneStudy, AJobThatComesTooLateReadsNothing) {
  studied s("RX", more_than_all());
  orbit_camera camera = s.camera();
  camera.zoom_at(450, 250, 60);
  std::function<void()> job;
  {
    scene_study other(s.index, s.model);
    while (other.go_on(1)) {
    }
    show_scene(other, camera, {});
    other.read_asked([&](std::function<void()> made) { job = std::move(made); });
  }
  ASSERT_TRUE(job);
  job();  // the study is gone
  show_scene(s.study, camera, {});
  s.study.read_asked([&](std::function<void()> made) { job = std::move(made); });
  s.index.reset();
  job();  // the index is gone
  s.study.take_read();
  EXPECT_EQ(s.study.kept_triangles(), s.study.read_triangles());
  EXPECT_FALSE(s.study.failed());
}

TEST(SceneStudy, KeepsNoIndex) {
  studied s("CGRX bucket=4", uniform(1000));
  EXPECT_TRUE(s.study.is_of(s.index));
  const std::weak_ptr<const built_index> index = s.index;
  s.index.reset();
  EXPECT_TRUE(index.expired());
  EXPECT_FALSE(s.study.is_of(nullptr));
  EXPECT_EQ(show_scene(s.study, s.camera(), {}).triangles.size(), s.study.tree().triangles) << "it has its own copy";
}

// --- Boxes of a level ---

using point_2d = std::array<double, 2>;

// Does the hull of some points touch the picture? Not if a line along two points of either parts them.
bool touch(const std::array<point_2d, 8>& points, const std::array<point_2d, 4>& picture) {
  for (const point_2d& p : points)
    if (p[0] > 0 && p[0] < picture[3][0] && p[1] > 0 && p[1] < picture[3][1]) return true;
  const auto is_parted_along = [&](const point_2d& from, const point_2d& to) {
    const double nx = from[1] - to[1], ny = to[0] - from[0];
    if (nx == 0 && ny == 0) return false;
    const auto across = [&](const point_2d& p) { return nx * p[0] + ny * p[1]; };
    const auto [least_a, most_a] = std::ranges::minmax(points, {}, across);
    const auto [least_b, most_b] = std::ranges::minmax(picture, {}, across);
    return across(most_a) < across(least_b) || across(most_b) < across(least_a);
  };
  const auto is_parted_along_two = [&](const auto& of) {
    for (std::size_t i = 0; i < of.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (is_parted_along(of[i], of[j])) return true;
    return false;
  };
  return !is_parted_along_two(picture) && !is_parted_along_two(points);
}

// Those that touch the picture, each looked at.
std::vector<u64> boxes_in_view(const studied& s, const orbit_camera& camera, u32 level) {
  const bounding_tree& tree = s.study.tree();
  std::vector<pivotscope::box> stored(tree.count[level]);
  EXPECT_TRUE(s.index->read(s.study.scene().scene().regions().boxes, tree.first[level] * u64{box_bytes},
                            std::as_writable_bytes(std::span(stored))));
  std::vector<u64> list;
  for (u64 i = 0; i < stored.size(); ++i) {
    if (stored[i].is_empty()) continue;
    const grid_box b = s.study.scene().scene().in_grid(stored[i]);
    std::array<point_2d, 8> corners;
    for (unsigned corner = 0; corner < 8; ++corner) {
      scene_place p;
      for (unsigned a = 0; a < 3; ++a) p[a] = (corner >> a & 1) != 0 ? b.high[a] : b.low[a];
      const picture_point at = camera.project(p);
      corners[corner] = {at.x, at.y};
    }
    if (touch(corners, {{{0, 0}, {camera.width(), 0}, {0, camera.height()}, {camera.width(), camera.height()}}}))
      list.push_back(tree.first[level] + i);
  }
  return list;
}

TEST(SceneStudy, BoxesAreCountedThatAreInViewOnWhateverLevel) {
  for (const u64 keys : {u64{20000}, scene_study::most_triangles + 5}) {
    studied s("RX keys=u64", uniform(keys));
    const u32 levels = s.study.triangles_level();
    bool many = false, few = false;
    for (const double zoom : {1.0, 20.0, 200.0}) {
      orbit_camera camera = s.camera();
      camera.zoom_at(430, 260, zoom);
      for (u32 level = 0; level < levels; ++level) {
        s.settled(camera);
        shown_boxes shown = show_boxes(s.study, camera, {}, level);
        while (s.read_on()) show_scene(s.study, camera, {}), shown = show_boxes(s.study, camera, {}, level);
        const std::vector<u64> seen = boxes_in_view(s, camera, level);
        EXPECT_EQ(shown.counted(), seen.size() <= shown_boxes::most_counted) << "level " << level << ", zoom " << zoom;
        EXPECT_NE(shown.has, shown_boxes::extent::at_hand) << "nothing is left to read";
        if (shown.counted()) {
          EXPECT_EQ(shown.list, seen) << "level " << level << ", zoom " << zoom;
        }
        many |= !shown.counted();
        few |= shown.counted() && s.study.tree().count[level] > shown_boxes::most_counted;
      }
    }
    EXPECT_EQ(many && few, keys > 20000) << "a level of more than 16,384 boxes, with a few of them in view";
  }
}

TEST(SceneStudy, BoxesAreNotSaidToBeAllWhileOthersAreRead) {
  studied s("RX", more_than_all());
  const u32 last = s.study.triangles_level() - 1;
  orbit_camera camera = s.camera();
  camera.zoom_at(430, 260, 60);
  show_scene(s.study, camera, {});
  EXPECT_EQ(show_boxes(s.study, camera, {}, 1).has, shown_boxes::extent::all) << "read at first";
  shown_boxes shown = show_boxes(s.study, camera, {}, last);
  EXPECT_EQ(shown.has, shown_boxes::extent::at_hand);
  const std::vector<u64> seen = boxes_in_view(s, camera, last);
  EXPECT_LT(shown.list.size(), seen.size());
  while (s.read_on()) show_scene(s.study, camera, {}), shown = show_boxes(s.study, camera, {}, last);
  EXPECT_EQ(shown.has, shown_boxes::extent::all);
  EXPECT_EQ(shown.list, seen);
}

TEST(SceneStudy, BoxesThatAreNotCountedHaveAReason) {
  studied s("RX", more_than_all());
  const u32 last = s.study.triangles_level() - 1;
  u32 many = 0;  // the first level with too many
  while (s.study.tree().count[many] <= shown_boxes::most_counted) ++many;
  ASSERT_LT(many, last);
  for (const u32 level : {many, last}) {
    show_scene(s.study, s.camera(), {});
    const shown_boxes shown = show_boxes(s.study, s.camera(), {}, level);
    EXPECT_EQ(shown.has, shown_boxes::extent::too_many);
    EXPECT_EQ(shown.many, many);
    EXPECT_TRUE(shown.list.empty());
  }
  // Few boxes, and no room for what holds them: others are asked for in the same look.
  orbit_camera camera = s.camera();
  camera.zoom_at(430, 260, 60);
  s.study.begin_look();
  EXPECT_TRUE(s.study.ask_for(s.study.triangles_level(), begins_of_parts(0, scene_study::most_parts)));
  const shown_boxes shown = show_boxes(s.study, camera, {}, last);
  EXPECT_EQ(shown.has, shown_boxes::extent::too_much_to_read);
  EXPECT_TRUE(shown.list.empty());
}

TEST(SceneStudy, BoxesOfASliceAreThoseThatMeetIt) {
  studied s("CGRX bucket=2 x_bits=4 y_bits=3", workload{.keys = 400, .dist = distribution::dense});
  const scene_slice slice{scene_slice::kind::plane, 1, 0};
  show_scene(s.study, s.camera(), slice);
  const shown_boxes shown = show_boxes(s.study, s.camera(), slice, s.study.triangles_level() - 1);
  ASSERT_FALSE(shown.list.empty());
  EXPECT_LT(shown.list.size(), s.study.tree().count[s.study.triangles_level() - 1]);
  for (const u64 number : shown.list) EXPECT_TRUE(slice.meets(*s.study.bounds(number)));
}

}  // namespace
}  // namespace pivotscope::viz
