// Every config against the reference, on the cpu and the trace machine.
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <mutex>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/reference/reference.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/part.hpp"
#include "tests/support/small_configs.hpp"
#include "tests/support/small_keys.hpp"
#include "tests/support/traced_rows.hpp"

namespace pivotscope {
namespace {

using testing::key_pattern;

struct tally {
  std::atomic<u64> configs{0}, lookups{0}, traced{0};
};

// Tracing is most of the time: above so many keys every third lookup is, of the next config the next third.
constexpr u64 all_traced_to = 100, all_patterns_to = 40;

// The lookups that are traced, by their places.
std::vector<std::size_t> traced_places(std::size_t lookups, u64 n, u64 turn) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < lookups; ++i)
    if (n <= all_traced_to || i % 3 == turn % 3) places.push_back(i);
  return places;
}

// A wrong answer as one line that `pivotscope trace` accepts, but for the keys.
std::string failure(const ordered_config& c, u64 n, key_pattern pattern, u64 key, u32 row, const char* machine) {
  return std::string(machine) + ": --config \"" + to_line(c) + "\" n=" + std::to_string(n) + " (" +
         testing::pattern_name(pattern) + ") --lookup " + std::to_string(key) + " answered " + std::to_string(row);
}

template <class Key>
std::string check_config(machine& cpu, const ordered_config& c, const std::shared_ptr<const resident_keys>& resident,
                         const reference& truth, const std::vector<Key>& lookups, key_pattern pattern, u64 n,
                         bool traced, tally& counts, u64 turn = 0) {
  const job_control control;
  auto index = cpu.build(c, resident, control);
  if (!index) return index.error().words;
  auto result = cpu.run(**index, {operation::find, key_array(lookups)}, {}, control);
  if (!result) return result.error().words;
  for (u64 i = 0; i < lookups.size(); ++i) {
    if (!truth.accepts(lookups[i], result->answers.found[i])) {
      return failure(c, n, pattern, lookups[i], result->answers.found[i], "cpu");
    }
  }
  if (traced) {
    const std::vector<std::size_t> places = traced_places(lookups.size(), n, turn);
    std::vector<Key> keys;
    for (const std::size_t i : places) keys.push_back(lookups[i]);
    const auto rows = testing::traced_rows(**index, keys);
    if (!rows) return rows.error().words;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if ((*rows)[i] == result->answers.found[places[i]]) continue;
      return failure(c, n, pattern, keys[i], (*rows)[i], "trace");
    }
    counts.traced += places.size();
  }
  counts.lookups += lookups.size();
  ++counts.configs;
  return {};
}

// n from 0 to 300, every order, K, lanes 1 to K - 1, both layouts. The patterns take turns, all of them where n is
// small; the gate leaves sizes out where it is not. Every lookup on the cpu machine; on the trace machine too up to 100 keys, and then
// every third.
template <class Key>
void exhaustive(key_width width, tally& counts) {
  const auto configs = testing::lookup_configs(width);
  std::mutex mutex;
  std::string wrong;
  tbb::parallel_for(u64{0}, u64{301}, [&](u64 n) {
    if (n > all_patterns_to && !testing::part().has(n)) return;
    auto cpu = open_machine(machine_kind::cpu);
    const key_pattern patterns[] = {key_pattern::spaced, key_pattern::with_extremes, key_pattern::pairs,
                                    key_pattern::all_equal, key_pattern::all_greatest};
    for (u64 p = 0; p < std::size(patterns); ++p) {
      if (n > all_patterns_to && n % std::size(patterns) != p) continue;
      const auto keys = testing::pattern_keys<Key>(patterns[p], n);
      const auto lookups = testing::telling_lookups(keys);
      const reference truth{key_array(keys)};
      const auto resident = (*cpu)->load(key_array(keys), job_control{});
      for (u64 i = 0; i < configs.size(); ++i) {
        const std::string said =
            resident ? check_config(**cpu, configs[i], *resident, truth, lookups, patterns[p], n, true, counts, i)
                     : resident.error().words;
        const std::scoped_lock lock(mutex);
        if (!said.empty() && wrong.empty()) wrong = said;
        if (!wrong.empty()) return;
      }
    }
  });
  EXPECT_EQ(wrong, "");
}

u64 sizes_and_patterns() { return 41 * 5 + testing::part().of(301) - testing::part().of(41); }

TEST(LookupExhaustive, EveryConfigAndSizeTo300With32BitKeys) {
  tally counts;
  exhaustive<u32>(key_width::u32, counts);
  EXPECT_GE(testing::lookup_configs(key_width::u32).size(), 2u * 3 * (1 + 2 + 4 + 8 + 16 + 32));
  EXPECT_EQ(counts.configs, testing::lookup_configs(key_width::u32).size() * sizes_and_patterns());
  EXPECT_GT(counts.traced * 3, counts.lookups);
  RecordProperty("lookups", std::to_string(counts.lookups));
}

TEST(LookupExhaustive, EveryConfigAndSizeTo300With64BitKeys) {
  tally counts;
  exhaustive<u64>(key_width::u64, counts);
  EXPECT_EQ(counts.configs, testing::lookup_configs(key_width::u64).size() * sizes_and_patterns());
  EXPECT_GT(counts.traced * 3, counts.lookups);
}

// Every subset of six neighbouring keys, at both ends of the width.
TEST(LookupExhaustive, EverySubsetOfSixKeysAtBothEndsOfTheWidth) {
  auto cpu = open_machine(machine_kind::cpu);
  tally counts;
  for (const u32 base : {0u, greatest_key<u32>() - 5}) {
    std::vector<u32> lookups;
    for (u32 k = 0; k < 6; ++k) lookups.push_back(base + k);
    for (u32 subset = 0; subset < 64; ++subset) {
      std::vector<u32> keys;
      for (u32 k = 0; k < 6; ++k) {
        if (subset >> k & 1) keys.push_back(base + (k * 5 + 2) % 6);
      }
      const reference truth{key_array(keys)};
      const auto resident = (*cpu)->load(key_array(keys), job_control{});
      ASSERT_TRUE(resident);
      for (const ordered_config& c : testing::lookup_configs(key_width::u32)) {
        ASSERT_EQ(check_config(**cpu, c, *resident, truth, lookups, key_pattern::spaced, keys.size(), true, counts),
                  "");
      }
    }
  }
  EXPECT_EQ(counts.configs, 2u * 64 * testing::lookup_configs(key_width::u32).size());
}

// Every optimisation is neutral, around every boundary: pinned keys that end anywhere in a level, pivots trimmed to any
// height, tiles sorted or not, tiles taken in any order. Small tiles, so that there are many and the last is ragged.
// Every n to 100, then every fifth.
void expect_neutral(std::vector<ordered_config> (*variants)(const ordered_config&), u64 most_keys, u64 variants_each) {
  std::mutex mutex;
  std::string wrong;
  tally counts;
  std::atomic<u64> sizes{0};
  tbb::parallel_for(u64{0}, most_keys + 1, [&](u64 n) {
    if (n > 100 && n % 5 != 0) return;
    ++sizes;
    auto cpu = open_machine(machine_kind::cpu);
    const key_pattern pattern = static_cast<key_pattern>(n % 5);
    const auto keys = testing::pattern_keys<u32>(pattern, n);
    const auto lookups = testing::telling_lookups(keys);
    const reference truth{key_array(keys)};
    const auto resident = (*cpu)->load(key_array(keys), job_control{});
    for (const ordered_config& base : testing::shape_configs()) {
      for (const ordered_config& c : variants(base)) {
        if (check(c)) continue;
        const std::string said = check_config(**cpu, c, *resident, truth, lookups, pattern, n, n % 8 == 3, counts);
        const std::scoped_lock lock(mutex);
        if (!said.empty() && wrong.empty()) wrong = said;
        if (!wrong.empty()) return;
      }
    }
  });
  EXPECT_EQ(wrong, "");
  EXPECT_GE(counts.configs, sizes * variants_each);
  EXPECT_GT(sizes, 100u);
}

TEST(LookupExhaustive, PinningIsNeutralAtEveryScratchSize) {
  const auto variants = [](const ordered_config& base) {
    std::vector<ordered_config> list;
    for (const pin_kind pin : {pin_kind::steps, pin_kind::full}) {
      for (u32 keys = 4; keys <= 80; keys += 4) {
        ordered_config c = base;
        c.pin = pin;
        c.scratch = 4 * keys;
        c.lanes = keys % 8 == 0 ? base.lanes : 1;
        list.push_back(c);
      }
    }
    return list;
  };
  expect_neutral(variants, 130, 18 * 40);
}

TEST(LookupExhaustive, TrimmedPivotsAreNeutralAtEveryHeight) {
  const auto variants = [](const ordered_config& base) {
    std::vector<ordered_config> list;
    for (u32 kept = 1; kept <= 8; ++kept) {
      for (const u32 lanes : {1u, base.fanout / 2, base.fanout - 1}) {
        for (const entry_layout layout : {entry_layout::aos, entry_layout::soa}) {
          ordered_config c = base;
          c.pivots = kept;
          c.lanes = lanes;
          c.layout = layout;
          list.push_back(c);
        }
      }
    }
    return list;
  };
  expect_neutral(variants, 300, 6 * 48);
}

TEST(LookupExhaustive, SchedulesAndReorderingAreNeutral) {
  const auto variants = [](const ordered_config& base) {
    std::vector<ordered_config> list;
    for (const schedule_kind schedule : {schedule_kind::dynamic, schedule_kind::fixed}) {
      for (const reorder_kind reorder : {reorder_kind::none, reorder_kind::lookup, reorder_kind::both}) {
        for (const u32 per_thread : {1u, 3u}) {
          ordered_config c = base;
          c.launch.schedule = schedule;
          c.launch.reorder = reorder;
          c.launch.threads = 64;
          c.launch.per_thread = per_thread;
          list.push_back(c);
        }
      }
    }
    return list;
  };
  expect_neutral(variants, 300, 18 * 12);
}

}  // namespace
}  // namespace pivotscope
