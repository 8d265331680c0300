// The claims of docs/packed.md, "Why it is exact", where they can be exhausted: the family's own code over keys of 8 and 16 bits,
// every value of which is asked for.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <tuple>

#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/workload/generate/crowds.hpp"
#include "core/workload/generate/one_span.hpp"
#include "tests/support/narrow_packed.hpp"

namespace pivotscope {
namespace {

using testing::key_of_16_bits;
using testing::key_of_8_bits;
using testing::narrow_counts;
using testing::narrow_packed;

constexpr u32 least_fill = 10, greatest_fill = 400;

packed_config knobs(u32 leaf, u32 lanes, u32 block, u32 fill) {
  packed_config config;
  config.leaf = leaf, config.lanes = std::min(lanes, leaf / 16), config.block = block, config.fill = fill;
  return config;
}

// Knobs from a number: all of them occur, whatever the step between numbers.
packed_config drawn_knobs(std::mt19937_64& random) {
  packed_config config = knobs(16u << random() % 4, 1u << random() % 4, random() % 2 == 0 ? 16 : 32,
                               least_fill + static_cast<u32>(random() % (greatest_fill - least_fill + 1)));
  if (random() % 4 == 0) config.fill = random() % 2 == 0 ? least_fill : greatest_fill;
  if (config.block == 16 && random() % 4 == 0) config.scratch = 16u << random() % 5;
  return config;
}

template <class Formula>
std::vector<u32> keys_of(const Formula& made, u64 n) {
  std::vector<u32> keys;
  for (u64 row = 0; row < n; ++row) keys.push_back(static_cast<u32>(made.key(row)));
  return keys;
}

// The first thing that is wrong with an index, if any: its claims, or its answers too.
template <class Key>
void expect_exact(const packed_config& config, const std::vector<u32>& keys, bool answers_too, narrow_counts& counts) {
  ASSERT_FALSE(check(config)) << *check(config);
  narrow_packed<Key> index(config, keys);
  const std::string wrong = answers_too ? index.ask_all(counts) : index.claim_all(counts);
  if (wrong.empty()) return;
  std::string words;
  for (const u32 key : keys) words += (words.empty() ? "" : ",") + std::to_string(key);
  FAIL() << to_line(config) << ", " << 8 * sizeof(Key) << " bits, " << keys.size() << " keys: " << wrong << "\n"
         << words.substr(0, 2000);
}

// f(keys) for every multiset of up to `most` of these values; how many there were.
u64 each_multiset(const std::vector<u32>& values, u32 most, const std::function<void(const std::vector<u32>&)>& f) {
  std::vector<u32> keys;
  u64 sets = 0;
  const std::function<void(std::size_t)> extend = [&](std::size_t from) {
    f(keys);
    ++sets;
    if (keys.size() == most) return;
    for (std::size_t i = from; i < values.size(); ++i) {
      keys.push_back(values[i]);
      extend(i);
      keys.pop_back();
    }
  };
  extend(0);
  return sets;
}

// Of so few leaves a fill tells only how many buckets there are, and which blocks are tried first: the fills that differ.
std::vector<u32> fills_that_differ(packed_config config, u64 keys) {
  std::set<std::tuple<u64, bool, bool>> seen;
  std::vector<u32> fills;
  for (u32 fill = least_fill; fill <= greatest_fill; ++fill) {
    config.fill = fill;
    const u64 buckets = std::max<u64>(1, ceil_div<u64>(keys, leaf_entries(config)) * 10 / fill);
    if (seen.emplace(buckets, mostly_marks(config), fresh_packed_view(config, keys, {0, 255}, 8).marks_first).second)
      fills.push_back(fill);
  }
  return fills;
}

TEST(narrow_keys, all_small_sets_of_8_bits) {
  narrow_counts counts;
  u64 sets = 0;
  for (const u32 block : {16u, 32u}) {
    sets += each_multiset({0, 1, 127, 128, 129, 254, 255}, 7, [&](const std::vector<u32>& keys) {
      if (HasFatalFailure()) return;
      for (const u32 fill : fills_that_differ(knobs(16, 1, block, 10), keys.size()))
        expect_exact<key_of_8_bits>(knobs(16, 1, block, fill), keys, true, counts);
    });
  }
  EXPECT_EQ(sets, 2u * 3432);  // 14 over 7
  EXPECT_GT(counts.indexes, 15'000u);
  EXPECT_EQ(counts.asked, 256 * counts.indexes);
}

TEST(narrow_keys, all_knobs_of_8_bits) {
  narrow_counts counts;
  for (const u64 n : {13u, 70u, 250u}) {
    // Runs, neighbours, both ends.
    std::vector<u32> keys = keys_of(crowds(n, n, 255), n);
    for (u64 i = 0; i < n / 4; ++i) keys[i] = static_cast<u32>(i % 2 == 0 ? i / 2 : 255 - i / 5);
    for (u32 leaf = 16; leaf <= 128; leaf *= 2)
      for (u32 lanes = 1; lanes <= leaf / 16; lanes *= 2)
        for (const u32 block : {16u, 32u})
          for (u32 fill = least_fill; fill <= greatest_fill; ++fill) {
            expect_exact<key_of_8_bits>(knobs(leaf, lanes, block, fill), keys, (fill + leaf + lanes) % 5 == 0, counts);
            if (HasFatalFailure()) return;
          }
  }
  EXPECT_EQ(counts.indexes, 3u * 10 * 2 * 391);
}

TEST(narrow_keys, crowds_of_8_bits) {
  narrow_counts counts;
  std::mt19937_64 random(8);
  for (u64 seed = 0; seed < 8000; ++seed) {
    const u64 n = 1 + random() % 256;
    expect_exact<key_of_8_bits>(drawn_knobs(random), keys_of(crowds(seed, n, 255), n), true, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.escaped, 4000u);
  EXPECT_GT(counts.lists, 1000u);
  EXPECT_GT(counts.nodes, 30u);
  EXPECT_GT(counts.doubtful, 20'000u);
  EXPECT_GT(counts.tight, 500u);
}

// How wide the keys' range is says how they are scaled: each width there is, at the least place, at the greatest and between.
TEST(narrow_keys, a_range_of_every_width_of_8_bits) {
  narrow_counts counts;
  std::mt19937_64 random(9);
  for (u32 width = 0; width < 256; ++width) {
    for (const u32 first : {0u, (255 - width) / 3, 255 - width}) {
      for (const u64 n : {3u, 40u, 200u}) {
        std::vector<u32> keys = {first, first + width};
        while (keys.size() < n) keys.push_back(first + static_cast<u32>(random() % (width + 1)));
        const packed_config config = drawn_knobs(random);
        expect_exact<key_of_8_bits>(config, keys, true, counts);
        // The buckets are as many as `fill` says, whatever the width, or one less where they are nearly as many as the values.
        const u64 wanted = std::max<u64>(1, ceil_div<u64>(keys.size(), leaf_entries(config)) * 10 / config.fill);
        const packed_view view = fresh_packed_view(config, keys.size(), {first, first + width}, 8);
        EXPECT_LE(view.blocks, wanted);
        EXPECT_GE(view.blocks, width == 0 ? 1 : wanted - 1);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_EQ(counts.indexes, 256u * 9);
}

// Nodes below nodes, whose leaves end where a bucket does, need more keys.
TEST(narrow_keys, crowds_of_16_bits) {
  narrow_counts counts;
  std::mt19937_64 random(16);
  for (u64 seed = 0; seed < 1200; ++seed) {
    const u64 n = seed % 3 == 0 ? 200 + random() % 1000 : 1000 + random() % 12'000;
    expect_exact<key_of_16_bits>(drawn_knobs(random), keys_of(crowds(seed, n, 65535), n), seed % 25 == 0, counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(counts.asked, 1200u * 65536);
  EXPECT_GT(counts.nodes, 400u);
  EXPECT_GT(counts.deep, 60u);
  EXPECT_GT(counts.lists, 500u);
  EXPECT_GT(counts.doubtful, 100'000u);
  EXPECT_GT(counts.tight, 200'000u);
}

// One crowd of every width, with a key far beyond it: where the node's last bucket ends is another place for each.
TEST(narrow_keys, a_crowd_of_every_width_of_16_bits) {
  narrow_counts counts;
  std::vector<u32> widths;
  for (u32 w = 70; w < 700; w += 9) widths.push_back(w);
  for (u32 w = 1024; w <= 16384; w *= 2) widths.insert(widths.end(), {w - 1, w, w + 1});
  for (const u32 width : widths) {
    for (const u32 first : {0u, 4095u, 32767u}) {
      std::vector<u32> keys = {0, 65535};
      const u32 step = std::max(1u, width / 2048);
      for (u32 value = first; value < first + width; value += step) keys.insert(keys.end(), width < 700 ? 3 : 1, value);
      keys.insert(keys.end(), 40, first), keys.insert(keys.end(), 40, first + width - 1);
      for (const packed_config& config : {knobs(16, 1, 16, 400), knobs(32, 1, 32, 400), knobs(32, 1, 16, 130)}) {
        expect_exact<key_of_16_bits>(config, keys, false, counts);
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(counts.indexes, widths.size() * 9);
  EXPECT_GT(counts.nodes, counts.indexes / 2);
}

}  // namespace
}  // namespace pivotscope
