// Where an orbiting camera shows places.
#include "viz/cells/orbit_camera.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pivotscope::viz {
namespace {

const scene_frame space({-0.5, -0.5, -0.5}, {7.5, 3.5, 1.5});

orbit_camera looking_at(const scene_frame& frame, double width = 800, double height = 500, double margin = 20) {
  orbit_camera camera;
  camera.set_picture(width, height, margin, frame);
  return camera;
}

template <class Each>
void each_corner(const scene_frame& frame, Each&& each) {
  for (unsigned i = 0; i < 8; ++i) {
    scene_place corner;
    for (unsigned a = 0; a < 3; ++a) corner[a] = (i >> a & 1) != 0 ? frame.high()[a] : frame.low()[a];
    each(corner);
  }
}

void expect_alike(const picture_point& a, const picture_point& b, double by = 1e-6) {
  EXPECT_NEAR(a.x, b.x, by);
  EXPECT_NEAR(a.y, b.y, by);
  EXPECT_NEAR(a.nearness, b.nearness, by);
}

TEST(OrbitCamera, ShowsAllOfAFrameFromEverySide) {
  orbit_camera camera = looking_at(space);
  for (int turn = 0; turn < 200; ++turn) {
    camera.orbit(37, turn % 7 < 3 ? 41 : -29);
    each_corner(space, [&](const scene_place& corner) {
      const picture_point at = camera.project(corner);
      EXPECT_GE(at.x, 20 - 1e-6);
      EXPECT_LE(at.x, 780 + 1e-6);
      EXPECT_GE(at.y, 20 - 1e-6);
      EXPECT_LE(at.y, 480 + 1e-6);
    });
  }
}

TEST(OrbitCamera, BeginsWithXToTheRightYUpAndZTowardsTheViewer) {
  const orbit_camera camera = looking_at(space);
  const picture_point origin = camera.project({0, 0, 0});
  EXPECT_GT(camera.project({1, 0, 0}).x, origin.x);
  EXPECT_LT(camera.project({0, 1, 0}).y, origin.y);
  EXPECT_GT(camera.project({0, 0, 1}).nearness, origin.nearness);
  expect_alike(camera.project({3.5, 1.5, 0.5}), {400, 250, 0});
}

TEST(OrbitCamera, ParallelLinesStayParallel) {
  orbit_camera camera = looking_at(space);
  camera.orbit(123, -45);
  const auto step = [&](const scene_place& from) {
    const picture_point a = camera.project(from), b = camera.project({from[0] + 1, from[1], from[2]});
    return picture_point{b.x - a.x, b.y - a.y, b.nearness - a.nearness};
  };
  expect_alike(step({0, 0, 0}), step({5, 3, 1}));
}

TEST(OrbitCamera, NeverStandsOnItsHead) {
  orbit_camera camera = looking_at(space);
  for (int i = 0; i < 50; ++i) {
    camera.orbit(0, 100);
    EXPECT_LT(camera.project({0, 1, 0}).y, camera.project({0, 0, 0}).y);
  }
  for (int i = 0; i < 50; ++i) camera.orbit(0, -100);
  EXPECT_LT(camera.project({0, 1, 0}).y, camera.project({0, 0, 0}).y);
}

TEST(OrbitCamera, WhatIsUnderTheMouseStaysThereInAZoom) {
  orbit_camera camera = looking_at(space);
  camera.pan(30, -12);
  const scene_place place = {6, 2, 1};
  const picture_point before = camera.project(place);
  for (const double factor : {1.25, 8.0, 0.3, 1e5, 1e-9}) {
    camera.zoom_at(before.x, before.y, factor);
    expect_alike(camera.project(place), before, 1e-3);
    EXPECT_GE(camera.zoom(), orbit_camera::least_zoom);
    EXPECT_LE(camera.zoom(), orbit_camera::greatest_zoom);
  }
}

TEST(OrbitCamera, FitTakesBackEveryTurnMoveAndZoom) {
  orbit_camera camera = looking_at(space);
  const orbit_camera before = camera;
  camera.orbit(300, 20);
  camera.pan(10, 10);
  camera.zoom_at(0, 0, 3);
  EXPECT_FALSE(camera.shows_all());
  camera.fit();
  EXPECT_TRUE(camera.shows_all());
  EXPECT_EQ(camera, before);
}

TEST(OrbitCamera, AnotherFrameIsSeenWholeFromTheChosenSide) {
  orbit_camera camera = looking_at(space);
  camera.orbit(50, 10);
  camera.zoom_at(10, 10, 20);
  const double yaw = camera.yaw();
  camera.set_picture(800, 500, 20, scene_frame({-0.5, -0.5, -0.5}, {99.5, 0.5, 0.5}));
  EXPECT_TRUE(camera.shows_all());
  EXPECT_EQ(camera.yaw(), yaw);
}

TEST(OrbitCamera, ASinglePlaneIsSeenNearlyFromTheFrontUnlessItWasTurned) {
  const scene_frame plane({-0.5, -0.5, -0.5}, {7.5, 3.5, 0.5});
  orbit_camera camera = looking_at(space);
  const double yaw = camera.yaw();
  camera.set_picture(800, 500, 20, plane);
  EXPECT_LT(std::abs(camera.yaw()), std::abs(yaw));
}

TEST(OrbitCamera, TheMapOfManyPlacesIsThatOfEach) {
  orbit_camera camera = looking_at(scene_frame({-0.5, -0.5, -0.5}, {8388607.5, 8388607.5, 262143.5}));
  camera.orbit(77, 31);
  camera.pan(3, 4);
  camera.zoom_at(100, 100, 50);
  const picture_map map = camera.map();
  for (const scene_place& p : {scene_place{0, 0, 0}, {8388607, 1, 262143}, {4711, 8388607, 9}})
    expect_alike(map.of(p), camera.project(p), 1e-3);
}

TEST(OrbitCamera, AShortAxisIsDrawnLongEnoughAndAFlatOneFlat) {
  const scene_frame frame({-0.5, -0.5, -0.5}, {8388607.5, 511.5, 0.5});
  EXPECT_EQ(frame.length(0), scene_frame::stretch_of_x);
  EXPECT_EQ(frame.length(1), scene_frame::least_of_flat);
  EXPECT_LT(frame.length(2), 1e-6);
  EXPECT_NEAR(frame.unit(1) * 512, scene_frame::least_of_flat, 1e-12);
  const scene_frame deep({-0.5, -0.5, -0.5}, {8388607.5, 511.5, 7.5});
  EXPECT_EQ(deep.length(1), scene_frame::least_share);
  EXPECT_EQ(deep.length(2), scene_frame::least_share);
}

TEST(OrbitCamera, LooksAsAnotherOverAnotherScene) {
  orbit_camera a = looking_at(space), b = looking_at(scene_frame({-0.5, -0.5, -0.5}, {31.5, 15.5, 15.5}));
  a.orbit(90, 20);
  a.zoom_at(5, 5, 2);
  b.look_as(a);
  EXPECT_EQ(b.yaw(), a.yaw());
  EXPECT_EQ(b.pitch(), a.pitch());
  EXPECT_EQ(b.zoom(), a.zoom());
}

}  // namespace
}  // namespace pivotscope::viz
