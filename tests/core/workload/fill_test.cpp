#include "core/workload/generate/fill.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <numeric>
#include <vector>

namespace pivotscope {
namespace {

// What a control was told, in any order.
struct told {
  std::mutex mutex;
  std::vector<std::string> stages;
  std::vector<double> fractions;
  job_control control = job_control([this](std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex);
    stages.emplace_back(stage), fractions.push_back(fraction);
  });
};

TEST(for_each_index, meets_each_index_once) {
  for (const u64 n : {u64{0}, u64{1}, fill_chunk - 1, fill_chunk, fill_chunk + 1, 2 * fill_chunk, 3 * fill_chunk + 7}) {
    std::vector<std::atomic<u8>> met(n);
    ASSERT_TRUE(for_each_index(n, [&](u64 i) { ++met[i]; }, "working", {}).ok());
    for (const auto& one : met) ASSERT_EQ(one, 1) << n;
  }
}

TEST(for_each_index, tells_how_much_is_done) {
  told all;
  ASSERT_TRUE(for_each_index(
                  2 * fill_chunk + fill_chunk / 2, [](u64) {}, "working", all.control)
                  .ok());
  ASSERT_EQ(all.stages, std::vector<std::string>(4, "working"));
  EXPECT_EQ(all.fractions[0], 0);
  std::sort(all.fractions.begin(), all.fractions.end());
  // Chunks end in any order: the half one adds a fifth, the others two.
  EXPECT_EQ(all.fractions[3], 1);
  EXPECT_TRUE(all.fractions[1] == 0.2 || all.fractions[1] == 0.4) << all.fractions[1];
  EXPECT_TRUE(all.fractions[2] == 0.6 || all.fractions[2] == 0.8) << all.fractions[2];
}

TEST(for_each_index, ends_when_cancelled) {
  job_control control;
  control.cancel();
  u64 met = 0;
  const status ended = for_each_index(
      10, [&](u64) { ++met; }, "working", control);
  ASSERT_FALSE(ended.ok());
  EXPECT_TRUE(ended.error().cancelled);
  EXPECT_EQ(met, 0u);
}

TEST(fill, writes_the_formula_s_values) {
  std::vector<u32> out(fill_chunk + 3);
  ASSERT_TRUE(fill(std::span(out), [](u64 i) { return i * i + 1; }, "filling", {}).ok());
  for (u64 i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<u32>(i * i + 1));
}

TEST(key_array, is_of_either_width) {
  const key_array narrow(key_width::u32, 3), wide(key_width::u64, 2), none;
  EXPECT_EQ(narrow.width(), key_width::u32);
  EXPECT_EQ(narrow.size(), 3u);
  EXPECT_EQ(narrow[2], 0u);
  EXPECT_EQ(wide.width(), key_width::u64);
  EXPECT_EQ(wide.size(), 2u);
  EXPECT_EQ(wide[1], 0u);
  EXPECT_EQ(none.width(), key_width::u32);
  EXPECT_EQ(none.size(), 0u);
  const key_array keys(std::vector<u32>{7, 0xFFFFFFFF}), long_keys(std::vector<u64>{7, ~0ull});
  EXPECT_EQ(keys[1], 0xFFFFFFFFull);
  EXPECT_EQ(long_keys[1], ~0ull);
  EXPECT_EQ(keys.data(), keys.as<u32>().data());
  EXPECT_EQ(long_keys.data(), long_keys.as<u64>().data());
}

}  // namespace
}  // namespace pivotscope
