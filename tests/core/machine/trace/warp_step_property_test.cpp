// A warp's steps against sets of raw bytes, and against the traffic counter, for any config.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/traffic/traffic.hpp"
#include "core/traffic/warp_step.hpp"
#include "tests/support/any_config.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

void expect_step_of_bytes(const warp_step& step, const std::vector<const lookup_trace*>& together, std::size_t s,
                          u32 group) {
  std::set<std::pair<region_id, u64>> bytes, sectors, lines;
  std::set<u32> loading;
  u32 active = 0;
  std::size_t loads = 0;
  for (std::size_t i = 0; i < together.size(); ++i) {
    if (s >= together[i]->steps.size()) continue;
    active += group;
    for (const memory_access& a : together[i]->steps[s].accesses) {
      ++loads;
      loading.insert(static_cast<u32>(i) * group + a.lane);
      for (u64 b = a.byte_offset; a.space == memory_space::global && b < a.byte_offset + a.bytes; ++b)
        bytes.emplace(a.array, b), sectors.emplace(a.array, b / 32), lines.emplace(a.array, b / 128);
    }
  }
  RC_ASSERT(step.loads.size() == loads);
  RC_ASSERT(step.active == active);
  RC_ASSERT(step.loading == loading.size());
  RC_ASSERT(step.loading <= step.active);
  RC_ASSERT(step.bytes == bytes.size());
  RC_ASSERT(step.lines == lines.size());
  RC_ASSERT(step.sectors.size() == sectors.size());
  std::size_t at = 0;
  for (const auto& [array, number] : sectors) {
    RC_ASSERT(step.sectors[at].array == array);
    RC_ASSERT(step.sectors[at].number == number);
    ++at;
  }
  RC_ASSERT(step.least_scratch_passes <= step.scratch_passes);
}

template <class Key>
void expect_counted(const ordered_config& config) {
  ordered_config c = config;
  c.launch.reorder = reorder_kind::none;  // served as they come, a warp after the other
  std::vector<Key> keys = *testing::any_keys<Key>();
  if (keys.size() > 800) keys.resize(800);
  std::vector<Key> lookups(*rc::gen::inRange<std::size_t>(0, 100));
  const u64 seed = *rc::gen::arbitrary<u64>();
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    const u64 random = (seed + i) * 0x9E3779B97F4A7C15ull;
    lookups[i] = keys.empty() || random % 7 == 0 ? static_cast<Key>(random) : keys[(random >> 32) % keys.size()];
  }
  RC_LOG() << to_line(c) << " n=" << keys.size() << " lookups " << lookups.size() << "\n";
  const auto index = testing::build_on_cpu(c, key_array(keys));
  const u32 group = group_threads(c);
  u64 sectors = 0, lines = 0, loads = 0;
  for (std::size_t first = 0; first < lookups.size(); first += 32) {
    std::vector<u64> warp;
    for (std::size_t i = first; i < std::min(first + 32, lookups.size()); ++i) warp.push_back(lookups[i]);
    const std::vector<lookup_trace> traces = *trace_warp(*index, warp);
    for (u32 round = 0; round < group; ++round) {
      std::vector<const lookup_trace*> together;
      for (std::size_t i = round; i < traces.size(); i += group) together.push_back(&traces[i]);
      const std::vector<warp_step> steps = steps_of_warp(together, group);
      std::size_t longest = 0;
      for (const lookup_trace* t : together) longest = std::max(longest, t->steps.size());
      RC_ASSERT(steps.size() == longest);
      for (std::size_t s = 0; s < steps.size(); ++s) {
        expect_step_of_bytes(steps[s], together, s, group);
        sectors += steps[s].sectors.size();
        lines += steps[s].lines;
        for (const thread_load& l : steps[s].loads) loads += l.access.space == memory_space::global ? 1 : 0;
      }
    }
  }
  const outcome<traffic> counted =
      count_traffic(*index, key_array(lookups), lookups.size(), traffic_machine{}, job_control{});
  RC_ASSERT(counted.ok());
  RC_ASSERT(counted->sectors() == sectors);
  RC_ASSERT(counted->lines() == lines);
  RC_ASSERT(counted->loads() == loads);
}

RC_GTEST_PROP(WarpStepProperty, CountsWhatTheTrafficCounterCounts, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) { expect_counted<Key>(c); });
}

}  // namespace
}  // namespace pivotscope
