// The hash functions of HT+CUCKOO, and where an entry moves.
#include "core/families/cuckoo/homes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/families/cuckoo/cuckoo_model.hpp"

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

template <class Key>
void expect_even() {
  constexpr u32 buckets = 61;
  constexpr u64 count = 61 * 1000;
  for (const std::vector<Key>& keys : hard_sets<Key>(count)) {
    for (u32 seed : {0u, 1u, 7u}) {
      cuckoo_view table = cuckoo_table(buckets, seed);
      for (u32 i = 0; i < most_homes; ++i) {
        std::vector<u64> met(buckets, 0);
        for (const Key key : keys) ++met[home_of(key, i, table)];
        // Of 1000 in a bucket chance makes 1000 +- 32; six times that is far beyond it.
        const auto [least, most] = std::ranges::minmax(met);
        EXPECT_GT(least, 800u) << "home " << i << ", seed " << seed;
        EXPECT_LT(most, 1200u) << "home " << i << ", seed " << seed;
      }
    }
  }
}

TEST(homes, share_keys_out_evenly) {
  expect_even<u32>();
  expect_even<u64>();
}

// Of keys with one first home, those with one second home as well are a bucket's share; and with another seed these part.
template <class Key>
void expect_apart() {
  constexpr u32 buckets = 32;
  const cuckoo_view table = cuckoo_table(buckets, 0), other = cuckoo_table(buckets, 1);
  for (const std::vector<Key>& keys : hard_sets<Key>(1 << 15)) {
    for (u32 i = 0; i < most_homes; ++i) {
      for (u32 j = 0; j < i; ++j) {
        std::map<std::pair<u32, u32>, u64> met, again;
        for (const Key key : keys) {
          ++met[{home_of(key, i, table), home_of(key, j, table)}];
          ++again[{home_of(key, i, table), home_of(key, i, other)}];
        }
        u64 most = 0;
        for (const auto& [pair, count] : met) most = std::max(most, count);
        for (const auto& [pair, count] : again) most = std::max(most, count);
        EXPECT_LT(most, 80u) << i << " and " << j << ": 32 are expected";
      }
    }
  }
}

TEST(homes, of_one_function_part_in_another_and_with_another_seed) {
  expect_apart<u32>();
  expect_apart<u64>();
}

// A key moves to another bucket, which is the home after its own or one before; with all chances it comes to each of these.
TEST(homes, lead_on_to_the_next_or_back) {
  u64 moves = 0;
  for (u32 buckets = 1; buckets <= 12; ++buckets) {
    for (u32 homes = 1; homes <= most_homes; ++homes) {
      const cuckoo_view table = cuckoo_table(buckets, 0);
      for (u32 key = 0; key < 500; ++key) {
        std::vector<u32> distinct;
        for (u32 i = 0; i < homes; ++i) {
          const u32 home = home_of(key, i, table);
          if (std::ranges::find(distinct, home) == distinct.end()) distinct.push_back(home);
        }
        for (std::size_t i = 0; i < distinct.size(); ++i) {
          std::set<u32> met;
          for (u32 chance = 0; chance < 24; ++chance) met.insert(another_home(homes, table, key, distinct[i], chance));
          std::set<u32> wanted(distinct.begin(),
                               distinct.begin() + static_cast<std::ptrdiff_t>(std::min(i + 2, distinct.size())));
          if (distinct.size() > 1) wanted.erase(distinct[i]);
          EXPECT_EQ(met, wanted) << "key " << key << ", " << homes << " homes of " << buckets;
          ++moves;
        }
      }
    }
  }
  EXPECT_GT(moves, 30'000u);
}

}  // namespace
}  // namespace pivotscope
