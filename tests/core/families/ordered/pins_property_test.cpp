// Pinning at every scratch size: what is pinned fits, and a search reads from scratch exactly what lies there.
#include <gtest/gtest.h>

#include "core/families/ordered/mapping.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::key_pattern;

// Every fanout, steps and full pinning, a scratch of 4 to 48 keys.
std::vector<ordered_config> pinning_configs() {
  std::vector<ordered_config> list;
  for (const order_kind order : {order_kind::ascending, order_kind::eytzinger, order_kind::pivot_buffer}) {
    for (const u32 fanout : {2u, 3u, 5u, 9u}) {
      for (const pin_kind pin : {pin_kind::steps, pin_kind::full}) {
        for (u32 keys = 4; keys <= 48; keys += 4) {
          list.push_back({.order = order, .fanout = fanout, .pin = pin, .scratch = 4 * keys});
        }
      }
    }
  }
  return list;
}

TEST(PinsProperty, WhatIsPinnedFitsTheScratch) {
  for (const ordered_config& c : pinning_configs()) {
    for (u64 n = 0; n <= 300; ++n) {
      const index_shape s = make_shape(c, n);
      const pin_plan plan = plan_pins(c, s);
      ASSERT_LE(plan.whole, plan.total) << to_line(c) << " n=" << n;
      ASSERT_LE(plan.total, pin_capacity(c)) << to_line(c) << " n=" << n;
      ASSERT_LE(plan.total, s.entry_slots + s.pivot_slots) << to_line(c) << " n=" << n;
    }
  }
}

TEST(PinsProperty, ASearchReadsFromScratchWhatLiesThereAndNothingElse) {
  for (const ordered_config& c : pinning_configs()) {
    if (c.order == order_kind::ascending) continue;  // not slots as they are: golden
    const auto keys = testing::pattern_keys<u32>(key_pattern::spaced, 61);
    const auto index = testing::build_on_cpu(c, key_array(keys));
    ASSERT_TRUE(index);
    const pin_plan plan = plan_pins(c, shape_of(*index));
    const region_id array = c.order == order_kind::eytzinger ? ordered_region::entries : ordered_region::pivots;
    for (const u32 key : testing::telling_lookups(keys)) {
      const auto trace = trace_lookup(*index, key);
      ASSERT_TRUE(trace);
      for (const trace_step& step : trace->steps) {
        for (const memory_access& a : step.accesses) {
          if (a.array != array) continue;
          const bool row_of_a_pinned_key =
              a.space == memory_space::global && a.bytes == sizeof(u32) && array == ordered_region::entries;
          if (row_of_a_pinned_key) continue;
          ASSERT_EQ(a.space == memory_space::scratch, a.slot + a.slots <= plan.total)
              << to_line(c) << " slot " << a.slot << " of " << plan.total << " pinned";
        }
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
