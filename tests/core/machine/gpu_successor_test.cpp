// Successors and lower bounds on a device. Without one every test here is skipped, and says why.
#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/gpu_fixture.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_configs.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::config_of;
using testing::key_pattern;
using testing::successors_of;

class GpuSuccessors : public Gpu {
 protected:
  // Every pattern at telling sizes, for each order, K and layout with one lane and with K - 1; pinned or not, reordered or
  // not, in turn.
  template <class Key>
  void exhaustive(key_width width) {
    constexpr key_pattern patterns[] = {key_pattern::spaced, key_pattern::with_extremes, key_pattern::pairs,
                                        key_pattern::all_equal, key_pattern::all_greatest};
    struct small_case {
      std::string name;
      std::vector<Key> keys, asked;
      std::shared_ptr<const resident_keys> resident;
    };
    std::vector<small_case> cases;
    for (const u64 n : {0, 1, 2, 3, 8, 9, 32, 33, 80, 129, 300}) {
      for (const key_pattern p : patterns) {
        const std::vector<Key> keys = testing::pattern_keys<Key>(p, n);
        const auto resident = gpu_->load(key_array(keys), {});
        ASSERT_TRUE(resident) << resident.error().words;
        cases.push_back({" n=" + std::to_string(n) + " (" + testing::pattern_name(p) + ") ", keys,
                         testing::telling_lookups(keys), *resident});
      }
    }
    u64 checked = 0;
    u32 turn = 0;
    for (ordered_config c : testing::lookup_configs(width)) {
      if (c.lanes != 1 && c.lanes != c.fanout - 1) continue;
      c.pin = static_cast<pin_kind>(++turn % 3);
      if (c.pin != pin_kind::none) c.scratch = 16 * (1 + turn % 40);
      if (c.order == order_kind::pivot_buffer && turn % 4 == 1) c.pivots = 2;
      if (turn % 7 == 3) c.launch.reorder = static_cast<reorder_kind>(1 + turn % 2);
      for (const small_case& one : cases) {
        const auto index = gpu_->build(c, one.resident, {});
        ASSERT_TRUE(index) << index.error().words;
        for (const operation kind : {operation::successor, operation::lower_bound}) {
          const batch asked{kind, key_array(one.asked)};
          const auto result = gpu_->run(**index, asked, {}, {});
          ASSERT_TRUE(result) << result.error().words;
          const check_report report = answer_checker(key_array(one.keys)).check(asked, result->answers);
          ASSERT_EQ(report.wrong, 0u) << to_line(c) << one.name << report.first_wrong;
          checked += report.checked;
        }
      }
    }
    u64 asked = 0;
    for (const small_case& one : cases) asked += one.asked.size();
    EXPECT_EQ(checked, 2 * turn * asked);
    EXPECT_GE(turn, 60u) << "configs";
  }
};

TEST_F(GpuSuccessors, TellingConfigsAtTellingSizesWith32BitKeys) { exhaustive<u32>(key_width::u32); }
TEST_F(GpuSuccessors, TellingConfigsAtTellingSizesWith64BitKeys) { exhaustive<u64>(key_width::u64); }

TEST_F(GpuSuccessors, LargeIndexesAreRightInEveryRun) {
  for (const char* line :
       {"AO+BS", "EO+BS", "EO+KS fanout=9", "EO+KS fanout=17 layout=soa pin=full", "AO+PB+KS fanout=9 lanes=2",
        "AO+PB+BS pivots=10 layout=soa", "AO+PB+KS fanout=17 reorder=double schedule=static"}) {
    for (const operation kind : {operation::successor, operation::lower_bound}) {
      const u64 n = kind == operation::successor ? 1000003 : 1 << 22;
      workload w{.keys = n, .dist = distribution::uniform, .hits = 0.5};
      set_batch_size(w, kind, 1 << 20);
      const auto keys = make_keys(w, key_width::u32);
      const auto asked = make_batch(w, key_width::u32);
      ASSERT_TRUE(keys && asked);
      const auto resident = gpu_->load(*keys, {});
      ASSERT_TRUE(resident) << resident.error().words;
      const auto index = gpu_->build(config_of(line), *resident, {});
      ASSERT_TRUE(index) << index.error().words;
      const auto result = gpu_->run(**index, *asked, {.repeats = 3, .warm_ups = 1}, {});
      ASSERT_TRUE(result) << result.error().words;
      EXPECT_EQ(result->time.samples_ms.size(), 3u);
      EXPECT_EQ(result->time.name, operation_noun(kind));
      EXPECT_EQ(result->kernel.name, info_of(kind).kernel);
      const check_report report = answer_checker(*keys).check(*asked, result->answers);
      ASSERT_EQ(report.wrong, 0u) << line << " n=" << n << "\n" << report.first_wrong;
    }
  }
}

TEST_F(GpuSuccessors, NothingInNothingOut) {
  const auto none = gpu_->load(key_array(std::vector<u32>{}), {});
  ASSERT_TRUE(none);
  const auto index = gpu_->build(config_of("EO+KS"), *none, {});
  ASSERT_TRUE(index);
  const auto missed = gpu_->run(**index, successors_of(key_array(std::vector<u32>{0, ~0u})), {}, {});
  ASSERT_TRUE(missed) << missed.error().words;
  EXPECT_EQ(missed->answers.successors, std::vector<successor_answer>(2));
  const auto nothing = gpu_->run(**index, successors_of(key_array(std::vector<u32>{})), {}, {});
  ASSERT_TRUE(nothing) << nothing.error().words;
  EXPECT_TRUE(nothing->answers.successors.empty());
}

TEST_F(GpuSuccessors, TracesAreTheMachines) {
  const auto resident = gpu_->load(testing::paper_keys_in_order(), {});
  ASSERT_TRUE(resident);
  const auto index = gpu_->build(config_of("EO+BS"), *resident, {});
  ASSERT_TRUE(index);
  const auto trace = trace_next(**index, operation::successor, 9);
  ASSERT_TRUE(trace) << trace.error().words;
  EXPECT_EQ(*trace->successor, (successor_answer{10, 7}));
  EXPECT_EQ(trace_next(**index, operation::lower_bound, 9)->successor->key, 9u);
}

TEST_F(GpuSuccessors, AreRefusedWhereTheFamilyHasNone) {
  const auto resident = gpu_->load(testing::paper_keys_in_order(), {});
  ASSERT_TRUE(resident);
  const auto index = gpu_->build(config_of("PLAIN"), *resident, {});
  ASSERT_TRUE(index);
  const auto refused = gpu_->run(**index, successors_of(key_array(std::vector<u32>{9})), {}, {});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().words.starts_with("PLAIN has no order")) << refused.error().words;
  EXPECT_FALSE(gpu_->prepare(config_of("PLAIN"), operation::successor, {}).ok());
}

}  // namespace
}  // namespace pivotscope
