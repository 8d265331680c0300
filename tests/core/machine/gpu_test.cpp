// Answers and arrays of the cuda machine on a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "core/index/check.hpp"
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

using testing::check_answers;
using testing::config_of;
using testing::key_pattern;
using testing::look_up;

// A key set on the device, its lookups and the truth about it.
template <class Key>
struct small_case {
  u64 n;
  key_pattern pattern;
  key_array keys, lookups;
  reference truth;
  std::shared_ptr<const resident_keys> resident;

  small_case(machine& gpu, u64 size, key_pattern p, const std::vector<Key>& k)
      : n(size), pattern(p), keys(k), lookups(testing::telling_lookups(k)), truth(keys) {
    resident = load_sorted(gpu, keys);
  }
};

// Every n from 0 to 300; the patterns take turns, and all of them come where n is small.
template <class Key>
std::vector<small_case<Key>> small_cases(machine& gpu) {
  constexpr key_pattern patterns[] = {key_pattern::spaced, key_pattern::with_extremes, key_pattern::pairs,
                                      key_pattern::all_equal, key_pattern::all_greatest};
  std::vector<small_case<Key>> cases;
  for (u64 n = 0; n <= 300; ++n) {
    for (u64 p = 0; p < std::size(patterns); ++p) {
      if (n <= 10 || n % std::size(patterns) == p) {
        cases.emplace_back(gpu, n, patterns[p], testing::pattern_keys<Key>(patterns[p], n));
      }
    }
  }
  return cases;
}

struct tally {
  std::atomic<u64> indexes{0}, lookups{0};
};

// Builds and looks everything up; where n is small or round the arrays are compared with the cpu machine's too.
template <class Key>
std::string try_case(machine& gpu, machine& cpu, const ordered_config& config, const small_case<Key>& c,
                     tally& counts) {
  const job_control control;
  auto index = gpu.build(config, c.resident, control);
  if (!index) return index.error().words;
  auto result = look_up(gpu, **index, c.lookups, {}, control);
  if (!result) return result.error().words;
  const std::string where =
      "--config \"" + to_line(config) + "\" n=" + std::to_string(c.n) + " (" + testing::pattern_name(c.pattern) + ")";
  for (u64 i = 0; i < c.lookups.size(); ++i) {
    if (c.truth.accepts(c.lookups[i], result->answers.found[i])) continue;
    return where + " --lookup " + std::to_string(c.lookups[i]) + " answered " +
           std::to_string(result->answers.found[i]);
  }
  if (c.n <= 10 || c.n % 50 == 0) {
    auto on_cpu = cpu.load(c.keys, control);
    if (!on_cpu) return on_cpu.error().words;
    auto same = cpu.build(config, *on_cpu, control);
    if (!same) return same.error().words;
    for (const region_id array : {ordered_region::entries, ordered_region::rows, ordered_region::pivots}) {
      if (read_array(**index, array) != read_array(**same, array)) return where + ": the array is not the cpu's";
    }
  }
  ++counts.indexes;
  counts.lookups += c.lookups.size();
  return {};
}

// All configs over all cases, some at a time: compiling wants many cores, and a small launch leaves the GPU idle.
template <class Key>
void exhaustive(key_width width) {
  auto gpu = open_machine(machine_kind::cuda);
  ASSERT_TRUE(gpu) << gpu.error().words;
  const std::vector<small_case<Key>> cases = small_cases<Key>(**gpu);
  if (::testing::Test::HasFailure()) return;
  const std::vector<ordered_config> configs = testing::lookup_configs(width);
  std::atomic<std::size_t> next{0};
  std::atomic<u32> failures{0};
  std::mutex reporting;
  tally counts;
  const auto report = [&](const std::string& words) {
    const std::lock_guard lock(reporting);
    if (++failures <= 20) ADD_FAILURE() << words;
  };
  const auto work = [&] {
    auto own = open_machine(machine_kind::cuda);
    auto cpu = open_machine(machine_kind::cpu);
    if (!own || !cpu) return report(own ? cpu.error().words : own.error().words);
    for (std::size_t i; (i = next++) < configs.size() && failures < 20;) {
      for (const small_case<Key>& c : cases) {
        const std::string failure = try_case(**own, **cpu, configs[i], c, counts);
        if (failure.empty()) continue;
        report(failure);
        break;  // one of a config is enough
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    const u32 threads = std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
    for (u32 t = 0; t < threads; ++t) workers.emplace_back(work);
  }
  std::printf("%zu configs, %llu indexes, %llu lookups\n", configs.size(),
              static_cast<unsigned long long>(counts.indexes), static_cast<unsigned long long>(counts.lookups));
  EXPECT_EQ(counts.indexes, configs.size() * cases.size());
}

TEST_F(Gpu, EveryConfigAtEverySmallSizeWith32BitKeys) { exhaustive<u32>(key_width::u32); }
TEST_F(Gpu, EveryConfigAtEverySmallSizeWith64BitKeys) { exhaustive<u64>(key_width::u64); }

// Sizes where a tree gains a level, a block of the build begins, a tile ends.
TEST_F(Gpu, LargerSizesAroundTheirBoundaries) {
  const char* lines[] = {"AO+BS",
                         "AO+BS keys=u64 layout=soa threads=1024",
                         "EO+BS layout=soa",
                         "EO+KS fanout=3",
                         "EO+KS fanout=9 lanes=3 keys=u64",
                         "EO+KS fanout=17 lanes=4 per_thread=3",
                         "EO+KS fanout=33 lanes=32 layout=soa",
                         "AO+PB+BS keys=u64",
                         "AO+PB+KS fanout=5 lanes=1 per_thread=4",
                         "AO+PB+KS fanout=9 lanes=2",
                         "AO+PB+KS fanout=9 lanes=8 keys=u64 layout=soa",
                         "AO+PB+KS fanout=17 lanes=4 threads=512",
                         "AO+PB+KS fanout=33 lanes=7 layout=soa per_thread=16"};
  std::set<u64> sizes = {255, 256, 257, 65535, 65536, 65537, 1000003};
  for (const u64 fanout : {2, 3, 5, 9, 17, 33}) {
    for (u64 power = fanout; power < 2000000; power *= fanout) {
      if (power > 300) sizes.insert({power - 2, power - 1, power, power + 1});
    }
  }
  u64 tried = 0;
  for (const u64 n : sizes) {
    for (const key_width width : {key_width::u32, key_width::u64}) {
      workload w{.keys = n, .dist = distribution::uniform, .seed = n, .lookups = 4099, .hits = 0.7};
      if (n % 3 == 0) w.dist = distribution::duplicates;
      const auto keys = make_keys(w, width);
      const auto lookups = make_lookups(w, width);
      ASSERT_TRUE(keys && lookups);
      const auto resident = gpu_->load(*keys, control_);
      ASSERT_TRUE(resident) << resident.error().words;
      for (const char* line : lines) {
        ordered_config config = config_of(line);
        if (config.keys != width) continue;
        const auto index = gpu_->build(config, *resident, control_);
        ASSERT_TRUE(index) << index.error().words;
        const auto result = look_up(*gpu_, **index, *lookups, {}, control_);
        ASSERT_TRUE(result) << result.error().words;
        const check_report report = check_answers(*keys, *lookups, result->answers.found);
        ASSERT_EQ(report.wrong, 0u) << line << " n=" << n << "\n" << report.first_wrong;
        ++tried;
      }
    }
  }
  std::printf("%zu sizes, %llu indexes\n", sizes.size(), static_cast<unsigned long long>(tried));
}

// Any block shape, any lanes, any number of lookups: the last tile is ragged in every way.
TEST_F(Gpu, AnyConfigAnswersRaggedBatches) {
  std::mt19937 random(3);
  const auto pick = [&](u32 least, u32 greatest) {
    return std::uniform_int_distribution<u32>(least, greatest)(random);
  };
  for (int i = 0; i < 80; ++i) {
    ordered_config config;
    config.fanout = pick(2, 33);
    config.order = static_cast<order_kind>(pick(0, 2));
    config.lanes = pick(1, config.fanout - 1);
    config.keys = pick(0, 1) ? key_width::u32 : key_width::u64;
    config.layout = pick(0, 1) ? entry_layout::aos : entry_layout::soa;
    config.launch.threads = 32 * pick(2, 32);
    config.launch.per_thread = pick(1, 16);
    if (config.order == order_kind::pivot_buffer) config.pivots = pick(0, 6);
    config.launch.schedule = static_cast<schedule_kind>(pick(0, 1));
    if (config.launch.schedule == schedule_kind::fixed) config.launch.blocks_per_sm = pick(1, 4);
    config.pin = static_cast<pin_kind>(pick(0, 2));
    if (config.pin != pin_kind::none) config.scratch = 16 * pick(1, 4000);
    config.launch.reorder = static_cast<reorder_kind>(pick(0, 2));
    config.flight = 1u << pick(0, 3);
    config.reads = static_cast<entry_reads>(pick(0, 1));
    config = nearest_accepted(config, pick(0, 1) ? "flight" : "");
    ASSERT_FALSE(check(config)) << to_line(config);
    workload w{.keys = pick(1, 100000), .dist = distribution::uniform, .seed = pick(1, 1000), .hits = 0.5};
    const auto keys = make_keys(w, config.keys);
    ASSERT_TRUE(keys);
    const auto resident = gpu_->load(*keys, control_);
    ASSERT_TRUE(resident) << resident.error().words;
    const auto index = gpu_->build(config, *resident, control_);
    ASSERT_TRUE(index) << index.error().words;
    for (const u64 count :
         {u64{1}, u64{31}, u64{config.launch.threads}, u64{config.launch.threads} + 1, u64{pick(1, 100000)}}) {
      w.lookups = count;
      const auto lookups = make_lookups(w, config.keys);
      ASSERT_TRUE(lookups);
      const auto result = look_up(*gpu_, **index, *lookups, {.repeats = 3, .warm_ups = 1}, control_);
      ASSERT_TRUE(result) << result.error().words;
      EXPECT_EQ(result->time.samples_ms.size(), 3u);
      const check_report report = check_answers(*keys, *lookups, result->answers.found);
      ASSERT_EQ(report.wrong, 0u) << to_line(config) << " n=" << w.keys << " lookups=" << count << "\n"
                                  << report.first_wrong;
    }
  }
}

TEST_F(Gpu, SortsLikeTheCpu) {
  const auto cpu = open_machine(machine_kind::cpu);
  ASSERT_TRUE(cpu);
  for (const key_width width : {key_width::u32, key_width::u64}) {
    // Duplicates: only a stable sort gives the same row ids.
    const workload w{.keys = 300001, .dist = distribution::duplicates, .repeat = 7, .seed = 5};
    const auto keys = make_keys(w, width);
    ASSERT_TRUE(keys);
    const auto here = gpu_->load(*keys, control_), there = (*cpu)->load(*keys, control_);
    ASSERT_TRUE(here && there);
    EXPECT_EQ((*here)->size(), keys->size());
    EXPECT_EQ((*here)->width(), width);
    EXPECT_TRUE((*here)->sort_time().samples_ms.empty());
    index_config plain = config_of("PLAIN reorder=lookup");
    plain.keys = width;
    const auto as_they_came = gpu_->build(plain, *here, control_), same = (*cpu)->build(plain, *there, control_);
    ASSERT_TRUE(as_they_came && same);
    EXPECT_TRUE((*here)->sort_time().samples_ms.empty()) << "PLAIN wants no sort";
    EXPECT_EQ((*as_they_came)->key_range(), (*same)->key_range());
    EXPECT_EQ(read_array(**as_they_came, main_region), read_array(**same, main_region));
    ordered_config config = config_of("AO+BS layout=soa");
    config.keys = width;
    const auto a = gpu_->build(config, *here, control_), b = (*cpu)->build(config, *there, control_);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(read_array(**a, ordered_region::entries), read_array(**b, ordered_region::entries));
    EXPECT_EQ(read_array(**a, ordered_region::rows), read_array(**b, ordered_region::rows));
    EXPECT_GT((*here)->sort_time().median(), 0.0);
    EXPECT_EQ((*a)->key_range(), (*b)->key_range());
    const auto of_the_sorted = gpu_->build(plain, *here, control_);
    ASSERT_TRUE(of_the_sorted);
    EXPECT_EQ(read_array(**of_the_sorted, main_region), read_array(**same, main_region));
  }
}

TEST_F(Gpu, TracesAnIndexOfTheDevice) {
  const key_array keys = testing::paper_keys_in_order();
  const auto resident = gpu_->load(keys, control_);
  ASSERT_TRUE(resident);
  for (const char* line : {"AO+BS", "EO+KS fanout=3", "AO+PB+KS fanout=3 layout=soa"}) {
    const auto index = gpu_->build(config_of(line), *resident, control_);
    ASSERT_TRUE(index) << index.error().words;
    EXPECT_EQ((*index)->kind(), machine_kind::cuda);
    EXPECT_EQ((*index)->bytes(), read_array(**index, ordered_region::entries).size() +
                                     read_array(**index, ordered_region::rows).size() +
                                     read_array(**index, ordered_region::pivots).size());
    for (const u64 key : {9, 8}) {
      const auto trace = trace_lookup(**index, key);
      ASSERT_TRUE(trace) << trace.error().words;
      EXPECT_EQ(trace->row, key == 9 ? 6u : not_found) << line;
    }
    std::byte byte{};
    EXPECT_FALSE((*index)->read(ordered_region::entries, (*index)->bytes(ordered_region::entries), {&byte, 1}));
  }
}

TEST_F(Gpu, NothingInNothingOut) {
  for (const char* line : {"AO+BS", "EO+KS", "AO+PB+KS layout=soa"}) {
    const ordered_config config = config_of(line);
    const auto none = gpu_->load(key_array(std::vector<u32>{}), control_);
    ASSERT_TRUE(none) << none.error().words;
    const auto index = gpu_->build(config, *none, control_);
    ASSERT_TRUE(index) << index.error().words;
    const auto missed = look_up(*gpu_, **index, key_array(std::vector<u32>{0, 7, ~0u}), {}, control_);
    ASSERT_TRUE(missed) << missed.error().words;
    EXPECT_THAT(missed->answers.found, ::testing::Each(not_found));
    const auto nothing_asked = look_up(*gpu_, **index, key_array(std::vector<u32>{}), {}, control_);
    ASSERT_TRUE(nothing_asked) << nothing_asked.error().words;
    EXPECT_TRUE(nothing_asked->answers.found.empty());
  }
}

TEST_F(Gpu, SaysWhatAKernelTakes) {
  const ordered_config config = config_of("AO+PB+KS fanout=9 lanes=2");
  const auto info = gpu_->prepare(config, operation::find, control_);
  ASSERT_TRUE(info) << info.error().words;
  EXPECT_EQ(info->name, "lookup");
  EXPECT_GT(info->registers, 0u);
  EXPECT_EQ(info->local_bytes, 0u);
  EXPECT_GT(info->blocks_per_sm, 0u);
  EXPECT_GT(info->occupancy, 0.0);
  EXPECT_LE(info->occupancy, 1.0);
  const auto of_ranges = gpu_->prepare(config, operation::range, control_);
  ASSERT_TRUE(of_ranges) << of_ranges.error().words;
  EXPECT_EQ(of_ranges->name, "count ranges");
  EXPECT_GT(of_ranges->registers, 0u);
}

}  // namespace
}  // namespace pivotscope
