// GPH's hashes and its cells, and the numbers by which an insert tries values.
#include "core/families/gph/cell_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "core/families/gph/gph_model.hpp"
#include "core/families/gph/own_entries.hpp"

namespace pivotscope {
namespace {

// Keys that hashes could take for one another: dense, far apart by a power of two, and at both ends.
template <class Key>
std::vector<std::vector<Key>> hard_sets(u64 count) {
  std::vector<std::vector<Key>> sets(4);
  for (u64 i = 0; i < count; ++i) {
    sets[0].push_back(static_cast<Key>(i));
    sets[1].push_back(static_cast<Key>(i << (8 * sizeof(Key) - 16)));
    sets[2].push_back(static_cast<Key>(greatest_key<Key>() - i));
    sets[3].push_back(static_cast<Key>(i * 0x10001));
  }
  return sets;
}
// Of 1000 each chance makes 1000 +- 32; six times that is far beyond it.
void expect_even(const std::vector<u64>& met, const char* what) {
  const auto [least, most] = std::ranges::minmax(met);
  EXPECT_GT(least, 800u) << what;
  EXPECT_LT(most, 1200u) << what;
}

template <class Key>
void expect_even_hashes() {
  const gph_config config;
  gph_view table = gph_table(config, 61, 0);
  table.cells = 37;
  for (const std::vector<Key>& keys : hard_sets<Key>(37'000)) {
    for (table.seed = 0; table.seed < 3; ++table.seed) {
      std::vector<u64> cells(37, 0);
      for (const Key key : keys) ++cells[place_of(key, table).cell];
      expect_even(cells, "cells");
      for (const u32 mapping : {0u, 1u, 30u, 8191u}) {
        std::vector<u64> virtuals(8, 0);
        for (u64 i = 0; i < 8000; ++i) ++virtuals[virtual_of(place_of(keys[i], table).own, mapping, 8)];
        expect_even(virtuals, "virtual buckets");
      }
    }
  }
}
TEST(cell_index, shares_keys_out_evenly) {
  expect_even_hashes<u32>();
  expect_even_hashes<u64>();
}
TEST(cell_index, shares_buckets_out_evenly) {
  const gph_view table = gph_table(gph_config{}, 61, 0);
  for (const u32 mapping : {0u, 1u, 30u, 8191u}) {
    std::vector<u64> buckets(61, 0);
    for (u32 cell = 0; cell < 61'000 / 8; ++cell)
      for (u32 p = 0; p < 8; ++p) ++buckets[bucket_at(cell, p, mapping, 8, table)];
    expect_even(buckets, "buckets");
  }
}

// Keys that two mappings put together are as many as chance makes: another mapping is another way to part them.
TEST(cell_index, has_mappings_that_know_nothing_of_each_other) {
  const gph_view table = gph_table(gph_config{}, 61, 0);
  for (const u32 other : {1u, 2u, 16u, 31u}) {
    std::vector<u64> met(64, 0);
    for (u32 key = 0; key < 64'000; ++key) {
      const u32 own = place_of(key, table).own;
      ++met[virtual_of(own, 0, 8) * 8 + virtual_of(own, other, 8)];
    }
    expect_even(met, "pairs of virtual buckets");
  }
}

// Another offset changes round which of a cell's buckets a virtual bucket is, and no more.
TEST(cell_index, leads_by_all_offsets_to_the_same_buckets) {
  for (const u32 virtuals : {2u, 4u, 8u}) {
    const gph_config config{.virtuals = virtuals};
    const gph_view table = gph_table(config, 1000, 0);
    for (u32 mapping = 0; mapping < mappings(config); mapping += 5) {
      for (u32 key = 0; key < 50; ++key) {
        const key_place at = place_of(key, table);
        std::set<u32> met, all;
        for (u32 p = 0; p < virtuals; ++p) {
          met.insert(home_of(at, mapping * virtuals + p, config, table));
          all.insert(bucket_at(at.cell, p, mapping, virtuals, table));
        }
        EXPECT_EQ(met, all);
      }
    }
  }
}

// Every value of every cell of a word, beside all others.
TEST(cell_index, changes_one_cell_of_a_word) {
  for (const u32 bits : {8u, 16u}) {
    const gph_config config{.bits = bits};
    for (const u32 word : {0u, ~0u, 0x12345678u}) {
      for (u32 cell = 40; cell < 40 + cells_a_word(config); ++cell) {
        for (u32 value = 0; value < 1u << bits; value += bits == 8 ? 1 : 251) {
          const u32 changed = word + word_change(cell, value_in(word, cell, config), value, config);
          for (u32 other = 40; other < 40 + cells_a_word(config); ++other)
            ASSERT_EQ(value_in(changed, other, config), other == cell ? value : value_in(word, other, config));
        }
      }
    }
  }
  const gph_config config;
  EXPECT_EQ(mappings(config), 32u);
  EXPECT_TRUE(some_spilled(31 * 8, config));
  EXPECT_TRUE(some_spilled(31 * 8 + 7, config));
  EXPECT_FALSE(some_spilled(31 * 8 - 1, config));
  EXPECT_EQ(parts_of(30 * 8 + 5, config).mapping, 30u);
  EXPECT_EQ(parts_of(30 * 8 + 5, config).offset, 5u);
}

// All counts of 0 to 3 at four places against all rooms, and counts near what a byte may hold.
TEST(place_counts, fit_where_none_is_more_than_its_room) {
  for (const u32 virtuals : {2u, 4u, 8u}) {
    const u32 digits = std::min(virtuals, 4u);
    for (u32 a = 0; a < 1u << (2 * digits); ++a) {
      for (u32 b = 0; b < 1u << (2 * digits); ++b) {
        place_counts wanted, room;
        bool fits = true;
        for (u32 p = 0; p < virtuals; ++p) {
          const u32 w = a >> (2 * (p % digits)) & 3, r = b >> (2 * (p % digits)) & 3;
          wanted.add(p, w), room.add(p, r), fits = fits && w <= r;
        }
        ASSERT_EQ(wanted.fit(room, virtuals), fits) << virtuals << ": " << a << " in " << b;
      }
    }
    for (u32 p = 0; p < virtuals; ++p) {
      place_counts wanted, room;
      wanted.add(p, most_own_keys + 1), room.add(p, most_gph_bucket);
      EXPECT_FALSE(wanted.fit(room, virtuals));
      EXPECT_EQ(wanted.of(p), most_own_keys + 1);
      for (u32 offset = 0; offset < virtuals; ++offset) {
        const place_counts moved = wanted.moved_by(offset, virtuals);
        for (u32 q = 0; q < virtuals; ++q)
          EXPECT_EQ(moved.of(q), q == (p + offset) % virtuals ? most_own_keys + 1 : 0) << virtuals << ", " << offset;
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
