// Traffic on cases small enough to count by hand.
#include "core/traffic/traffic.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/index/family.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;

const traffic_machine no_caches{.l1_bytes = 0, .l2_bytes = 0, .processors = 132};

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
  const auto model = model_of(*index);
  EXPECT_EQ(levels_that_fit(*model, 0, 64), 0u);
  EXPECT_EQ(levels_that_fit(*model, 7 * 8, 64), 3u);
  EXPECT_EQ(levels_that_fit(*model, 15 * 8 - 1, 64), 3u);
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
  const auto model = model_of(*index);
  // Steps of 4096, 2048, 1024, 512 reach 0, 1, 2, 4 keys.
  EXPECT_EQ(levels_that_fit(*model, 7 * 64, 64), 4u);
  EXPECT_EQ(levels_that_fit(*model, 7 * 64 - 1, 64), 3u);
  EXPECT_EQ(levels_that_fit(*model, (1 << 12) * 8, 64), model->levels() + 1);
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

TEST(traffic, each_memory_may_be_the_narrowest) {
  traffic t;
  t.lookups = 100;
  t.l2_requests[1] = 300;
  t.within_l2.lines = 500;
  t.past_l2.lines = 400;
  const index_config config = config_of("AO+BS");
  traffic_prediction p = predict(t, config, 1'000'000, {});
  EXPECT_DOUBLE_EQ(p.l1_ms, 1e3 * (9e6 + 8e6 / 128) / 261e9) << "and the lines of the batch";
  EXPECT_EQ(p.bound(), "L1");
  EXPECT_DOUBLE_EQ(p.ms(), p.l1_ms);
  t.l2_requests[1] = 3000;
  p = predict(t, config, 1'000'000, {});
  EXPECT_EQ(p.bound(), "L2");
  EXPECT_DOUBLE_EQ(p.ms(), p.l2_ms);
  t.dram_requests[2] = 10'000;
  p = predict(t, config, 1'000'000, {});
  EXPECT_EQ(p.bound(), "DRAM");
  EXPECT_DOUBLE_EQ(p.ms(), p.dram_ms);
}

// Steps of 32 lookups one after another, over the warps that there is room for.
TEST(traffic, latency_may_be_the_narrowest) {
  traffic t;
  t.lookups = 3200;
  t.waits = {100, 200, 300};
  const double step_seconds = 100 * 97e-9 + 200 * 226e-9 + 300 * 615e-9, all = 1 << 26, scale = all / 3200;
  const auto latency_of = [&](const char* line) { return predict(t, config_of(line), 1 << 26, {}).latency_ms; };
  const auto over = [&](u32 warps_a_processor) { return 1e3 * step_seconds * scale / (132.0 * warps_a_processor); };
  EXPECT_DOUBLE_EQ(latency_of("AO+BS"), over(64));
  EXPECT_EQ(predict(t, config_of("AO+BS"), 1 << 26, {}).bound(), "latency");
  EXPECT_DOUBLE_EQ(latency_of("AO+BS schedule=static threads=128 per_thread=16"), over(4))
      << "a block a multiprocessor";
  EXPECT_DOUBLE_EQ(latency_of("AO+BS schedule=static blocks_per_sm=2 threads=128 per_thread=16"), over(8));
  EXPECT_DOUBLE_EQ(latency_of("AO+BS threads=64"), over(64)) << "32 blocks of two warps";
  EXPECT_DOUBLE_EQ(latency_of("AO+BS pin=full scratch=96KiB"), over(16)) << "two blocks have room for so much scratch";
  EXPECT_DOUBLE_EQ(latency_of("AO+BS flight=4 per_thread=4"), over(64) / 4);
  EXPECT_DOUBLE_EQ(latency_of("PACKED lanes=4"), over(64) / 4) << "a group's lookups go in step";
  EXPECT_DOUBLE_EQ(latency_of("HT+OA lanes=8"), over(64) / 8);
  EXPECT_DOUBLE_EQ(latency_of("EO+KS fanout=9 lanes=8"), over(64)) << "and these one after another";
  EXPECT_DOUBLE_EQ(predict(t, config_of("AO+BS"), 320, {}).latency_ms, 1e3 * step_seconds * 0.1 / 10)
      << "ten warps are all that there are";
}

// Whatever the GPU's rates are, they are those that it takes.
TEST(traffic, takes_the_rates_of_the_gpu_that_is_modelled) {
  traffic t;
  t.lookups = 1000;
  t.within_l2.lines = 2000;
  t.l2_requests = {0, 100, 200, 300, 400};
  t.dram_requests = {0, 50, 60};
  t.past_l2_bytes = 1 << 20;
  t.scattered_requests = 500, t.index_bytes = 1 << 30;
  const traffic_machine gpu{.rates = {.device = "a GPU",
                                      .built_in = false,
                                      .l1_lines = 1e9,
                                      .l2 = {0, 2e9, 3e9, 4e9, 5e9},
                                      .dram = {{1 << 10, 6e9, 7e9}},
                                      .scattered = {{1 << 10, 9e9}, {1 << 20, 4e9}},
                                      .stream_bytes = 8e9}};
  const traffic_prediction p = predict(t, config_of("AO+BS"), 1'000'000, gpu);
  EXPECT_DOUBLE_EQ(p.l1_ms, 1e3 * (2e6 + 8e6 / 128) / 1e9);
  EXPECT_DOUBLE_EQ(p.l2_ms, 1e3 * (1e5 / 2e9 + 2e5 / 3e9 + 3e5 / 4e9 + 4e5 / 5e9));
  EXPECT_DOUBLE_EQ(p.dram_ms, 1e3 * (5e4 / 6e9 + 6e4 / 7e9 + 8e6 / 8e9));
  EXPECT_DOUBLE_EQ(p.pages_ms, 1e3 * 5e5 / 4e9);
  t.scattered_requests = 50'000;
  EXPECT_EQ(predict(t, config_of("AO+BS"), 1'000'000, gpu).bound(), "pages");
  EXPECT_EQ(predict(t, config_of("AO+BS"), 1'000'000, {}).pages_ms, 0) << "of an H200 it is not built in";
  machine_info cuda;
  cuda.kind = machine_kind::cuda, cuda.processors = 7;
  EXPECT_EQ(modelled_gpu(cuda, gpu.rates).rates, gpu.rates);
  EXPECT_EQ(modelled_gpu(cuda, gpu.rates).processors, 7u);
  EXPECT_EQ(modelled_gpu({}, gpu.rates).rates, gpu.rates);
  EXPECT_EQ(modelled_gpu(cuda).rates, device_rates());
}

// Ascending order has the keys of a level all over the array; Eytzinger's lie together, and past L2 are scattered all the same.
TEST(traffic, requests_are_scattered_where_keys_are) {
  const key_array lookups = drawn_from(1 << 14, 4096);
  const auto scattered = [&](const char* line, u64 l2) {
    const traffic t = count_of(line, 1 << 14, lookups, {.l1_bytes = 0, .l2_bytes = l2});
    const double requests = t.l2_requests[1] + t.l2_requests[2] + t.l2_requests[3] + t.l2_requests[4];
    EXPECT_GT(requests, 0);
    return t.scattered_requests / requests;
  };
  EXPECT_EQ(scattered("AO+BS", 1 << 30), 1);
  EXPECT_EQ(scattered("EO+BS", 1 << 30), 0);
  EXPECT_EQ(scattered("EO+BS", 0), 1);
  EXPECT_GT(scattered("EO+BS", 1 << 15), 0);
  EXPECT_LT(scattered("EO+BS", 1 << 15), 0.5);
  const traffic in_l1 = count_of("AO+BS", 1 << 14, lookups, {.l1_bytes = 1 << 24});
  EXPECT_EQ(in_l1.scattered_requests, 0) << "L1 has it all";
}

TEST(traffic, rates_between_the_measured_sizes) {
  EXPECT_EQ(device_rates().gathers_per_second(0, 1), 119e9);
  EXPECT_EQ(device_rates().gathers_per_second(u64{1} << 40, 1), 36e9);
  EXPECT_DOUBLE_EQ(device_rates().gathers_per_second(512'000'000, 1), 38e9);
  EXPECT_NEAR(device_rates().gathers_per_second(256'000'000, 1), 43e9, 1e6);
}

TEST(traffic, rates_of_the_measured_sizes_are_the_table_s) {
  const struct {
    u64 bytes;
    double one, two;
  } table[] = {{32'000'000, 119e9, 73e9},
               {64'000'000, 67e9, 53e9},
               {128'000'000, 48e9, 42e9},
               {512'000'000, 38e9, 33e9},
               {2'000'000'000, 36e9, 30e9}};
  for (const auto& row : table) {
    EXPECT_DOUBLE_EQ(device_rates().gathers_per_second(row.bytes, 1), row.one) << row.bytes;
    EXPECT_DOUBLE_EQ(device_rates().gathers_per_second(row.bytes, 2), row.two) << row.bytes;
  }
  EXPECT_EQ(device_rates().gathers_per_second(31'999'999, 2), 73e9);
  EXPECT_EQ(device_rates().gathers_per_second(2'000'000'001, 2), 30e9);
  // Halfway by the logarithm: the middle of the rates.
  EXPECT_NEAR(device_rates().gathers_per_second(45'254'834, 1), 93e9, 1e4);
  EXPECT_NEAR(device_rates().gathers_per_second(90'509'668, 2), 47.5e9, 1e4);
  EXPECT_NEAR(device_rates().gathers_per_second(1'011'928'851, 2), 31.5e9, 1e4);
}

// The formula of docs/traffic.md by numbers that can be worked out on paper.
TEST(traffic, a_prediction_by_hand) {
  traffic t;
  t.lookups = 1000;
  t.l2_requests = {0, 100, 200, 300, 400};  // of 1000 lookups: times 1000 for a million
  t.dram_requests = {0, 50, 60};
  t.fill_requests = {0, 3, 2, 1, 4};  // 3 + 4 + 3 + 16 = 26 sectors a block
  t.past_l2_bytes = 64'000'000;
  index_config c = config_of("AO+BS threads=512 per_thread=2");
  EXPECT_EQ(tile_lookups(c.launch), 1024u);
  const u64 tiles = 977;  // 1,000,000 / 1024, and a rest
  const double requests = 1e5 / 150e9 + 2e5 / 79e9 + 7e5 / 73e9;
  const double a_fill = 3 / 150e9 + 2 / 79e9 + 5 / 73e9;
  traffic_prediction p = predict(t, c, 1'000'000, {});
  EXPECT_EQ(p.lookups, 1'000'000u);
  EXPECT_DOUBLE_EQ(p.l2_ms, 1e3 * (requests + tiles * a_fill));
  EXPECT_DOUBLE_EQ(p.fill_bytes, tiles * 26 * 32 / 1e6);
  EXPECT_DOUBLE_EQ(p.dram_ms, 1e3 * (5e4 / 67e9 + 6e4 / 53e9 + 8e6 / 4.27e12));
  EXPECT_DOUBLE_EQ(p.ms(), p.l2_ms);
  EXPECT_DOUBLE_EQ(p.lookups_per_second(), 1e9 / p.l2_ms);
  t.fill_in_l1 = true;
  EXPECT_DOUBLE_EQ(predict(t, c, 1'000'000, {}).l2_ms, 1e3 * requests) << "but the bytes are still fetched";
  EXPECT_DOUBLE_EQ(predict(t, c, 1'000'000, {}).fill_bytes, tiles * 26 * 32 / 1e6);
  t.fill_in_l1 = false;
  c.launch.schedule = schedule_kind::fixed;
  c.launch.blocks_per_sm = 3;
  EXPECT_DOUBLE_EQ(predict(t, c, 1'000'000, {.processors = 10}).fill_bytes, 30 * 26 * 32 / 1e6);
  EXPECT_DOUBLE_EQ(predict(t, c, 1'000'000, {.processors = 1000}).fill_bytes, tiles * 26 * 32 / 1e6);
  c.keys = key_width::u64;
  EXPECT_DOUBLE_EQ(predict(t, c, 1'000'000, {}).dram_ms, 1e3 * (5e4 / 67e9 + 6e4 / 53e9 + 12e6 / 4.27e12));
}

TEST(traffic, sums_are_of_both_parts) {
  traffic t;
  t.within_l2 = {.loads = 1, .bytes = 2, .sectors = 3, .atoms = 4, .lines = 5};
  t.past_l2 = {.loads = 10, .bytes = 20, .sectors = 30, .atoms = 40, .lines = 50};
  t.l2_requests = {1000, 1, 10, 100, 0.5};
  t.dram_requests = {1000, 3, 50};
  EXPECT_EQ(t.loads(), 11u);
  EXPECT_EQ(t.bytes(), 22u);
  EXPECT_EQ(t.sectors(), 33u);
  EXPECT_EQ(t.atoms(), 44u);
  EXPECT_EQ(t.lines(), 55u);
  EXPECT_EQ(t.l2_sectors(), 1 + 20 + 300 + 2);
  EXPECT_EQ(t.dram_atoms(), 103u);
}

TEST(traffic, its_json_is_a_lookup_s_share) {
  traffic t;
  t.lookups = 4, t.tiles = 2, t.steps = 10, t.scratch_bytes = 6;
  t.within_l2 = {.loads = 4, .bytes = 8, .sectors = 12, .atoms = 16, .lines = 20};
  t.past_l2 = {.loads = 6, .bytes = 10, .sectors = 14, .atoms = 18, .lines = 22};
  t.l2_requests = {0, 2, 3, 0, 0}, t.scattered_requests = 1;
  t.dram_requests = {0, 1, 2};
  t.waits = {2, 4, 6};
  t.fill_bytes = 64, t.fill_requests = {0, 0, 1, 0, 1}, t.fill_in_l1 = true;
  t.l1_levels = 3, t.l2_levels = 5, t.index_bytes = 1000, t.past_l2_bytes = 300;
  nlohmann::json json;
  to_json(json, t);
  const nlohmann::json right = {
      {"lookups", 4},
      {"tiles", 2},
      {"index_bytes", 1000},
      {"past_l2_bytes", 300},
      {"l1_levels", 3},
      {"l2_levels", 5},
      {"fill_bytes_a_block", 64},
      {"fill_sectors_a_block", 6.0},
      {"fill_in_l1", true},
      {"per_lookup",
       {{"steps", 2.5},
        {"within_l2", {{"loads", 1.0}, {"bytes", 2.0}, {"sectors", 3.0}, {"atoms", 4.0}, {"lines", 5.0}}},
        {"past_l2", {{"loads", 1.5}, {"bytes", 2.5}, {"sectors", 3.5}, {"atoms", 4.5}, {"lines", 5.5}}},
        {"scratch_bytes", 1.5},
        {"l2_sectors", 2.0},
        {"scattered_requests", 0.25},
        {"dram_atoms", 1.25},
        {"waits_l1", 0.5},
        {"waits_l2", 1.0},
        {"waits_dram", 1.5}}}};
  EXPECT_EQ(json, right);
  to_json(json, traffic{});
  EXPECT_EQ(json["per_lookup"]["steps"], 0.0) << "no lookups, no shares";

  const traffic_prediction p{
      .lookups = 7, .fill_bytes = 1.5, .l1_ms = 1, .l2_ms = 2, .pages_ms = 3, .dram_ms = 3.5, .latency_ms = 2.5};
  EXPECT_EQ(prediction_json(p, "by the rates of none"), (nlohmann::json{{"words", "by the rates of none"},
                                                                        {"lookups", 7},
                                                                        {"fill_bytes", 1.5},
                                                                        {"l1_ms", 1.0},
                                                                        {"l2_ms", 2.0},
                                                                        {"pages_ms", 3.0},
                                                                        {"dram_ms", 3.5},
                                                                        {"latency_ms", 2.5},
                                                                        {"bound", "DRAM"},
                                                                        {"ms", 3.5},
                                                                        {"lookups_per_second", 2000.0}}));
}

TEST(traffic, can_be_cancelled) {
  const auto index = build_on_cpu(config_of("AO+BS"), even_keys(100));
  job_control control;
  control.cancel();
  const auto counted = count_traffic(*index, drawn_from(100, 64), 64, {}, control);
  ASSERT_FALSE(counted);
  EXPECT_TRUE(counted.error().cancelled);
}

TEST(traffic, tells_how_many_lookups_it_has_traced) {
  std::vector<double> fractions;
  const job_control control([&](std::string_view stage, double fraction) {
    EXPECT_EQ(stage, "tracing lookups");
    fractions.push_back(fraction);
  });
  const auto index = build_on_cpu(config_of("AO+BS threads=64"), even_keys(100));
  ASSERT_TRUE(count_traffic(*index, drawn_from(100, 128), 128, {}, control));
  EXPECT_EQ(fractions, (std::vector<double>{0, 0.25, 0.5, 0.75}));
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
