// A lookup in its scene, step by step: the paper's example, and random ones.
#include "viz/models/scene_lookup.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/index_reader.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

struct walked {
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;
  lookup_trace trace;

  walked(const char* line, const key_array& keys, const question& asked)
      : index(testing::build_on_cpu(testing::config_of(line), keys)), model(model_of(*index)) {
    outcome<lookup_trace> made = trace_of(*index, asked);
    EXPECT_TRUE(made) << (made ? "" : made.error().words);
    if (made) trace = std::move(*made);
  }
  const index_scene& scene() const { return *with_scene(*model); }
  region_reader read() const { return index_reader(*index); }
  scene_lookup at(u32 step) const { return lookup_in_scene(scene(), trace, step, read()); }
  scene_lookup whole() const { return at(static_cast<u32>(trace.steps.size()) - 1); }
};

const key_array figure_5(std::vector<u32>{2, 4, 5, 6, 16, 17, 18, 19, 19, 19, 19, 19, 20, 22, 93});

// Figure 5: key 22 takes five rays.
TEST(SceneLookup, TheRaysOfFigure5AreThoseOfThePaper) {
  const walked w("CGRX bucket=3 x_bits=3 y_bits=2 form=naive", figure_5, question(22));
  const std::vector<scene_ray> rays = w.whole().rays;
  ASSERT_EQ(rays.size(), 5u);
  const char* const names[] = {"own row", "next row", "next plane", "plane found", "row found"};
  const u32 axes[] = {0, 1, 2, 1, 0};
  const std::array<double, 3> begins[] = {{5.5, 2, 0}, {-1, 2.5, 0}, {-1, -1, 0.5}, {-1, -0.5, 2}, {-0.5, 3, 2}},
                              hits[] = {{}, {}, {-1, -1, 2}, {-1, 3, 2}, {5, 3, 2}};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(rays[i].name, names[i]);
    EXPECT_EQ(rays[i].axis, axes[i]);
    EXPECT_EQ(rays[i].from, begins[i]) << i;
    EXPECT_EQ(rays[i].is_endless, i < 2);
    EXPECT_EQ(rays[i].hit.has_value(), i >= 2);
    if (i >= 2) {
      EXPECT_EQ(rays[i].to, hits[i]);
    }
    EXPECT_EQ(rays[i].first_step, i == 0 ? 0 : rays[i - 1].end_step);
  }
}

TEST(SceneLookup, AFlippedTriangleIsHitOnItsBackAndNoRayFollows) {
  const walked w("CGRX bucket=3 x_bits=3 y_bits=2", figure_5, question(70));
  const scene_lookup seen = w.whole();
  ASSERT_EQ(seen.rays.size(), 2u);
  const scene_ray& last = seen.rays.back();
  ASSERT_TRUE(last.hit);
  const scene_triangle hit = w.scene().look_at(*last.hit, *w.scene().scene().triangle(*last.hit, w.read()), w.read());
  EXPECT_TRUE(hit.flipped);
  EXPECT_TRUE(last.hits_back);
  EXPECT_EQ(hit.bucket, 4u);
}

TEST(SceneLookup, KindsOfTheOptimisedExampleAreToldApart) {
  const walked w("CGRX bucket=3 x_bits=3 y_bits=2", figure_5, question(22));
  std::vector<std::string> words;
  for (u64 cell = 0; cell < w.scene().scene().tree().triangles; ++cell) {
    const scene_triangle t = w.scene().look_at(cell, *w.scene().scene().triangle(cell, w.read()), w.read());
    words.push_back(std::string(name_of(t.kind)) + " " + place_words(t.at) +
                    (t.from ? " from " + place_words(*t.from) : "") + (t.flipped ? " flipped" : ""));
  }
  std::ranges::sort(words);
  EXPECT_EQ(words, (std::vector<std::string>{"extra (7, 0, 0)", "extra (7, 2, 0)", "extra (7, 3, 0)",
                                             "moved (7, 3, 2) from (5, 3, 2) flipped", "representative (1, 2, 0)",
                                             "representative (3, 2, 0)", "representative (5, 0, 0)"}));
}

TEST(SceneLookup, BoxesOfAStepLieInThoseAboveThem) {
  key_array keys = *make_keys({.keys = 3000, .dist = distribution::uniform}, key_width::u64);
  const walked w("CGRX keys=u64 bucket=4 form=naive", keys, question(9'000'000'000'000'000'001));
  std::vector<level_looks> before;
  for (u32 step = 0; step < w.trace.steps.size(); ++step) {
    const scene_lookup seen = w.at(step);
    const bool of_ray = w.trace.steps[step].compared.front().keyless;
    EXPECT_EQ(seen.now.has_value(), of_ray) << step;
    const auto box_of = [&](u64 number) {
      pivotscope::box b;
      EXPECT_TRUE(
          w.index->read(w.scene().scene().regions().boxes, number * box_bytes, std::as_writable_bytes(std::span(&b, 1)))
              .ok());
      return w.scene().scene().in_grid(b);
    };
    const auto holds = [&](u64 outer, u64 inner) {
      const grid_box a = box_of(outer), b = box_of(inner);
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (b.low[axis] < a.low[axis] || b.high[axis] > a.high[axis]) return false;
      return true;
    };
    for (std::size_t i = 1; i < seen.within.size(); ++i) EXPECT_TRUE(holds(seen.within[i - 1], seen.within[i]));
    for (const met_box& met : seen.met) EXPECT_TRUE(seen.within.empty() || holds(seen.within.back(), met.box)) << step;
    // The counts grow by what the step looked at.
    u64 looked = 0, last = 0;
    for (const level_looks& one : seen.levels) {
      looked += one.looked;
      EXPECT_LE(one.entered, one.looked);
    }
    for (const level_looks& one : before) last += one.looked;
    EXPECT_EQ(looked - last, of_ray ? w.trace.steps[step].compared.size() : 0);
    before = seen.levels;
  }
}

// A ray is only as good as the box it enters: each entered box lies on it.
TEST(SceneLookup, RaysGoThroughTheBoxesThatTheyEnter) {
  for (const char* line : {"RX keys=u64", "CGRX keys=u64 bucket=4", "CGRX keys=u64 bucket=4 y_scale=0 z_scale=0"}) {
    key_array keys = *make_keys({.keys = 500, .dist = distribution::uniform}, key_width::u64);
    for (const u64 key : {u64{77}, u64{1} << 63, u64{12345678901234567}}) {
      const walked w(line, keys, question(key));
      for (u32 step = 0; step < w.trace.steps.size(); ++step) {
        const scene_lookup seen = w.at(step);
        if (!seen.now) continue;
        const scene_ray& ray = seen.rays[*seen.now];
        for (const met_box& met : seen.met) {
          pivotscope::box b;
          ASSERT_TRUE(w.index
                          ->read(w.scene().scene().regions().boxes, met.box * box_bytes,
                                 std::as_writable_bytes(std::span(&b, 1)))
                          .ok());
          const grid_box bounds = w.scene().scene().in_grid(b);
          bool goes_through = true;
          for (std::size_t a = 0; a < 3; ++a) {
            const double end = a != ray.axis ? ray.from[a] : ray.hit || ray.is_endless ? 1e300 : ray.to[a];
            goes_through = goes_through && bounds.low[a] < end && bounds.high[a] > ray.from[a];
          }
          EXPECT_EQ(goes_through, met.entered) << line << ", key " << key << ", step " << step;
        }
      }
    }
  }
}

TEST(SceneLookup, RxSendsOneRayAndRangesAreBeams) {
  const key_array keys = *make_keys({.keys = 100, .dist = distribution::dense}, key_width::u32);
  const walked one("RX x_bits=3 y_bits=2", keys, question(42));
  ASSERT_EQ(one.whole().rays.size(), 1u);
  const scene_ray& ray = one.whole().rays.front();
  EXPECT_EQ(ray.from, (std::array<double, 3>{1.5, 1, 1}));
  EXPECT_EQ(ray.to, (std::array<double, 3>{2.5, 1, 1}));
  EXPECT_FALSE(ray.is_endless);
  ASSERT_TRUE(ray.hit);
  EXPECT_EQ(one.scene().look_at(*ray.hit, *one.scene().scene().triangle(*ray.hit, one.read()), {}).at.x, 2);

  const walked range("RX x_bits=3 y_bits=2", keys, question(operation::range, 10, 80));
  const std::vector<scene_ray> beams = range.whole().rays;
  ASSERT_EQ(beams.size(), 5u);
  for (const scene_ray& beam : beams) EXPECT_TRUE(beam.is_beam);
  EXPECT_EQ(beams[0].from, (std::array<double, 3>{2, 1, 0}));
  EXPECT_EQ(beams[0].to, (std::array<double, 3>{7, 1, 0}));
  EXPECT_EQ(beams[2].from, (std::array<double, 3>{0, 0, 1}));
  EXPECT_EQ(beams[2].to, (std::array<double, 3>{7, 3, 1}));
  EXPECT_EQ(range.whole().hits.size(), 71u);
  EXPECT_EQ(range.whole().levels.back().entered, 71u);
}

TEST(SceneLookup, AKeyThatNeedsNoRayHasNone) {
  const walked w("CGRX bucket=3 x_bits=3 y_bits=2", figure_5, question(2));
  EXPECT_TRUE(w.whole().rays.empty());
  EXPECT_FALSE(w.whole().now);
}

// A frame that shows the same step as the one before it reads nothing.
TEST(SceneLookup, IsWorkedOutOnceForAStep) {
  const walked w("CGRX bucket=3 x_bits=3 y_bits=2 form=naive", figure_5, question(22));
  const auto path = std::make_shared<int>();
  u64 reads = 0;
  bool here = false;
  const region_reader read = [&](region_id region, u64 byte, std::span<std::byte> out) {
    ++reads;
    return here && w.index->read(region, byte, out).ok();
  };
  kept_lookup kept;
  const u32 last = static_cast<u32>(w.trace.steps.size()) - 1;
  EXPECT_LT(kept.at(w.model, path, w.trace, last, read).rays.size(), 5u) << "bytes are on their way";
  here = true;
  EXPECT_EQ(kept.at(w.model, path, w.trace, last, read).rays.size(), 5u);
  const u64 once = reads;
  EXPECT_EQ(kept.at(w.model, path, w.trace, last, read).rays.size(), 5u);
  EXPECT_EQ(reads, once);
  EXPECT_EQ(kept.at(w.model, path, w.trace, 0, read).rays.size(), 1u) << "another step";
  EXPECT_GT(reads, once);
  const walked other("CGRX bucket=3 x_bits=3 y_bits=2 form=naive", figure_5, question(2));
  EXPECT_EQ(kept.at(w.model, std::make_shared<int>(), other.trace, 0, read).rays.size(), 0u) << "another path";
  const walked by_key("RX x_bits=3 y_bits=2", figure_5, question(22));
  EXPECT_EQ(kept.at(by_key.model, path, by_key.trace, 0, index_reader(*by_key.index)).rays.size(), 1u)
      << "another index";
}

TEST(SceneLookup, KeysAboveTheGridHaveNoPlace) {
  const key_grid grid{.x_bits = 3, .y_bits = 2, .z_bits = 2};
  ASSERT_TRUE(place_in_grid(grid, 127));
  EXPECT_EQ(place_words(*place_in_grid(grid, 127)), "(7, 3, 3)");
  EXPECT_FALSE(place_in_grid(grid, 128)) << "it would stand at the place of 0";
  EXPECT_FALSE(place_in_grid(grid, ~u64{0}));
  EXPECT_TRUE(place_in_grid({.x_bits = 23, .y_bits = 23, .z_bits = 18}, ~u64{0})) << "a grid of 64 bits has all";
  EXPECT_TRUE(place_in_grid({}, 0));
  EXPECT_FALSE(place_in_grid({}, 1));
}

TEST(SceneLookup, FamiliesWithoutRaysHaveNoScene) {
  const walked w("EO+BS", figure_5, question(22));
  EXPECT_FALSE(with_scene(*w.model));
}

}  // namespace
}  // namespace pivotscope::viz
