#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/machine/cpu/radix_sort.hpp"
#include "core/machine/machine.hpp"
#include "core/reference/answer_checker.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/small_configs.hpp"

namespace pivotscope {
namespace {

using testing::config_of;
using ::testing::HasSubstr;

template <class Key>
void expect_stable_sort(u64 n, Key mask) {
  std::mt19937_64 random(n);
  auto keys = std::make_unique<Key[]>(n);
  auto rows = std::make_unique<u32[]>(n);
  std::vector<std::pair<Key, u32>> expected(n);
  for (u64 i = 0; i < n; ++i) {
    keys[i] = static_cast<Key>(random()) & mask;
    rows[i] = static_cast<u32>(i);
    expected[i] = {keys[i], rows[i]};
  }
  std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ASSERT_TRUE(radix_sort_pairs(keys, rows, n, job_control{}));
  for (u64 i = 0; i < n; ++i)
    ASSERT_TRUE(keys[i] == expected[i].first && rows[i] == expected[i].second) << i << " of " << n;
}

TEST(RadixSort, IsAStableSortAtEverySmallSizeAndSomeLargeOnes) {
  for (u64 n = 0; n <= 70; ++n) {
    expect_stable_sort<u32>(n, ~0u);
    expect_stable_sort<u64>(n, ~0ull);
    expect_stable_sort<u32>(n, 3);
  }
  for (const u64 n : {16383ull, 16384ull, 16385ull, 131071ull, 300001ull}) {
    expect_stable_sort<u32>(n, ~0u);
    expect_stable_sort<u64>(n, ~0ull);
    expect_stable_sort<u64>(n, 0xFF00);
  }
}

TEST(RadixSort, StopsWhenCancelled) {
  const u64 n = 100000;
  auto keys = std::make_unique<u32[]>(n);
  auto rows = std::make_unique<u32[]>(n);
  job_control control;
  control.cancel();
  EXPECT_FALSE(radix_sort_pairs(keys, rows, n, control));
}

// A million keys: many tiles, the last one ragged, on every order.
TEST(CpuMachine, AnswersAMillionLookupsRight) {
  const u64 n = 1'000'003;
  std::vector<u32> keys(n);
  for (u64 i = 0; i < n; ++i) keys[i] = static_cast<u32>(i) * 2654435761u;
  std::vector<u32> lookups(n);
  for (u64 i = 0; i < n; ++i) lookups[i] = static_cast<u32>(i) * 2654435761u + (i % 3 == 0);
  auto cpu = open_machine(machine_kind::cpu);
  const key_array key_set(keys), batch(lookups);
  const auto resident = (*cpu)->load(key_set, job_control{});
  ASSERT_TRUE(resident);
  for (const char* line :
       {"AO+BS", "EO+BS per_thread=3", "AO+PB+BS layout=soa", "EO+KS lanes=3", "AO+PB+KS fanout=17 lanes=4"}) {
    const auto index = (*cpu)->build(config_of(line), *resident, job_control{});
    ASSERT_TRUE(index);
    const auto result = (*cpu)->lookup(**index, batch, {.repeats = 2, .warm_ups = 1}, job_control{});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->time.samples_ms.size(), 2u);
    const check_report report = check_answers(key_set, batch, result->answers);
    EXPECT_EQ(report.checked, n);
    EXPECT_EQ(report.wrong, 0u) << line << ": " << report.first_wrong;
    EXPECT_GE(report.found, n * 2 / 3);
  }
}

TEST(CpuMachine, CancelEndsEveryStage) {
  auto cpu = open_machine(machine_kind::cpu);
  const key_array keys(std::vector<u32>(200'000, 5));
  const auto resident = (*cpu)->load(keys, job_control{});
  const auto index = (*cpu)->build(config_of("EO+BS"), *resident, job_control{});
  job_control cancelled;
  cancelled.cancel();
  EXPECT_TRUE((*cpu)->load(keys, cancelled).error().cancelled);
  EXPECT_TRUE((*cpu)->build(config_of("EO+BS"), *resident, cancelled).error().cancelled);
  EXPECT_TRUE((*cpu)->lookup(**index, keys, {}, cancelled).error().cancelled);
}

TEST(CpuMachine, CancelInTheMiddleOfASort) {
  auto cpu = open_machine(machine_kind::cpu);
  std::unique_ptr<job_control> control;
  control = std::make_unique<job_control>([&](std::string_view stage, double fraction) {
    if (stage == "sorting" && fraction > 0.4) control->cancel();
  });
  const auto resident = (*cpu)->load(key_array(std::vector<u32>(200'000, 5)), *control);
  ASSERT_FALSE(resident);
  EXPECT_TRUE(resident.error().cancelled);
}

TEST(CpuMachine, RefusesWhatDoesNotFitTogether) {
  auto cpu = open_machine(machine_kind::cpu);
  const auto narrow = (*cpu)->load(key_array(std::vector<u32>{1, 2}), job_control{});
  EXPECT_THAT((*cpu)->build(config_of("EO+BS keys=u64"), *narrow, job_control{}).error().words, HasSubstr("key width"));
  EXPECT_THAT((*cpu)->build({.fanout = 50}, *narrow, job_control{}).error().words, HasSubstr("fanout=50"));
  const auto index = (*cpu)->build(config_of("EO+BS"), *narrow, job_control{});
  EXPECT_THAT((*cpu)->lookup(**index, key_array(std::vector<u64>{1}), {}, job_control{}).error().words,
              HasSubstr("key width"));
  std::byte byte;
  EXPECT_THAT((*index)->read(array_id::entries, (*index)->bytes(), {&byte, 1}).error().words, HasSubstr("outside"));
  EXPECT_TRUE((*index)->read(array_id::entries, (*index)->bytes() - 1, {&byte, 1}));
}

// Nothing is stored beyond what the order says: the minimal footprints of lightweight, Figure 21(b).
TEST(CpuMachine, FootprintIsTheEntriesAndThePivots) {
  const u64 n = 1 << 16;
  auto cpu = open_machine(machine_kind::cpu);
  const auto resident = (*cpu)->load(key_array(std::vector<u32>(n, 1)), job_control{});
  const auto bytes = [&](const char* line) {
    return (*(*cpu)->build(config_of(line), *resident, job_control{}))->bytes();
  };
  EXPECT_EQ(bytes("AO+BS"), 8 * n);
  EXPECT_EQ(bytes("AO+BS layout=soa"), 8 * n);
  EXPECT_EQ(bytes("EO+BS"), 8 * (n + 1));
  EXPECT_EQ(bytes("EO+KS fanout=9"), 8 * n);
  EXPECT_EQ(bytes("AO+PB+BS"), 8 * n + 4 * (n / 2 - 1));
  EXPECT_LT(bytes("AO+PB+KS fanout=9"), 8 * n + 4 * (n / 8) + 4 * 8 * 8);
}

}  // namespace
}  // namespace pivotscope
