// The running example of the paper cgrx, Figures 3 to 6: 3 bits of x, 2 of y, the rest z; buckets of 3. The figures'
// keys that the text does not name are chosen here so that all representatives are the paper's: 5, 17, 19, 19, 22,
// and 93 in place of 22 once the key set is extended.
#include <gtest/gtest.h>

#include <map>

#include "core/machine/trace/trace.hpp"
#include "tests/core/families/cgrx/built_scene.hpp"

namespace pivotscope {
namespace {

using testing::built_scene;
using testing::told_ray;

const std::vector<u32> figure_3 = {2, 4, 5, 6, 16, 17, 18, 19, 19, 19, 19, 19, 20, 22};
const std::vector<u32> figure_5 = {2, 4, 5, 6, 16, 17, 18, 19, 19, 19, 19, 19, 20, 22, 93};

built_scene scene_of(const char* form, const std::vector<u32>& keys) {
  return {testing::config_of(std::string("CGRX bucket=3 x_bits=3 y_bits=2 form=") + form), key_array(keys)};
}

// The places of all triangles, by primitive index; "F": flipped.
using places = std::map<u32, std::string>;
places places_of(const built_scene& scene) {
  places list;
  for (const triangle_cell& t : scene.triangles()) {
    const grid_point p = scene.model().scene().place_of(t);
    list[t.primitive()] =
        std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + (t.flipped() ? " F" : "");
  }
  EXPECT_EQ(list.size(), scene.triangles().size()) << "a primitive twice";
  return list;
}

TEST(CgrxPaper, Figure3HasATriangleABucketAndAMarkerARow) {
  const built_scene scene = scene_of("naive", figure_3);
  EXPECT_EQ(scene.view().buckets, 5u);
  EXPECT_TRUE(scene.view().several_rows);
  EXPECT_FALSE(scene.view().several_planes) << "so no plane has a marker";
  EXPECT_EQ(scene.view().least_representative, 5u);
  EXPECT_EQ(scene.view().greatest, 22u);
  // Bucket 3 is of key 19 as is bucket 2: it has no triangle. R0 and R1 are the markers of rows 0 and 2.
  EXPECT_EQ(places_of(scene),
            (places{{0, "5 0 0"}, {1, "1 2 0"}, {2, "3 2 0"}, {4, "6 2 0"}, {5, "-1 0 0"}, {6, "-1 2 0"}}));
  // The lookup of key 2: a ray along x hits the triangle of 5, which is primitive 0.
  const auto of_2 = scene.by_tree(2);
  EXPECT_EQ(of_2.rays, (std::vector<told_ray>{{cast::own_row, true, {5, 0, 0}, side::front, 0}}));
  EXPECT_EQ(of_2.bucket, 0u);
}

TEST(CgrxPaper, Figure4TakesThreeRaysToAnotherRow) {
  const auto of_6 = scene_of("naive", figure_3).by_tree(6);
  EXPECT_EQ(of_6.rays, (std::vector<told_ray>{{cast::own_row},
                                              {cast::next_row, true, {-1, 2, 0}, side::front, 6},
                                              {cast::row_found, true, {1, 2, 0}, side::front, 1}}));
  EXPECT_EQ(of_6.bucket, 1u);
}

TEST(CgrxPaper, Figure5TakesFiveRaysToAnotherPlane) {
  const built_scene scene = scene_of("naive", figure_5);
  EXPECT_TRUE(scene.view().several_planes);
  EXPECT_EQ(places_of(scene), (places{{0, "5 0 0"},
                                      {1, "1 2 0"},
                                      {2, "3 2 0"},
                                      {4, "5 3 2"},
                                      {5, "-1 0 0"},
                                      {6, "-1 2 0"},
                                      {9, "-1 3 2"},
                                      {10, "-1 -1 0"},
                                      {14, "-1 -1 2"}}));
  const auto of_22 = scene.by_tree(22);
  EXPECT_EQ(of_22.rays, (std::vector<told_ray>{{cast::own_row},
                                               {cast::next_row},
                                               {cast::next_plane, true, {-1, -1, 2}, side::front, 14},
                                               {cast::plane_found, true, {-1, 3, 2}, side::front, 9},
                                               {cast::row_found, true, {5, 3, 2}, side::front, 4}}));
  EXPECT_EQ(of_22.bucket, 4u);
}

TEST(CgrxPaper, Figure6MovesOneRepresentativeAndAddsOne) {
  const built_scene scene = scene_of("optimised", figure_3);
  EXPECT_EQ(places_of(scene), (places{{0, "5 0 0"}, {1, "1 2 0"}, {2, "3 2 0"}, {4, "7 2 0"}, {5, "7 0 0"}}));
  // Key 6: one ray in place of three. Primitive 5 is re-mapped to bucket 1.
  const auto of_6 = scene.by_tree(6);
  EXPECT_EQ(of_6.rays, (std::vector<told_ray>{{cast::own_row, true, {7, 0, 0}, side::front, 5}}));
  EXPECT_EQ(of_6.bucket, 1u);
}

// Of the extended key set: row 2 and plane 0 get their ends, and 93, alone in its row, is moved and flipped.
TEST(CgrxPaper, OptimisedSceneOfFigure5) {
  const built_scene scene = scene_of("optimised", figure_5);
  EXPECT_EQ(
      places_of(scene),
      (places{{0, "5 0 0"}, {1, "1 2 0"}, {2, "3 2 0"}, {4, "7 3 2 F"}, {5, "7 0 0"}, {8, "7 2 0"}, {13, "7 3 0"}}));
  const auto of_22 = scene.by_tree(22);
  EXPECT_EQ(of_22.rays, (std::vector<told_ray>{{cast::own_row, true, {7, 2, 0}, side::front, 8}}));
  EXPECT_EQ(of_22.bucket, 4u);
  // Row 3 of plane 0 has what marks the plane. It leads to the bucket behind, by one ray.
  EXPECT_EQ(scene.by_tree(25).rays, (std::vector<told_ray>{{cast::own_row, true, {7, 3, 0}, side::front, 13}}));
  EXPECT_EQ(scene.by_tree(25).bucket, 4u);
  // A plane without representatives: along z, then along y to the back of the flipped one, which needs no third ray.
  const auto of_40 = scene.by_tree(40);
  EXPECT_EQ(of_40.rays, (std::vector<told_ray>{{cast::own_row},
                                               {cast::next_row},
                                               {cast::next_plane, true, {7, 3, 2}, side::back, 4},
                                               {cast::plane_found, true, {7, 3, 2}, side::back, 4}}));
  EXPECT_EQ(of_40.bucket, 4u);
}

TEST(CgrxPaper, MarkersAreLeftOutWhereAllLiesInOneRow) {
  for (const char* form : {"naive", "optimised"}) {
    const built_scene scene = scene_of(form, {16, 17, 18, 19, 20, 22});
    EXPECT_FALSE(scene.view().several_rows) << form;
    EXPECT_EQ(scene.triangles().size(), 2u) << form;
  }
}

// A trace says which ray goes where.
TEST(CgrxPaper, ATraceTellsTheRays) {
  const built_scene scene = scene_of("naive", figure_3);
  const auto trace = trace_lookup(scene.index(), 6);
  ASSERT_TRUE(trace.ok()) << trace.error().words;
  EXPECT_EQ(trace->row, 3u);
  EXPECT_EQ(trace->start,
            "6 is at (6, 0, 0) in the scene. A ray along x goes from there to the representatives of its row.");
  std::vector<std::string> told;
  for (const trace_step& step : trace->steps) told.push_back(step.where + ": " + step.words + " " + step.next);
  EXPECT_EQ(told,
            (std::vector<std::string>{
                "level 0, boxes 0 to 1: The ray along x meets none of these 2 boxes. It has come to its end without "
                "a hit. No representative follows in this row. A ray along y looks for the next row that has one.",
                "level 0, boxes 0 to 1: The ray along y meets box 0. Down to what is in that box.",
                "triangles 0 to 2: The ray along y hits the front of triangle 2, at (-1, 2, 0). Row y = 2 has "
                "representatives: a ray along x finds the first.",
                "level 0, boxes 0 to 1: The ray along x meets 2 of these boxes: 0, 1. Down to what is in box 0. The "
                "other one "
                "waits.",
                "triangles 0 to 3: The ray along x hits the front of triangle 3, at (1, 2, 0). It leads to bucket 1. "
                "Bucket 1 has slots 3 to 5: search it by halves.",
                "bucket 1, slot 4: 16 is greater than 6. Look at slot 3.",
                "bucket 1, slot 3: 6 is equal: it or one before it is the first. Look at slot 3.",
                "bucket 1, slot 3: Slot 3 has 6. Found. "}));
}

}  // namespace
}  // namespace pivotscope
