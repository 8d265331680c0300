// Measuring on a device: by a rule, behind a gate, with an empty cache. Without one every test here is skipped.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/index/config_text.hpp"
#include "core/statistics/compare.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/gpu_fixture.hpp"

namespace pivotscope {
namespace {

class GpuMeasuring : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (!gpu_) return;
    index_ = *gpu_->build(default_config(), *gpu_->load(*make_keys(load_, key_width::u32), {}), {});
    lookups_ = *make_lookups(load_, key_width::u32);
  }
  batch_result run(const batch_options& options) {
    outcome<batch_result> done = testing::look_up(*gpu_, *index_, lookups_, options, {});
    EXPECT_TRUE(done) << done.error().words;
    return done ? *done : batch_result{};
  }

  const workload load_{.keys = 1 << 16, .dist = distribution::uniform, .lookups = 1 << 16};
  std::shared_ptr<const built_index> index_;
  key_array lookups_;
};

TEST_F(GpuMeasuring, EndsByTheRule) {
  const batch_result done = run({.warm_ups = 1, .until = stopping_options{.seconds = 5}});
  EXPECT_GE(done.time.samples_ms.size(), 10u);
  EXPECT_NE(done.time.how.why, stop_reason::not_asked);
  EXPECT_NE(done.time.how.why, stop_reason::fixed);
  EXPECT_NE(done.conditions.clocks, "");
}

TEST_F(GpuMeasuring, BlocksTheStreamAndAnswersTheSame) {
  const batch_result live = run({});
  EXPECT_FALSE(live.conditions.blocked) << "one run is not measured";
  const batch_result measured = run({.repeats = 20, .warm_ups = 2});
  EXPECT_EQ(measured.time.samples_ms.size(), 20u);
  EXPECT_EQ(measured.conditions.blocked, std::getenv("CUDA_LAUNCH_BLOCKING") == nullptr);
  EXPECT_EQ(measured.answers, live.answers);
  EXPECT_EQ(run({.repeats = 2}).conditions.blocked, false) << "the first run, which has no gate, is one of the samples";
}

TEST_F(GpuMeasuring, IsSlowerWithAnEmptyCache) {
  const batch_result warm = run({.repeats = 20, .warm_ups = 2}),
                     cold = run({.repeats = 20, .warm_ups = 2, .cold = true});
  EXPECT_EQ(cold.answers, warm.answers);
  EXPECT_EQ(compare_speeds(warm.time.samples_ms, cold.time.samples_ms).says, speed_verdict::slower)
      << compare_speeds(warm.time.samples_ms, cold.time.samples_ms).words();
}

TEST_F(GpuMeasuring, TimesAPartOfLookupsByAsManyRuns) {
  index_ = *gpu_->build(*config_from_line("CGRX"), *gpu_->load(*make_keys(load_, key_width::u32), {}), {});
  EXPECT_TRUE(run({.repeats = 7}).part.samples_ms.empty()) << "nobody asked for it";
  const batch_result done = run({.repeats = 7, .warm_ups = 2, .part = true});
  EXPECT_EQ(done.part.name, "rays");
  EXPECT_EQ(done.part.samples_ms.size(), 7u);
  EXPECT_GE(
      run({.warm_ups = 1, .until = stopping_options{.most = 12, .seconds = 1000}, .part = true}).part.samples_ms.size(),
      10u);
}

TEST_F(GpuMeasuring, OfTheSameTwiceIsNotToldApart) {
  const batch_options options{.warm_ups = 3, .until = stopping_options{.seconds = 5}};
  const batch_result first = run(options), second = run(options);
  const speed_comparison c = compare_speeds(first.time.samples_ms, second.time.samples_ms);
  EXPECT_NEAR(c.ratio.middle, 1, 0.02) << c.words();
}

}  // namespace
}  // namespace pivotscope
