// The trace machine serves a warp: each lookup's trace is its own, and the lookups go in step.
#include <gtest/gtest.h>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/index_like.hpp"
#include "tests/support/small_configs.hpp"
#include "tests/support/small_keys.hpp"

namespace pivotscope {
namespace {

using testing::build_on_cpu;
using testing::config_of;

void expect_same(const lookup_trace& one, const lookup_trace& of_warp, const std::string& where) {
  EXPECT_EQ(one.row, of_warp.row) << where;
  EXPECT_EQ(one.slot, of_warp.slot) << where;
  EXPECT_EQ(one.key, of_warp.key) << where;
  EXPECT_EQ(one.bytes, of_warp.bytes) << where;
  EXPECT_EQ(one.sectors, of_warp.sectors) << where;
  EXPECT_EQ(one.scratch_bytes, of_warp.scratch_bytes) << where;
  ASSERT_EQ(one.steps.size(), of_warp.steps.size()) << where;
  for (std::size_t s = 0; s < one.steps.size(); ++s) {
    const trace_step &a = one.steps[s], &b = of_warp.steps[s];
    EXPECT_EQ(a.level, b.level) << where;
    EXPECT_TRUE(b.ran.empty() && b.watched.empty()) << "no lines of the source: a warp's traces are many";
    ASSERT_EQ(a.accesses.size(), b.accesses.size()) << where;
    for (std::size_t i = 0; i < a.accesses.size(); ++i) {
      EXPECT_EQ(a.accesses[i].byte_offset, b.accesses[i].byte_offset) << where;
      EXPECT_EQ(a.accesses[i].lane, b.accesses[i].lane) << where;
    }
    ASSERT_EQ(a.compared.size(), b.compared.size()) << where;
    for (std::size_t i = 0; i < a.compared.size(); ++i) {
      EXPECT_EQ(a.compared[i].slot, b.compared[i].slot) << where;
      EXPECT_EQ(a.compared[i].met, b.compared[i].met) << where;
    }
  }
}

TEST(trace_warp, makes_of_each_lookup_what_it_makes_of_it_alone) {
  u64 compared = 0;
  for (ordered_config c : testing::shape_configs()) {
    c.pin = compared % 2 ? pin_kind::full : pin_kind::none;
    for (const u64 n : {0ull, 1ull, 14ull, 100ull}) {
      const auto index = build_on_cpu(c, testing::spaced_keys(n));
      for (const u64 lookups : {0ull, 1ull, 2ull, 31ull, 32ull}) {
        std::vector<u64> keys;
        for (u64 i = 0; i < lookups; ++i) keys.push_back(i * 37 % (3 * n + 2));
        const auto warp = trace_warp(*index, keys);
        ASSERT_TRUE(warp);
        ASSERT_EQ(warp->size(), lookups);
        for (u64 i = 0; i < lookups; ++i) {
          expect_same(*trace_lookup(*index, keys[i]), (*warp)[i], to_line(c) + " key " + std::to_string(keys[i]));
          EXPECT_TRUE((*warp)[i].verdict.empty()) << "no words";
          ++compared;
        }
      }
    }
  }
  EXPECT_EQ(compared, testing::shape_configs().size() * 4 * 66);
}

// Writes down where it is read.
class watched_index final : public testing::index_like {
 public:
  using index_like::index_like;
  status read(region_id region, u64 offset, std::span<std::byte> out) const override {
    reads.push_back(offset);
    return honest->read(region, offset, out);
  }
  mutable std::vector<u64> reads;
};

// K = 2, 8-byte entries: slot s at byte 8 s. 10 is the root (slot 1) of the papers' tree; 1 goes left, 17 right.
TEST(trace_warp, reads_step_by_step_and_not_lookup_by_lookup) {
  const watched_index index(build_on_cpu(config_of("EO+BS"), testing::paper_keys_in_order()));
  const u64 keys[] = {1, 17, 1};
  ASSERT_TRUE(trace_warp(index, keys));
  ASSERT_GE(index.reads.size(), 6u);
  const std::vector<u64> first(index.reads.begin(), index.reads.begin() + 6);
  EXPECT_EQ(first, (std::vector<u64>{8, 8, 8, 16, 24, 16}));
}

TEST(trace_warp, a_key_that_does_not_fit_is_a_problem) {
  const auto index = build_on_cpu(config_of("EO+BS"), testing::spaced_keys(3));
  const u64 keys[] = {1, 1ull << 32};
  EXPECT_FALSE(trace_warp(*index, keys));
}

}  // namespace
}  // namespace pivotscope
