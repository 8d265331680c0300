// Range lookups on a device. Without one every test here is skipped, and says why.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <random>
#include <thread>

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

using testing::check_ranges;
using testing::config_of;
using testing::key_pattern;
using testing::ranges_of;

class GpuRanges : public Gpu {};

// From every key or gap to some further on: ranges of 0, 1, 31, 32, 33, 64 and all entries among them, and one that
// ends before it begins.
template <class Key>
batch telling_ranges(const std::vector<Key>& keys) {
  const std::vector<Key> ends = testing::telling_lookups(keys);
  std::vector<Key> lows, highs;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (const std::size_t further : {0, 1, 2, 3, 7, 31, 32, 33, 64, 93, 96, 99, 200, 480, 1000, 1248, 1251}) {
      lows.push_back(ends[i]), highs.push_back(ends[std::min(i + further, ends.size() - 1)]);
    }
    lows.push_back(ends[i]), highs.push_back(ends[i / 2]);
  }
  return ranges_of(key_array(lows), key_array(highs));
}

template <class Key>
struct small_range_case {
  u64 n;
  key_pattern pattern;
  key_array keys;
  batch ranges;
  std::vector<range_answer> right;
  std::shared_ptr<const resident_keys> resident;

  small_range_case(machine& gpu, u64 size, key_pattern p, const std::vector<Key>& k)
      : n(size), pattern(p), keys(k), ranges(telling_ranges(k)) {
    const reference truth(keys);
    for (u64 i = 0; i < ranges.size(); ++i) right.push_back(truth.range(ranges.keys[i], ranges.highs[i]));
    resident = load_sorted(gpu, keys);
  }
};

template <class Key>
std::string try_case(machine& gpu, const ordered_config& config, const small_range_case<Key>& c,
                     std::atomic<u64>& done) {
  auto index = gpu.build(config, c.resident, job_control{});
  if (!index) return index.error().words;
  auto result = gpu.run(**index, c.ranges, {.rows = true}, job_control{});
  if (!result) return result.error().words;
  const check_report report =
      check_ranges(c.keys, c.ranges, result->answers.ranges, result->answers.begins, result->answers.rows);
  const std::string where =
      to_line(config) + " n=" + std::to_string(c.n) + " (" + testing::pattern_name(c.pattern) + "): ";
  if (report.wrong > 0) return where + report.first_wrong;
  for (u64 i = 0; i < c.right.size(); ++i) {
    if (!(result->answers.ranges[i] == c.right[i]))
      return where + "range " + std::to_string(i) + " is not the reference's";
  }
  done += c.right.size();
  return {};
}

template <class Key>
void exhaustive_ranges(key_width width) {
  auto gpu = open_machine(machine_kind::cuda);
  ASSERT_TRUE(gpu);
  constexpr key_pattern patterns[] = {key_pattern::spaced, key_pattern::with_extremes, key_pattern::pairs,
                                      key_pattern::all_equal, key_pattern::all_greatest};
  std::vector<small_range_case<Key>> cases;
  for (const u64 n : {0, 1, 2, 3, 4, 7, 8, 9, 16, 26, 31, 32, 33, 63, 64, 65, 80, 127, 129, 242, 300}) {
    for (const key_pattern p : patterns) cases.emplace_back(**gpu, n, p, testing::pattern_keys<Key>(p, n));
  }
  // The full steps of a warp's scan.
  cases.emplace_back(**gpu, 600, key_pattern::spaced, testing::pattern_keys<Key>(key_pattern::spaced, 600));
  std::vector<ordered_config> configs;
  u32 turn = 0;
  for (ordered_config c : testing::lookup_configs(width)) {
    c.scan = static_cast<scan_kind>((turn / 2 + turn) % 2);
    c.pin = static_cast<pin_kind>(turn % 3);
    if (c.pin != pin_kind::none) c.scratch = 16 * (1 + turn % 40);
    if (c.order == order_kind::pivot_buffer && turn % 4 == 1) c.pivots = 2;
    if (turn % 7 == 3) c.launch.reorder = static_cast<reorder_kind>(1 + turn % 2);
    ++turn;
    // Many lanes are many alike: some of them.
    if (c.lanes > 4 && c.lanes != c.fanout - 1 && c.lanes % 5 != 0) continue;
    configs.push_back(c);
  }
  std::atomic<std::size_t> next{0};
  std::atomic<u64> ranges{0};
  std::atomic<u32> failures{0};
  const auto work = [&] {
    auto own = open_machine(machine_kind::cuda);
    if (!own) return void(++failures);
    for (std::size_t i; (i = next++) < configs.size() && failures < 10;) {
      for (const small_range_case<Key>& c : cases) {
        const std::string failure = try_case(**own, configs[i], c, ranges);
        if (failure.empty()) continue;
        ++failures;
        std::printf("%s\n", failure.c_str());
        break;
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (u32 t = 0; t < std::clamp(std::thread::hardware_concurrency(), 1u, 8u); ++t) workers.emplace_back(work);
  }
  std::printf("%zu configs, %zu key sets, %llu ranges\n", configs.size(), cases.size(),
              static_cast<unsigned long long>(ranges));
  EXPECT_EQ(failures, 0u);
  u64 each = 0;
  for (const auto& c : cases) each += c.right.size();
  EXPECT_EQ(ranges, each * configs.size());
}

TEST_F(GpuRanges, EveryConfigAtTellingSizesWith32BitKeys) { exhaustive_ranges<u32>(key_width::u32); }
TEST_F(GpuRanges, EveryConfigAtTellingSizesWith64BitKeys) { exhaustive_ranges<u64>(key_width::u64); }

TEST_F(GpuRanges, LargeIndexesAndLongRanges) {
  for (const char* line : {"AO+BS", "AO+BS scan=cooperative", "EO+BS scan=cooperative", "EO+KS fanout=9",
                           "EO+KS fanout=9 scan=cooperative", "AO+PB+KS fanout=9 lanes=2 scan=cooperative",
                           "AO+PB+BS pivots=10 scan=cooperative layout=soa",
                           "AO+PB+KS fanout=17 reorder=double scan=cooperative schedule=static"}) {
    for (const u64 n : {1000003, 1 << 22}) {
      for (const u64 hits : {1, 32, 33, 1000, 100000}) {
        const workload w{.keys = n, .dist = distribution::uniform, .ranges = 1000, .range_hits = hits};
        const auto keys = make_keys(w, key_width::u32);
        const auto ranges = make_batch(w, key_width::u32);
        ASSERT_TRUE(keys && ranges);
        const auto resident = gpu_->load(*keys, control_);
        ASSERT_TRUE(resident) << resident.error().words;
        const auto index = gpu_->build(config_of(line), *resident, control_);
        ASSERT_TRUE(index) << index.error().words;
        const auto result = gpu_->run(**index, *ranges, {.repeats = 2, .rows = hits < 50000}, control_);
        ASSERT_TRUE(result) << result.error().words;
        EXPECT_EQ(result->time.samples_ms.size(), 2u);
        const check_report report =
            check_ranges(*keys, *ranges, result->answers.ranges, result->answers.begins, result->answers.rows);
        ASSERT_EQ(report.wrong, 0u) << line << " n=" << n << " hits=" << hits << "\n" << report.first_wrong;
      }
    }
  }
}

TEST_F(GpuRanges, NothingInNothingOut) {
  const auto none = gpu_->load(key_array(std::vector<u32>{}), control_);
  ASSERT_TRUE(none);
  const auto index = gpu_->build(config_of("EO+KS scan=cooperative"), *none, control_);
  ASSERT_TRUE(index);
  const batch one = ranges_of(key_array(std::vector<u32>{0}), key_array(std::vector<u32>{~0u}));
  const auto missed = gpu_->run(**index, one, {.rows = true}, control_);
  ASSERT_TRUE(missed) << missed.error().words;
  EXPECT_EQ(missed->answers.ranges, std::vector<range_answer>(1));
  EXPECT_EQ(missed->answers.begins, (std::vector<u64>{0, 0}));
  const batch empty = ranges_of(key_array(std::vector<u32>{}), key_array(std::vector<u32>{}));
  const auto nothing = gpu_->run(**index, empty, {.rows = true}, control_);
  ASSERT_TRUE(nothing) << nothing.error().words;
  EXPECT_TRUE(nothing->answers.ranges.empty());
}

TEST_F(GpuRanges, TracesAreTheMachines) {
  const key_array keys = testing::paper_keys_in_order();
  const auto resident = gpu_->load(keys, control_);
  ASSERT_TRUE(resident);
  const auto index = gpu_->build(config_of("EO+BS"), *resident, control_);
  ASSERT_TRUE(index);
  const auto trace = trace_range(**index, 9, 12);
  ASSERT_TRUE(trace) << trace.error().words;
  EXPECT_EQ(trace->range->answer, (range_answer{4, 30}));
}

}  // namespace
}  // namespace pivotscope
