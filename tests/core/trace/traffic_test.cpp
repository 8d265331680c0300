// Traffic on cases small enough to count by hand.
#include "core/trace/traffic.hpp"

#include <gtest/gtest.h>

#include "core/machine/machine.hpp"
#include "core/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;

constexpr traffic_machine no_caches{.l1_bytes = 0, .l2_bytes = 0, .processors = 132};

// 0, 2, 4 ...
key_array even_keys(u32 n) {
  std::vector<u32> keys(n);
  for (u32 i = 0; i < n; ++i) keys[i] = 2 * i;
  return key_array(std::move(keys));
}

key_array drawn_from(u32 n, u32 count) {
  std::vector<u32> lookups(count);
  for (u32 i = 0; i < count; ++i) lookups[i] = 2 * static_cast<u32>((u64{i} * 2654435761u) % n);
  return key_array(std::move(lookups));
}

key_array same(u32 key, u32 count) { return key_array(std::vector<u32>(count, key)); }

traffic count_of(std::string_view line, u32 keys, const key_array& lookups, const traffic_machine& gpu = {}) {
  const auto index = build_on_cpu(config_of(line), even_keys(keys));
  auto counted = count_traffic(*index, lookups, lookups.size(), gpu, job_control{});
  EXPECT_TRUE(counted) << (counted ? "" : counted.error().words);
  return counted ? *counted : traffic{};
}

TEST(traffic, a_warp_with_one_key_touches_what_one_lookup_touches) {
  const auto index = build_on_cpu(config_of("AO+BS"), even_keys(1 << 10));
  const auto one = trace_lookup(*index, 700);
  ASSERT_TRUE(one);
  const traffic t = count_of("AO+BS", 1 << 10, same(700, 32));
  EXPECT_EQ(t.sectors(), one->sectors);
  EXPECT_EQ(t.lines(), one->lines);
  EXPECT_EQ(t.bytes(), 32 * one->bytes);
  EXPECT_EQ(t.steps, 32 * one->steps.size());
  EXPECT_EQ(t.answers, std::vector<u32>(32, 350));
  EXPECT_EQ(t.l2_sectors(), 0);  // 8 KiB lie in L1
  EXPECT_EQ(t.dram_atoms(), 0u);
}

TEST(traffic, a_node_of_eight_keys_is_one_sector) {
  // 728 = 9^3 - 1 keys are three full levels; an odd key is a miss, which goes through all of them.
  for (const char* line : {"EO+KS fanout=9 lanes=1 layout=soa", "EO+KS fanout=9 lanes=2 layout=soa",
                           "EO+KS fanout=9 lanes=8 layout=soa"}) {
    SCOPED_TRACE(line);
    const traffic t = count_of(line, 728, same(7, 32), no_caches);
    const u64 passes = group_threads(config_of(line));  // a group's lookups, one after another
    EXPECT_EQ(t.sectors(), 3 * passes);
    EXPECT_EQ(t.lines(), 3 * passes);
    EXPECT_EQ(t.steps, 32u * 3);
    EXPECT_EQ(t.bytes(), 32u * 3 * 32);
    EXPECT_EQ(t.l2_sectors(), 3);   // the warp touches them again and again
    EXPECT_EQ(t.dram_atoms(), 2u);  // the root and its first child share one
  }
  EXPECT_EQ(count_of("EO+KS fanout=9 lanes=1 layout=soa", 728, same(7, 32)).loads(), 32u * 3 * 2);
  EXPECT_EQ(count_of("EO+KS fanout=9 lanes=8 layout=soa", 728, same(7, 32)).loads(), 32u * 3 * 8);
}

TEST(traffic, sorted_tiles_touch_fewer_lines) {
  const key_array lookups = drawn_from(1 << 14, 4096);
  for (const char* method : {"AO+BS", "EO+BS"}) {
    const std::string line = std::string(method) + " threads=128 per_thread=16";
    const traffic unsorted = count_of(line, 1 << 14, lookups, no_caches);
    const traffic sorted = count_of(line + " reorder=double", 1 << 14, lookups, no_caches);
    EXPECT_LT(sorted.lines(), unsorted.lines()) << method;
    EXPECT_LT(sorted.sectors(), unsorted.sectors()) << method;
    EXPECT_LT(sorted.dram_atoms(), unsorted.dram_atoms()) << method;
    EXPECT_EQ(sorted.bytes(), unsorted.bytes()) << method;
    EXPECT_EQ(sorted.answers, unsorted.answers) << method;
    EXPECT_EQ(sorted.tiles, 2u);
  }
}

TEST(traffic, levels_lie_in_l2_from_the_root_down) {
  const index_config config = config_of("EO+BS");
  const auto index = build_on_cpu(config, even_keys((1 << 12) - 1));
  const index_shape& shape = index->shape();
  EXPECT_EQ(levels_that_fit(config, shape, 0, 64), 0u);
  EXPECT_EQ(levels_that_fit(config, shape, 7 * 8, 64), 3u);
  EXPECT_EQ(levels_that_fit(config, shape, 15 * 8 - 1, 64), 3u);
  // 7 keys are in L2; of the 9 levels below, every step is a miss in DRAM.
  const traffic t = count_of("EO+BS", (1 << 12) - 1, same(1, 32), {.l1_bytes = 0, .l2_bytes = 56});
  EXPECT_EQ(t.l2_levels, 3u);
  EXPECT_EQ(t.within_l2.sectors, 3u);
  EXPECT_EQ(t.past_l2.sectors, 9u);
  EXPECT_EQ(t.past_l2.atoms, 9u);
  EXPECT_EQ(t.dram_atoms(), 9u);
  EXPECT_EQ(t.past_l2_bytes, t.index_bytes - 56);
}

TEST(traffic, scattered_levels_take_a_block_a_key) {
  const index_config config = config_of("AO+BS");
  const auto index = build_on_cpu(config, even_keys(1 << 12));
  // Steps of 4096, 2048, 1024, 512 reach 0, 1, 2, 4 keys.
  EXPECT_EQ(levels_that_fit(config, index->shape(), 7 * 64, 64), 4u);
  EXPECT_EQ(levels_that_fit(config, index->shape(), 7 * 64 - 1, 64), 3u);
  EXPECT_EQ(levels_that_fit(config, index->shape(), (1 << 12) * 8, 64), index->shape().levels + 1);
}

TEST(traffic, a_level_that_half_fits_l1_counts_half) {
  // Levels of 8, 16, 32 ... bytes: with 40 bytes the third level has half its room.
  const traffic t = count_of("EO+BS", 7, same(1, 32), {.l1_bytes = 40});
  EXPECT_EQ(t.l1_levels, 2u);
  EXPECT_EQ(t.l2_sectors(), 0.5);
}

TEST(traffic, scratch_is_filled_by_every_block) {
  const std::string line = "EO+BS pin=steps scratch=1KiB threads=64";
  const key_array lookups = drawn_from(1 << 12, 256);
  const traffic t = count_of(line, 1 << 12, lookups, {.l1_bytes = 1024});
  const u64 pinned = (1 << 8) - 1 + 1;  // eight levels and the empty slot in front
  EXPECT_EQ(t.fill_bytes, pinned * 4);
  EXPECT_EQ(sectors_of(t.fill_requests), pinned * 8 / 32);
  EXPECT_EQ(t.tiles, 4u);
  EXPECT_GT(t.scratch_bytes, 0u);
  EXPECT_LE(t.scratch_bytes, 256u * 8 * 4);
  const traffic_prediction dynamic = predict(t, config_of(line), 256, {});
  EXPECT_DOUBLE_EQ(dynamic.fill_bytes, 4.0 * sectors_of(t.fill_requests) * 32 / 256);
  const index_config fixed = config_of(line + " schedule=static blocks_per_sm=1");
  EXPECT_DOUBLE_EQ(predict(t, fixed, 256, {.processors = 2}).fill_bytes, dynamic.fill_bytes / 2);
}

TEST(traffic, the_model_is_the_longer_of_two) {
  traffic t;
  t.lookups = 100;
  t.l2_requests[1] = 300;
  const index_config config = config_of("AO+BS");
  const traffic_prediction by_l2 = predict(t, config, 1'000'000, {});
  EXPECT_DOUBLE_EQ(by_l2.ms(), 0.02);  // 3 million sectors of 150 G/s
  EXPECT_DOUBLE_EQ(by_l2.lookups_per_second(), 50e9);
  t.dram_requests[1] = 100;
  t.past_l2_bytes = 512'000'000;
  EXPECT_NEAR(predict(t, config, 1'000'000, {}).ms(), 1e9 / 38e9 + 8e9 / 4.27e12, 1e-9);
  EXPECT_EQ(predict(traffic{}, config, 1000, {}).ms(), 0);
  EXPECT_EQ(predict(t, config, 0, {}).lookups_per_second(), 0);
}

TEST(traffic, rates_between_the_measured_sizes) {
  EXPECT_EQ(gathers_per_second(0, 1), 119e9);
  EXPECT_EQ(gathers_per_second(u64{1} << 40, 1), 36e9);
  EXPECT_DOUBLE_EQ(gathers_per_second(512'000'000, 1), 38e9);
  EXPECT_NEAR(gathers_per_second(256'000'000, 1), 43e9, 1e6);
}

TEST(traffic, nothing_moves_nothing) {
  const traffic no_keys = count_of("EO+BS", 0, same(1, 3));
  EXPECT_EQ(no_keys.lookups, 3u);
  EXPECT_EQ(no_keys.sectors(), 0u);
  EXPECT_EQ(no_keys.answers, std::vector<u32>(3, not_found));
  EXPECT_EQ(count_of("AO+BS", 10, key_array(key_width::u32, 0)).lookups, 0u);
}

TEST(traffic, samples_whole_tiles) {
  const auto index = build_on_cpu(config_of("AO+BS threads=64"), even_keys(100));
  const auto counted = count_traffic(*index, drawn_from(100, 200), 65, {}, job_control{});
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->lookups, 128u);
  EXPECT_EQ(counted->tiles, 2u);
}

}  // namespace
}  // namespace pivotscope
