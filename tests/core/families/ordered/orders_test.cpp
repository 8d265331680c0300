// Shapes and mappings of the three orders on trees small enough to draw, as their headers draw them.
#include <gtest/gtest.h>

#include <cstring>

#include "core/batch/pass.hpp"
#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/ordered.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using testing::config_of;

constexpr u64 none = no_rank;

std::vector<u64> entry_ranks(const ordered_config& c, u64 n) {
  const index_shape s = make_shape(c, n);
  std::vector<u64> ranks;
  for (u64 slot = 0; slot < s.entry_slots; ++slot) ranks.push_back(entry_rank(c, s, slot));
  return ranks;
}

std::vector<u64> pivot_ranks(const ordered_config& c, u64 n) {
  const index_shape s = make_shape(c, n);
  std::vector<u64> ranks;
  for (u64 slot = 0; slot < s.pivot_slots; ++slot) ranks.push_back(pivot_rank(c, s, slot));
  return ranks;
}

std::vector<u32> entry_levels(const ordered_config& c, u64 n) {
  const index_shape s = make_shape(c, n);
  std::vector<u32> levels;
  for (u64 slot = 0; slot < s.entry_slots; ++slot) levels.push_back(entry_level(c, s, slot));
  return levels;
}

std::vector<u64> level_begins(const ordered_config& c, u64 n) {
  const index_shape s = make_shape(c, n);
  return {s.level_first, s.level_first + s.levels + 1};
}

TEST(Orders, AscendingIsFigure3) {
  const ordered_config c = config_of("AO+BS");
  const index_shape s = make_shape(c, 14);
  EXPECT_EQ(s.keys, 14u);
  EXPECT_EQ(s.entry_slots, 14u);
  EXPECT_EQ(s.pivot_slots, 0u);
  EXPECT_EQ(s.levels, 4u);
  EXPECT_EQ(s.longest_step, 8u);
  EXPECT_EQ(entry_levels(c, 14), (std::vector<u32>{3, 1, 3, 2, 3, 0, 3, 2, 3, 1, 3, 2, 3, 3}));
  EXPECT_EQ(entry_ranks(c, 3), (std::vector<u64>{0, 1, 2}));
  EXPECT_EQ(entry_rank(c, s, 13), 13u);
  EXPECT_EQ(entry_rank(c, s, 14), none);
}

TEST(Orders, AscendingStepsAreTheGreatestPowerOfKUpToN) {
  const auto steps = [](const char* line, u64 n) {
    const index_shape s = make_shape(config_of(line), n);
    return std::pair(s.longest_step, s.levels);
  };
  EXPECT_EQ(steps("AO+BS", 0), std::pair(0u, 0u));
  EXPECT_EQ(steps("AO+BS", 1), std::pair(1u, 1u));
  EXPECT_EQ(steps("AO+BS", 2), std::pair(2u, 2u));
  EXPECT_EQ(steps("AO+BS", 3), std::pair(2u, 2u));
  EXPECT_EQ(steps("AO+BS", 4), std::pair(4u, 3u));
  EXPECT_EQ(steps("AO+KS fanout=3", 26), std::pair(9u, 3u));
  EXPECT_EQ(steps("AO+KS fanout=3", 27), std::pair(27u, 4u));
  EXPECT_EQ(steps("AO+BS", max_keys), std::pair(1u << 31, 32u));
  EXPECT_EQ(entry_levels(config_of("AO+KS fanout=3"), 10), (std::vector<u32>{0, 2, 2, 1, 2, 2, 1, 2, 2, 2}));
}

TEST(Orders, EytzingerIsTheTreeOfItsHeader) {
  const ordered_config c = config_of("EO+KS fanout=3");
  const index_shape s = make_shape(c, 14);
  EXPECT_EQ(s.entry_slots, 14u);
  EXPECT_EQ(s.levels, 3u);
  EXPECT_EQ(level_begins(c, 14), (std::vector<u64>{0, 2, 8, 14}));
  EXPECT_EQ(entry_ranks(c, 14), (std::vector<u64>{8, 11, 2, 5, 9, 10, 12, 13, 0, 1, 3, 4, 6, 7}));
  EXPECT_EQ(entry_levels(c, 14), (std::vector<u32>{0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}));
}

TEST(Orders, EytzingerWithTwoChildrenKeepsASlotFreeInFront) {
  const ordered_config c = config_of("EO+BS");
  EXPECT_EQ(make_shape(c, 0).entry_slots, 0u);
  EXPECT_EQ(make_shape(c, 0).levels, 0u);
  EXPECT_EQ(entry_ranks(c, 1), (std::vector<u64>{none, 0}));
  EXPECT_EQ(entry_ranks(c, 6), (std::vector<u64>{none, 3, 1, 5, 0, 2, 4}));
  EXPECT_EQ(entry_ranks(c, 7), (std::vector<u64>{none, 3, 1, 5, 0, 2, 4, 6}));
  EXPECT_EQ(level_begins(c, 6), (std::vector<u64>{1, 2, 4, 7}));
}

TEST(Orders, EytzingerLeavesTheRestOfItsLastNodeEmpty) {
  const ordered_config c = config_of("EO+KS fanout=5");
  EXPECT_EQ(entry_ranks(c, 6), (std::vector<u64>{2, 3, 4, 5, 0, 1, none, none}));
  EXPECT_EQ(level_begins(c, 6), (std::vector<u64>{0, 4, 6}));
  EXPECT_EQ(entry_ranks(c, 4), (std::vector<u64>{0, 1, 2, 3}));
  EXPECT_EQ(entry_ranks(c, 3), (std::vector<u64>{0, 1, 2, none}));
}

TEST(Orders, APivotBufferIsTheTreeOfItsHeader) {
  const ordered_config c = config_of("AO+PB+KS fanout=3");
  const index_shape s = make_shape(c, 14);
  EXPECT_EQ(s.levels, 3u);
  EXPECT_EQ(s.leaf_entries, 2u);
  EXPECT_EQ(s.entry_slots, 14u);
  EXPECT_EQ(s.pivot_slots, 8u);
  EXPECT_EQ((std::vector<u64>{s.level_first, s.level_first + 3}), (std::vector<u64>{0, 2, 8}));
  EXPECT_EQ(pivot_ranks(c, 14), (std::vector<u64>{5, 11, 1, 3, 7, 9, none, none}));
  EXPECT_EQ(pivot_level(c, s, 1), 0u);
  EXPECT_EQ(pivot_level(c, s, 2), 1u);
  EXPECT_EQ(pivot_level(c, s, 7), 1u);
  EXPECT_EQ(entry_level(c, s, 0), 2u);
  EXPECT_EQ(entry_rank(c, s, 13), 13u);
}

TEST(Orders, APivotBufferFillsItsLastLeaf) {
  const ordered_config c = config_of("AO+PB+KS fanout=5");
  const index_shape s = make_shape(c, 6);
  EXPECT_EQ(s.leaf_entries, 4u);
  EXPECT_EQ(s.entry_slots, 8u);
  EXPECT_EQ(pivot_ranks(c, 6), (std::vector<u64>{3, none, none, none}));
  EXPECT_EQ(make_shape(c, 4).pivot_slots, 0u) << "one leaf needs none";
  EXPECT_EQ(make_shape(c, 4).levels, 1u);
  EXPECT_EQ(make_shape(c, 0).levels, 0u);
  EXPECT_EQ(make_shape(c, 0).entry_slots, 0u);
}

TEST(Orders, ATrimmedPivotBufferHasLeavesKTimesAsLongForEachLevel) {
  const auto shape = [](u32 kept) {
    ordered_config c = config_of("AO+PB+BS");
    c.pivots = kept;
    return make_shape(c, 14);
  };
  EXPECT_EQ(shape(0).pivot_slots, 7u);
  EXPECT_EQ(shape(3).pivot_slots, 7u);
  EXPECT_EQ(shape(3).leaf_entries, 2u);
  EXPECT_EQ(shape(2).pivot_slots, 3u);
  EXPECT_EQ(shape(2).leaf_entries, 4u);
  EXPECT_EQ(shape(2).longest_step, 4u);
  EXPECT_EQ(shape(1).pivot_slots, 1u);
  EXPECT_EQ(shape(1).leaf_entries, 8u);
  EXPECT_EQ(shape(1).longest_step, 8u);
  EXPECT_EQ(shape(1).levels, 2u);
  EXPECT_EQ(shape(1).entry_slots, 14u) << "no more than without trimming";
}

TEST(Orders, LevelsAreRunsOfSlotsWhereTheyLieTogether) {
  const auto run = [](const char* line, u64 n, u32 level) {
    const ordered_config c = config_of(line);
    return level_slots(c, make_shape(c, n), level);
  };
  EXPECT_FALSE(run("AO+BS", 14, 1).contiguous);
  EXPECT_EQ(run("AO+BS", 14, 1).count, 0u);
  EXPECT_EQ(run("AO+BS", 14, 1).first, 0u);
  EXPECT_TRUE(run("EO+BS", 14, 2).contiguous);
  EXPECT_EQ(run("EO+BS", 14, 2).array, ordered_region::entries);
  EXPECT_EQ(run("EO+BS", 14, 2).first, 4u);
  EXPECT_EQ(run("EO+BS", 14, 2).count, 4u);
  EXPECT_EQ(run("EO+BS", 14, 3).count, 7u);
  EXPECT_EQ(run("AO+PB+KS fanout=3", 14, 1).array, ordered_region::pivots);
  EXPECT_EQ(run("AO+PB+KS fanout=3", 14, 1).first, 2u);
  EXPECT_EQ(run("AO+PB+KS fanout=3", 14, 1).count, 6u);
  EXPECT_EQ(run("AO+PB+KS fanout=3", 14, 2).array, ordered_region::entries);
  EXPECT_EQ(run("AO+PB+KS fanout=3", 14, 2).first, 0u);
  EXPECT_EQ(run("AO+PB+KS fanout=3", 14, 2).count, 14u);
}

std::vector<u64> counts(const char* line, u64 n, region_id array, u64 first, u64 end) {
  const ordered_config c = config_of(line);
  const index_shape s = make_shape(c, n);
  u64 out[max_levels];
  std::fill(std::begin(out), std::end(out), 99);
  count_levels(c, s, array, first, end, out);
  for (u32 level = s.levels; level < max_levels; ++level) EXPECT_EQ(out[level], 0u);
  return {out, out + s.levels};
}

TEST(Orders, SlotsOfEachLevelAreCountedInAnyWindow) {
  EXPECT_EQ(counts("AO+BS", 14, ordered_region::entries, 0, 14), (std::vector<u64>{1, 2, 3, 8}));
  EXPECT_EQ(counts("AO+BS", 14, ordered_region::entries, 5, 6), (std::vector<u64>{1, 0, 0, 0}));
  EXPECT_EQ(counts("AO+BS", 14, ordered_region::entries, 6, 13), (std::vector<u64>{0, 1, 2, 4}));
  EXPECT_EQ(counts("AO+BS", 14, ordered_region::entries, 13, 20), (std::vector<u64>{0, 0, 0, 1}));
  EXPECT_EQ(counts("AO+BS", 14, ordered_region::entries, 6, 6), (std::vector<u64>{0, 0, 0, 0}));
  EXPECT_EQ(counts("AO+BS", 14, ordered_region::pivots, 0, 14), (std::vector<u64>{0, 0, 0, 0}));
  EXPECT_EQ(counts("EO+BS", 14, ordered_region::entries, 0, 15), (std::vector<u64>{1, 2, 4, 7}));
  EXPECT_EQ(counts("EO+BS", 14, ordered_region::entries, 3, 5), (std::vector<u64>{0, 1, 1, 0}));
  EXPECT_EQ(counts("EO+BS", 14, ordered_region::pivots, 0, 15), (std::vector<u64>{0, 0, 0, 0}));
  EXPECT_EQ(counts("AO+PB+KS fanout=3", 14, ordered_region::pivots, 1, 4), (std::vector<u64>{1, 2, 0}));
  EXPECT_EQ(counts("AO+PB+KS fanout=3", 14, ordered_region::entries, 3, 20), (std::vector<u64>{0, 0, 11}));
}

struct planned {
  u32 levels, whole, total;
  u64 unit;
  bool operator==(const planned&) const = default;
};
void PrintTo(const planned& p, std::ostream* to) {
  *to << p.levels << " levels, " << p.whole << " of " << p.total << ", unit " << p.unit;
}

planned plan(const char* line, u64 n) {
  const ordered_config c = config_of(line);
  const pin_plan p = plan_pins(c, make_shape(c, n));
  return {p.levels, p.whole, p.total, p.unit};
}

std::vector<u64> pinned_slots(const char* line, u64 n) {
  const ordered_config c = config_of(line);
  const index_shape s = make_shape(c, n);
  const pin_plan p = plan_pins(c, s);
  std::vector<u64> slots;
  for (u32 i = 0; i < p.total; ++i) slots.push_back(pin_source(c, s, p, i).slot);
  return slots;
}

TEST(Orders, WhatIsPinnedOfAnAscendingArray) {
  // Distances from the last entry: multiples of 8: 2 keys; of 4: 4; of 2: 7.
  EXPECT_EQ(plan("AO+BS", 14), (planned{0, 0, 0, 0}));
  EXPECT_EQ(plan("AO+BS pin=steps scratch=16", 14), (planned{2, 4, 4, 4}));
  EXPECT_EQ(plan("AO+BS pin=steps scratch=32", 14), (planned{3, 7, 7, 2}));
  EXPECT_EQ(plan("AO+BS pin=full scratch=16", 14), (planned{2, 4, 4, 4}));
  EXPECT_EQ(plan("AO+BS pin=full scratch=32", 14), (planned{3, 7, 8, 2}));
  EXPECT_EQ(plan("AO+BS pin=full scratch=64", 14), (planned{4, 14, 14, 1}));
  EXPECT_EQ(plan("AO+BS pin=full scratch=64", 0), (planned{0, 0, 0, 0}));
  EXPECT_EQ(pinned_slots("AO+BS pin=full scratch=32", 14), (std::vector<u64>{13, 11, 9, 7, 5, 3, 1, 12}));
  EXPECT_EQ(pinned_slots("AO+KS fanout=3 pin=full scratch=16", 14), (std::vector<u64>{13, 4, 10, 7}));
}

TEST(Orders, WhatIsPinnedOfATree) {
  EXPECT_EQ(plan("EO+BS pin=steps scratch=16", 14), (planned{2, 4, 4, 0}));
  EXPECT_EQ(plan("EO+BS pin=full scratch=32", 14), (planned{3, 8, 8, 0}));
  EXPECT_EQ(plan("EO+BS pin=full scratch=48", 14), (planned{3, 8, 12, 0}));
  EXPECT_EQ(plan("EO+BS pin=full scratch=64", 14), (planned{4, 15, 15, 0})) << "there are no more";
  EXPECT_EQ(plan("EO+KS fanout=5 pin=steps scratch=16", 14), (planned{1, 4, 4, 0}));
  EXPECT_EQ(plan("EO+KS fanout=5 pin=full scratch=64", 14), (planned{2, 16, 16, 0})) << "a node's empty slots too";
  EXPECT_EQ(plan("EO+KS fanout=9 pin=full scratch=16", 100), (planned{0, 0, 0, 0})) << "no node fits";
  EXPECT_EQ(plan("AO+PB+KS fanout=3 pin=steps scratch=16", 14), (planned{1, 2, 2, 0}));
  EXPECT_EQ(plan("AO+PB+KS fanout=3 pin=full scratch=16", 14), (planned{1, 2, 4, 0}));
  EXPECT_EQ(plan("AO+PB+KS fanout=3 pin=full scratch=48", 14), (planned{2, 8, 8, 0}));
  EXPECT_EQ(plan("AO+PB+BS pin=full scratch=48", 2), (planned{0, 0, 0, 0})) << "one leaf, no pivots";
  EXPECT_EQ(plan("AO+PB+BS keys=u64 pin=full scratch=16", 14), (planned{1, 1, 2, 0})) << "two keys of 8 bytes";
}

TEST(Orders, SortBitsAreThoseThatTellATilesKeysApart) {
  ordered_config c = config_of("EO+BS threads=64 reorder=lookup");  // 64 lookups: 6 bits, and 4 more
  EXPECT_EQ(sort_bits_for(c.launch, 0, 0xFFFFFFFF), std::pair(22u, 32u));
  EXPECT_EQ(sort_bits_for(c.launch, 0, 0xFFFF), std::pair(6u, 16u));
  EXPECT_EQ(sort_bits_for(c.launch, 0x50000, 0x500FF), std::pair(0u, 8u)) << "bits that all keys share do not tell";
  EXPECT_EQ(sort_bits_for(c.launch, 7, 7), std::pair(0u, 0u));
  EXPECT_EQ(sort_bits_for(c.launch, 0, ~0ull), std::pair(54u, 64u));
  c.launch.per_thread = 3;  // 192 lookups: 8 bits
  EXPECT_EQ(sort_bits_for(c.launch, 0, 0xFFFFFFFF), std::pair(20u, 32u));
  c.launch.reorder = reorder_kind::none;
  EXPECT_EQ(sort_bits_for(c.launch, 0, 0xFFFFFFFF), std::pair(0u, 0u));
}

// A GPU's threads take slots in turn: each of them once, in the order of the keys that go there, the empty ones last.
template <class Pass>
void expect_turns(const ordered_config& config, const build_view& view, u64 slots,
                  u64 (*rank_of)(const ordered_config&, const index_shape&, u64)) {
  const index_shape& shape = view.as<ordered_view>().shape;
  std::vector<bool> seen(slots);
  u64 last = 0;
  for (u64 i = 0; i < slots; ++i) {
    const auto [slot, known] = item_in_turn<Pass>(dynamic_config{config}, view, i);
    ASSERT_LT(slot, slots) << i;
    ASSERT_FALSE(seen[slot]) << i;
    seen[slot] = true;
    const u64 rank = rank_of(config, shape, slot);
    ASSERT_EQ(known, rank) << "turn " << i << ", slot " << slot;
    ASSERT_GE(rank, last) << "turn " << i << ", slot " << slot;
    last = rank;
  }
}

// Every pivot is stored once: by who has its key in hand, or as an empty one.
void expect_pivots_stored(const ordered_config& config, const index_shape& shape) {
  if (config.order != order_kind::pivot_buffer) return;
  std::vector<bool> seen(shape.pivot_slots);
  const auto stored = [&](u64 slot, u64 rank) {
    ASSERT_LT(slot, shape.pivot_slots);
    ASSERT_FALSE(seen[slot]) << slot;
    seen[slot] = true;
    ASSERT_EQ(pivot_rank(config, shape, slot), rank) << slot;
  };
  for (u64 rank = 0; rank < shape.entry_slots; ++rank)
    if (const u64 slot = pivot_slot(config, shape, rank); slot != no_slot) stored(slot, rank);
  for (u64 i = 0; i < empty_pivots(config, shape); ++i)
    stored(pivot_buffer_order::empty_pivot(dynamic_config{config}, shape, i), no_rank);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<long>(shape.pivot_slots));
}

// The greatest n there is: slots that fill up the last leaf lie past 32 bits.
TEST(Orders, NoSlotBehindTheLastEntryIsAPivot) {
  for (const u32 fanout : {2u, 5u, 9u, 33u}) {
    for (const u64 n : {max_keys, max_keys - 6}) {
      const ordered_config config{.order = order_kind::pivot_buffer, .fanout = fanout};
      const index_shape shape = make_shape(config, n);
      for (u64 slot = n; slot < shape.entry_slots + 4; ++slot) EXPECT_EQ(pivot_slot(config, shape, slot), no_slot);
      EXPECT_EQ(pivot_slot(config, shape, n - 1), no_slot);
      EXPECT_EQ(pivot_slot(config, shape, shape.leaf_entries - 1), shape.level_first[shape.levels - 2]);
    }
  }
}

TEST(Orders, EverySlotHasItsTurnInTheOrderOfTheKeys) {
  u64 turns = 0;
  for (const order_kind order : {order_kind::ascending, order_kind::eytzinger, order_kind::pivot_buffer}) {
    for (const u32 fanout : {2u, 3u, 5u, 9u, 33u}) {
      for (const u32 pivots : {0u, 1u, 2u}) {
        if (pivots != 0 && order != order_kind::pivot_buffer) continue;
        for (u64 n = 0; n <= 700; n += n < 90 ? 1 : 61) {
          const ordered_config config{.order = order, .fanout = fanout, .pivots = pivots};
          SCOPED_TRACE(to_line(config) + ", n = " + std::to_string(n));
          build_view view;
          const ordered_view state{make_shape(config, n), {}};
          std::memcpy(view.found_by.state, &state, sizeof state);
          expect_turns<ordered::build_entries>(config, view, state.shape.entry_slots, entry_rank);
          expect_pivots_stored(config, state.shape);
          if (HasFatalFailure()) return;
          turns += state.shape.entry_slots + state.shape.pivot_slots;
        }
      }
    }
  }
  EXPECT_GT(turns, 100'000u);
}

}  // namespace
}  // namespace pivotscope
