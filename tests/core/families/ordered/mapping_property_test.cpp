// The slot mapping of every order: a permutation, its inverse, its levels, and the search tree it forms.
#include "core/families/ordered/mapping.hpp"
#include "core/index/config_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "tests/support/ordered.hpp"
#include "tests/support/small_configs.hpp"

namespace pivotscope {
namespace {

// In-order traversal of a K-ary Eytzinger tree by node numbers alone, independent of the formulas under test.
void in_order(u64 node, u32 fanout, u64 n, std::vector<u64>& positions) {
  const u64 first = node * (fanout - 1);
  if (first >= n) return;
  for (u32 child = 0; child < fanout; ++child) {
    in_order(node * fanout + 1 + child, fanout, n, positions);
    if (child + 1 < fanout && first + child < n) positions.push_back(first + child);
  }
}

void expect_sound(const ordered_config& c, u64 n) {
  const index_shape s = make_shape(c, n);
  SCOPED_TRACE(to_line(c) + " n=" + std::to_string(n));
  ASSERT_EQ(s.keys, n);
  ASSERT_LE(s.levels, max_levels - 1);
  std::vector<bool> seen(n, false);
  for (u64 slot = 0; slot < s.entry_slots; ++slot) {
    const u64 rank = entry_rank(c, s, slot);
    if (rank == no_rank) continue;
    ASSERT_LT(rank, n);
    ASSERT_FALSE(seen[rank]) << "two slots hold rank " << rank;
    seen[rank] = true;
    ASSERT_EQ(entry_slot(c, s, rank), slot);
    ASSERT_LT(entry_level(c, s, slot), s.levels);
  }
  ASSERT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(n));
  ASSERT_LE(s.entry_slots, n + c.fanout) << "at most a node is empty";
  for (u64 slot = 0; slot < s.pivot_slots; ++slot) {
    const u64 rank = pivot_rank(c, s, slot);
    if (rank == no_rank) continue;
    ASSERT_LT(rank + 1, n) << "a pivot has a partition to its right";
  }
}

void expect_level_counts(const ordered_config& c, u64 n) {
  const index_shape s = make_shape(c, n);
  SCOPED_TRACE(to_line(c) + " n=" + std::to_string(n));
  const u64 windows[][2] = {
      {0, s.entry_slots}, {0, 1}, {n / 3, n / 2 + 1}, {n / 2, n}, {s.entry_slots / 4, s.entry_slots}};
  for (const auto& [first, end] : windows) {
    u64 counted[max_levels], expected[max_levels] = {};
    count_levels(c, s, ordered_region::entries, first, end, counted);
    for (u64 slot = first; slot < end && slot < s.entry_slots; ++slot) {
      if (entry_rank(c, s, slot) != no_rank) ++expected[entry_level(c, s, slot)];
    }
    for (u32 level = 0; level < max_levels; ++level) ASSERT_EQ(counted[level], expected[level]) << "level " << level;
  }
}

TEST(MappingExhaustive, IsAPermutationWithItsInverseForEveryOrderAndFanoutTo300) {
  u64 cases = 0;
  for (const ordered_config& c : testing::shape_configs()) {
    for (u64 n = 0; n <= 300; ++n, ++cases) {
      expect_sound(c, n);
      expect_level_counts(c, n);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(cases, testing::shape_configs().size() * 301);
  EXPECT_GE(testing::shape_configs().size(), 18u) << "three orders, six fanouts";
}

TEST(MappingExhaustive, EveryFanoutFrom2To33) {
  for (u32 fanout = 2; fanout <= 33; ++fanout) {
    for (const order_kind order : {order_kind::eytzinger, order_kind::pivot_buffer}) {
      const ordered_config c{.order = order, .fanout = fanout, .lanes = 1};
      u64 full = 1;
      for (u32 height = 0; height < 3; ++height, full *= fanout) {
        for (const u64 n : {full - 1, full, full + 1, full + fanout - 2, full + fanout - 1, full + fanout}) {
          expect_sound(c, n);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(MappingExhaustive, EytzingerInOrderTraversalIsSorted) {
  for (const u32 fanout : testing::fanouts) {
    const ordered_config c{.order = order_kind::eytzinger, .fanout = fanout, .lanes = 1};
    for (u64 n = 0; n <= 300; ++n) {
      const index_shape s = make_shape(c, n);
      std::vector<u64> positions;
      in_order(0, fanout, n, positions);
      ASSERT_EQ(positions.size(), n);
      const u64 front = fanout == 2 && n > 0 ? 1 : 0;
      for (u64 rank = 0; rank < n; ++rank) {
        ASSERT_EQ(entry_rank(c, s, positions[rank] + front), rank) << to_line(c) << " n=" << n;
      }
    }
  }
}

// The pivots by their meaning: the last key of the child they stand beside. Trimmed or not.
void expect_pivots(const ordered_config& c, u64 n) {
  const u32 fanout = c.fanout;
  const index_shape s = make_shape(c, n);
  SCOPED_TRACE(to_line(c) + " n=" + std::to_string(n));
  if (n == 0) return;
  const u32 levels = s.levels - 1;
  ASSERT_TRUE(c.pivots == 0 || levels <= c.pivots);
  const u64 full_leaf = fanout == 2 ? 2 : fanout - 1;
  ASSERT_TRUE((c.pivots != 0 && levels == c.pivots) || s.leaf_entries == full_leaf);
  u64 child_keys = s.leaf_entries;
  for (u32 level = levels; level-- > 0; child_keys *= fanout) {
    const u64 nodes = (s.level_first[level + 1] - s.level_first[level]) / (fanout - 1);
    for (u64 node = 0; node < nodes; ++node) {
      for (u64 child = 0; child + 1 < fanout; ++child) {
        const u64 end = (node * fanout + child + 1) * child_keys;
        const u64 expected = end < n ? end - 1 : no_rank;
        ASSERT_EQ(pivot_rank(c, s, s.level_first[level] + node * (fanout - 1) + child), expected) << "level " << level;
      }
    }
    ASSERT_GE(nodes * fanout * child_keys, n) << "the level covers all keys";
    ASSERT_TRUE(level > 0 || nodes == 1) << "one root";
  }
}

TEST(MappingExhaustive, PivotsAreTheLastKeysOfTheirChildren) {
  u64 cases = 0;
  for (const u32 fanout : testing::fanouts) {
    for (u32 kept = 0; kept <= 4; ++kept) {
      for (u64 n = 0; n <= 300; ++n, ++cases) {
        ordered_config c{.order = order_kind::pivot_buffer, .fanout = fanout};
        c.pivots = kept;
        expect_pivots(c, n);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(cases, 6u * 5 * 301);
}

// Sizes that no array is made for: the inverse holds at any slot, up to the largest n.
RC_GTEST_PROP(MappingProperty, InverseHoldsAtEverySize, ()) {
  const u64 sizes[] = {max_keys, max_keys - 1, 1ull << 31, (1ull << 31) - 1, (1ull << 28) + 1, 1ull << 20, 12345678};
  ordered_config c;
  c.order = *rc::gen::element(order_kind::ascending, order_kind::eytzinger, order_kind::pivot_buffer);
  c.fanout = *rc::gen::inRange<u32>(2, 34);
  c.lanes = 1;
  const u64 n = *rc::gen::oneOf(rc::gen::elementOf(std::vector<u64>(std::begin(sizes), std::end(sizes))),
                                rc::gen::inRange<u64>(1, max_keys));
  const index_shape s = make_shape(c, n);
  const u64 rank = *rc::gen::inRange<u64>(0, n);
  const u64 slot = entry_slot(c, s, rank);
  RC_ASSERT(slot < s.entry_slots);
  RC_ASSERT(entry_rank(c, s, slot) == rank);
  RC_ASSERT(entry_level(c, s, slot) < s.levels);
  u64 counts[max_levels];
  count_levels(c, s, ordered_region::entries, 0, s.entry_slots, counts);
  u64 total = 0;
  for (const u64 count : counts) total += count;
  RC_ASSERT(total == n);
}

}  // namespace
}  // namespace pivotscope
