// The rays of lookups by several tracers: what counts as wrong, what is missing, what is timed.
#include "core/run/ray_run.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <numeric>

#include "core/rays/own_tracer.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

std::atomic<u64> calls_of_lying_tracers = 0;

// Our own boxes, but for what a lie changes.
enum class lie : u8 { none, another_triangle, another_side, no_hit, fails };
template <lie Lie>
class lying_tracer final : public ray_tracer {
 public:
  explicit lying_tracer(const std::shared_ptr<const ray_scene>& scene) : own_(make_own_tracer(scene).value()) {}
  std::string name() const override { return "liar"; }
  std::string runs_on() const override { return "paper"; }
  tracer_cost cost() const override { return {7, 5, 100}; }
  outcome<trace_times> trace(std::span<const axis_ray> rays, std::span<ray_hit> hits) override {
    ++calls_of_lying_tracers;
    if (Lie == lie::fails && calls_of_lying_tracers > 1) return problem{"the paper is torn"};
    const auto traced = own_->trace(rays, hits);
    if (!traced) return traced.error();
    for (ray_hit& hit : hits) {
      if (!hit.is_there()) continue;
      if (Lie == lie::another_triangle) hit = ray_hit::of(hit.triangle() == 0 ? 1 : hit.triangle() - 1, hit.met());
      if (Lie == lie::another_side)
        hit = ray_hit::of(hit.triangle(), hit.met() == side::front ? side::back : side::front);
      if (Lie == lie::no_hit) hit = {};
      if (Lie != lie::none) break;  // one of each round
    }
    return trace_times{2, 3};
  }

 private:
  std::unique_ptr<ray_tracer> own_;
};

template <lie Lie>
outcome<std::unique_ptr<ray_tracer>> make_liar(const std::shared_ptr<const ray_scene>& scene) {
  return std::unique_ptr<ray_tracer>(std::make_unique<lying_tracer<Lie>>(scene));
}
outcome<std::unique_ptr<ray_tracer>> make_nobody(const std::shared_ptr<const ray_scene>&) {
  return problem{"nobody is here"};
}
status nobody_is_here() { return problem{"nobody is here"}; }
// Is here, and has too little room for a scene.
outcome<std::unique_ptr<ray_tracer>> make_cramped(const std::shared_ptr<const ray_scene>&) {
  return problem{"the room is too small"};
}

outcome<ray_record> record_of(const tracer_kind& kind, u32 repeats = 1, const job_control& control = {}) {
  std::vector<u64> keys(300), asked(2000);
  for (u64 i = 0; i < keys.size(); ++i) keys[i] = i * i * 37 % 4096;
  std::iota(asked.begin(), asked.end(), 0);
  const auto index =
      testing::build_on_cpu(testing::config_of("CGRX keys=u64 bucket=2 x_bits=4 y_bits=4"), key_array(keys));
  const tracer_kind* const kinds[] = {&kind};
  calls_of_lying_tracers = 0;
  return trace_lookups(*index, key_array(asked), kinds, repeats, control);
}

TEST(RayRun, TellsEveryRayThatHitsSomethingElse) {
  for (const tracer_kind kind : {tracer_kind{"triangle", make_liar<lie::another_triangle>},
                                 {"side", make_liar<lie::another_side>},
                                 {"nothing", make_liar<lie::no_hit>}}) {
    const auto record = record_of(kind);
    ASSERT_TRUE(record.ok()) << record.error().words;
    EXPECT_FALSE(record->is_right()) << kind.name;
    EXPECT_EQ(record->by[0].others, record->rounds.size()) << "one of each round";
    EXPECT_NE(record->by[0].first_other.find("by liar"), std::string::npos) << record->by[0].first_other;
  }
}

TEST(RayRun, AddsTheMediansOfItsRounds) {
  const tracer_kind kind{"honest", make_liar<lie::none>};
  const auto record = record_of(kind, 3);
  ASSERT_TRUE(record.ok()) << record.error().words;
  EXPECT_TRUE(record->is_right());
  const u64 rounds = record->rounds.size();
  EXPECT_GE(rounds, 3u);
  EXPECT_EQ(calls_of_lying_tracers, 3 * rounds);
  const traced_rays& one = record->by[0];
  EXPECT_EQ(one.times.trace_ms, 2.0 * static_cast<double>(rounds));
  EXPECT_EQ(one.times.upload_ms, 3.0 * static_cast<double>(rounds));
  EXPECT_EQ(one.cost.build_ms, 7);
  EXPECT_EQ(one.cost.bytes, 100u);
  EXPECT_EQ(one.runs_on, "paper");
  EXPECT_EQ(record->lookups, 2000u);
  EXPECT_EQ(record->rays(), std::accumulate(record->rounds.begin(), record->rounds.end(), u64{0}));
  EXPECT_GT(record->rays(), 2000u);
}

TEST(RayRun, SaysWhyATracerIsNotHere) {
  const tracer_kind kind{"nobody", make_nobody, nobody_is_here};
  const auto record = record_of(kind);
  ASSERT_TRUE(record.ok()) << record.error().words;
  EXPECT_EQ(record->by[0].why_not, "nobody is here");
  EXPECT_EQ(record->by[0].failed, "");
  EXPECT_FALSE(record->by[0].has_traced());
  EXPECT_TRUE(record->is_right()) << "who is not here is not wrong";
  EXPECT_FALSE(record->rounds.empty());
}

TEST(RayRun, ATracerThatFailsHasNoFigures) {
  const tracer_kind kind{"torn", make_liar<lie::fails>};
  const auto record = record_of(kind);
  ASSERT_TRUE(record.ok()) << record.error().words;
  EXPECT_EQ(record->by[0].failed, "the paper is torn");
  EXPECT_EQ(record->by[0].why_not, "") << "it is here";
  EXPECT_FALSE(record->by[0].has_traced());
  EXPECT_EQ(record->by[0].tracer, "torn");
  EXPECT_EQ(record->by[0].times.trace_ms, 0);
  EXPECT_EQ(calls_of_lying_tracers, 2u) << "and is not asked again";
}

TEST(RayRun, ATracerThatIsHereAndTakesNoSceneHasFailed) {
  const auto record = record_of({"cramped", make_cramped});
  ASSERT_TRUE(record.ok()) << record.error().words;
  EXPECT_EQ(record->by[0].failed, "the room is too small");
  EXPECT_EQ(record->by[0].why_not, "");
  EXPECT_TRUE(record->is_right());
}

TEST(RayRun, CanBeCancelled) {
  job_control control;
  control.cancel();
  const auto record = record_of(*tracer_named("own"), 1, control);
  ASSERT_FALSE(record.ok());
  EXPECT_TRUE(record.error().cancelled);
}

TEST(RayRun, AsksForItsMemoryBefore) {
  const auto index = testing::build_on_cpu(testing::config_of("RX"), key_array(std::vector<u32>{1, 2, 3}));
  const tracer_kind* const own[] = {tracer_named("own")};
  const key_array asked(key_width::u32, 1 << 21);
  {
    const free_memory little(1 << 20);
    const auto record = trace_lookups(*index, asked, own, 1, {});
    ASSERT_FALSE(record.ok());
    EXPECT_NE(record.error().words.find("are needed for the rays of 2097152 lookups"), std::string::npos)
        << record.error().words;
  }
  EXPECT_TRUE(trace_lookups(*index, asked, own, 1, {}).ok());
}

TEST(RayRun, AsksForTheMemoryOfHitsBefore) {
  const auto index = testing::build_on_cpu(testing::config_of("RX"), key_array(std::vector<u32>{1, 2, 3}));
  const std::vector<const tracer_kind*> many(16, tracer_named("own"));
  const key_array asked(key_width::u32, 1 << 20);  // all are 0: one ray each, of fewer bytes than are worth asking for
  {
    const free_memory little(1 << 20);
    const auto record = trace_lookups(*index, asked, many, 1, {});
    ASSERT_FALSE(record.ok());
    EXPECT_NE(record.error().words.find("are needed for the hits of 17 tracers"), std::string::npos)
        << record.error().words;
  }
}

TEST(RayRun, KnowsItsTracersByName) {
  EXPECT_EQ(tracer_kinds().front().name, "own");
  for (const tracer_kind& kind : tracer_kinds()) EXPECT_EQ(tracer_named(kind.name), &kind);
  EXPECT_EQ(tracer_named("optix"), nullptr);
  EXPECT_EQ(methods_that_cast_rays(), "RX, CGRX, CGRX+NODES");
}

}  // namespace
}  // namespace pivotscope
