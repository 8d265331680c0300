// Measuring and ranking: on the cpu machine with few keys, with a machine that lies, and on samples made by hand.
#include "core/tuning/autotuner.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/core/tuning/tuned_samples.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

const workload standard{.keys = 3000, .dist = distribution::uniform, .lookups = 2000, .hits = 0.75};
const key_array keys = *make_keys(standard, key_width::u32);
const batch lookups = *make_batch(standard, key_width::u32);

std::shared_ptr<const key_set> keys_on(machine& on) { return *key_set::load(on, keys, {}); }

TEST(autotuner, measures_every_method_and_ranks_by_rate) {
  const auto cpu = detail::open_cpu();
  u32 reports = 0;
  tuning_options options{.slice = 500, .finalists = 3, .rounds = {.least = 2, .most = 2, .repeats = 2}};
  options.report = [&](const tuning_progress& p) {
    ++reports;
    EXPECT_LT(p.done, p.planned);
    EXPECT_FALSE(p.words.empty());
  };
  double least = 1, greatest = -1;
  const job_control control([&](std::string_view stage, double fraction) {
    if (stage != "tuning") return;
    EXPECT_GE(fraction, greatest - 0.5);  // a better estimate of the whole may set it back a little
    least = std::min(least, fraction), greatest = std::max(greatest, fraction);
  });
  const outcome<tuning> done = tune(*cpu, *keys_on(*cpu), lookups, options, control);
  ASSERT_TRUE(done.ok()) << done.error().words;
  EXPECT_TRUE(done->rejected.empty());
  EXPECT_EQ(done->keys, 3000u);
  EXPECT_EQ(done->operations, 2000u);
  EXPECT_GT(reports, 20u);
  EXPECT_LE(least, 0.05);
  EXPECT_GT(greatest, 0.5);
  EXPECT_LE(greatest, 1);
  for (const std::string& method : method_names()) {
    EXPECT_TRUE(std::any_of(done->ranking.begin(), done->ranking.end(), [&](const tuned_config& c) {
      return method_name(c.config) == method;
    })) << method;
  }
  for (std::size_t i = 0; i < done->ranking.size(); ++i) {
    const tuned_config& one = done->ranking[i];
    EXPECT_EQ(one.finalist, i < 3);
    EXPECT_EQ(one.operations, i < 3 ? 2000u : 500u);
    EXPECT_EQ(one.samples_ms.size(), i < 3 ? 4u : 3u);
    EXPECT_GT(one.index_bytes, 0u);
    EXPECT_FALSE(check(one.config));
    if (i != 0 && i != 3) {
      EXPECT_LE(one.rate(), done->ranking[i - 1].rate());
    }
  }
  EXPECT_EQ(done->winner(), &done->ranking.front());
}

TEST(autotuner, keeps_to_what_is_required) {
  for (const machine_kind kind : {machine_kind::cpu, machine_kind::cuda}) {
    for (const index_config& c : tuning_candidates({kind, 1 << 20, key_width::u64, true, true})) {
      EXPECT_FALSE(check(c)) << to_line(c);
      EXPECT_EQ(c.keys, key_width::u64);
      const auto model = model_of(c, 1 << 20);
      ASSERT_TRUE(model->ranks());
      EXPECT_TRUE(model->ranks()->ascend_along(main_region)) << to_line(c);
      for (const region_info& region : model->regions())
        EXPECT_TRUE(region.cells == 0 || region.cells == 1 << 20) << to_line(c) << " has " << region.name;
    }
    const auto all = tuning_candidates({kind, 1 << 20, key_width::u32});
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(std::find(all.begin(), all.end(), all[i]) - all.begin(), static_cast<std::ptrdiff_t>(i));
    EXPECT_GT(all.size(), 15u);
    EXPECT_LT(all.size(), 100u);
    // No keys is no reason to fall over.
    EXPECT_FALSE(tuning_candidates({kind, 0, key_width::u32}).empty());
  }
}

// The key of a hit that none of the first 500 lookups has.
u64 late_hit() {
  static const u64 found = [] {
    const auto all = lookups.keys.as<u32>(), known = keys.as<u32>();
    for (std::size_t i = 500; i < all.size(); ++i) {
      const auto early = all.first(500);
      if (std::find(early.begin(), early.end(), all[i]) == early.end() &&
          std::find(known.begin(), known.end(), all[i]) != known.end())
        return u64{all[i]};
    }
    return u64{0};
  }();
  return found;
}

TEST(autotuner, a_wrong_config_is_out_and_reported) {
  lying_machine liar([](u64 key) { return key == late_hit(); });  // only the finalists' rounds meet it
  const tuning_options options{.slice = 500,
                               .rounds = {.least = 3, .most = 3, .repeats = 1},
                               .candidates = {config_of("EO+BS"), config_of("AO+BS"), config_of("AO+PB+KS")}};
  // Every config lies here, so nothing is left.
  const outcome<tuning> done = tune(liar, *keys_on(liar), lookups, options, {});
  ASSERT_FALSE(done.ok());
  EXPECT_FALSE(done.error().cancelled);
  EXPECT_NE(done.error().words.find("answers are wrong"), std::string::npos) << done.error().words;
}

// Lies about one config alone.
class lies_with_eytzinger final : public honest_machine {
 public:
  outcome<std::shared_ptr<const built_index>> build(const index_config& config,
                                                    std::shared_ptr<const resident_keys> resident,
                                                    const job_control& control) override {
    if (knobs_of(config).order == order_kind::pivot_buffer) return problem{"no room for pivots"};
    return honest_machine::build(config, std::move(resident), control);
  }
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    auto result = honest_machine::run(index, asked, options, control);
    if (result && knobs_of(index.config()).order == order_kind::eytzinger) result->answers.found[0] ^= 1;
    return result;
  }
};

TEST(autotuner, goes_on_without_what_is_wrong_or_refused) {
  lies_with_eytzinger on;
  const tuning_options options{.slice = 500,
                               .rounds = {.least = 3, .most = 3, .repeats = 1},
                               .candidates = {config_of("EO+BS"), config_of("AO+BS"), config_of("AO+PB+KS")}};
  const outcome<tuning> done = tune(on, *keys_on(on), lookups, options, {});
  ASSERT_TRUE(done.ok()) << done.error().words;
  ASSERT_EQ(done->ranking.size(), 1u);
  EXPECT_EQ(to_line(done->winner()->config), "AO+BS");
  ASSERT_EQ(done->rejected.size(), 2u);
  EXPECT_EQ(to_line(done->rejected[0].config), "EO+BS");
  EXPECT_TRUE(done->rejected[0].wrong);
  EXPECT_NE(done->rejected[0].words.find("1 of 500 answers are wrong"), std::string::npos) << done->rejected[0].words;
  EXPECT_FALSE(done->rejected[1].wrong);
  EXPECT_EQ(done->rejected[1].words, "no room for pivots");
}

TEST(autotuner, ends_when_cancelled) {
  const auto cpu = detail::open_cpu();
  job_control control;
  tuning_options options;
  u32 measured = 0;
  options.report = [&](const tuning_progress&) {
    if (++measured == 3) control.cancel();
  };
  const outcome<tuning> done = tune(*cpu, *keys_on(*cpu), lookups, options, control);
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(done.error().cancelled);
  EXPECT_EQ(measured, 3u);
}

TEST(autotuner, without_lookups_there_is_nothing_to_time) {
  const auto cpu = detail::open_cpu();
  const outcome<tuning> done = tune(*cpu, *keys_on(*cpu), {operation::find, key_array(key_width::u32, 0)}, {}, {});
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().words.find("no lookups"), std::string::npos);
}

TEST(tuning_ranking, quantiles_lie_on_the_line_between_samples) {
  const tuned_config one = samples("EO+BS", {4, 1, 2, 3, 5});
  EXPECT_DOUBLE_EQ(one.rate(), 9900 / 3.0 * 1e3);
  EXPECT_DOUBLE_EQ(one.rate_at(0), 9900 / 1.0 * 1e3);
  EXPECT_DOUBLE_EQ(one.rate_at(0.25), 9900 / 2.0 * 1e3);
  EXPECT_DOUBLE_EQ(one.rate_at(1), 9900 / 5.0 * 1e3);
  EXPECT_DOUBLE_EQ(samples("EO+BS", {1, 2}).rate(), 9900 / 1.5 * 1e3);
  EXPECT_EQ(samples("EO+BS", {}).rate(), 0);
}

TEST(tuning_ranking, noise_is_told_from_a_difference) {
  const tuned_config steady = samples("EO+BS", {10, 10, 10, 10, 10});
  EXPECT_FALSE(told_apart(steady, steady));
  EXPECT_FALSE(told_apart(steady, samples("EO+BS", {10.05, 10.05, 10.05})));  // within one hundredth
  EXPECT_TRUE(told_apart(steady, samples("EO+BS", {10.5, 10.5, 10.5})));
  EXPECT_TRUE(told_apart(samples("EO+BS", {10.5, 10.5, 10.5}), steady));
  // Medians far apart, but the middle halves overlap.
  EXPECT_FALSE(told_apart(samples("EO+BS", {8, 9, 10, 12, 13}), samples("EO+BS", {9, 11, 12, 13, 14})));
  // One outlier on each side changes nothing.
  EXPECT_TRUE(told_apart(samples("EO+BS", {9.9, 10, 10, 10.1, 30}), samples("EO+BS", {2, 11.9, 12, 12, 12.1})));
}

TEST(tuning_ranking, finalists_come_first_and_ties_are_counted) {
  std::vector<tuned_config> list = {samples("AO+BS", {1, 1, 1}, false), samples("EO+KS", {20, 20, 20}),
                                    samples("EO+BS", {10, 10, 10}), samples("AO+PB+KS", {10.02, 10.02, 10.02}),
                                    samples("AO+PB+BS", {3, 3, 3}, false)};
  rank(list);
  std::vector<std::string> order;
  for (const tuned_config& one : list) order.push_back(to_line(one.config));
  EXPECT_EQ(order, (std::vector<std::string>{"EO+BS", "AO+PB+KS", "EO+KS", "AO+BS", "AO+PB+BS"}));
  EXPECT_FALSE(list[0].beats_next);
  EXPECT_TRUE(list[1].beats_next);
  EXPECT_FALSE(list[4].beats_next);
  const tuning done{.ranking = list};
  EXPECT_EQ(done.tied_with_winner(), 2u);
  EXPECT_EQ(tuning{}.tied_with_winner(), 0u);
  EXPECT_EQ(tuning{}.winner(), nullptr);
}

}  // namespace
}  // namespace pivotscope
