#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/workload/batch.hpp"
#include "core/workload/generate/key_formula.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

constexpr key_width widths[] = {key_width::u32, key_width::u64};

std::vector<u64> values(const key_array& keys) {
  std::vector<u64> out(keys.size());
  for (u64 i = 0; i < out.size(); ++i) out[i] = keys[i];
  return out;
}

std::vector<u64> keys_of(const workload& w, key_width width) {
  outcome<key_array> keys = make_keys(w, width);
  EXPECT_TRUE(keys.ok()) << keys.error().words;
  EXPECT_EQ(keys->width(), width);
  return values(*keys);
}

std::vector<u64> lookups_of(const workload& w, key_width width) {
  outcome<key_array> lookups = make_lookups(w, width);
  EXPECT_TRUE(lookups.ok()) << lookups.error().words;
  return values(*lookups);
}

u64 greatest(key_width width) { return width == key_width::u32 ? 0xFFFFFFFFull : ~0ull; }

u64 hash(const key_array& keys) {
  return XXH3_64bits(keys.data(), keys.size() * (keys.width() == key_width::u32 ? 4 : 8));
}

// All distributions at a size, with the parameters that change the keys.
std::vector<workload> workloads(u64 keys) {
  std::vector<workload> all;
  for (const u64 seed : {1ull, 99ull}) {
    const workload base{.keys = keys, .dist = distribution::uniform, .seed = seed, .lookups = 200};
    all.push_back(base);
    all.push_back(base);
    all.back().dist = distribution::dense;
    for (const double uniformity : {0.0, 0.3, 0.5, 1.0}) {
      all.push_back(base);
      all.back().dist = distribution::mix;
      all.back().uniformity = uniformity;
    }
    for (const u32 repeat : {1u, 3u, 1000u}) {
      for (const distribution d : {distribution::duplicates, distribution::ends}) {
        all.push_back(base);
        all.back().dist = d;
        all.back().repeat = repeat;
      }
    }
    for (const distribution d : {distribution::narrow, distribution::gaps, distribution::clusters, distribution::nested,
                                 distribution::crowds, distribution::span, distribution::half}) {
      all.push_back(base);
      all.back().dist = d;
    }
    for (const double exponent : {0.0, 1.0, 4.0}) {
      all.push_back(base);
      all.back().dist = distribution::zipf;
      all.back().exponent = exponent;
    }
  }
  return all;
}

u64 repeats_at_most(const workload& w) {
  if (w.dist == distribution::duplicates || w.dist == distribution::zipf || !numbers_misses(w.dist)) return w.keys;
  if (w.dist == distribution::half) return (w.keys + 1) / 2;
  return w.dist == distribution::ends ? w.repeat : 1;
}

TEST(make_keys, gives_each_value_as_often_as_the_distribution_says) {
  for (u64 n = 0; n <= 70; ++n) {
    for (const workload& w : workloads(n)) {
      for (const key_width width : widths) {
        std::unordered_map<u64, u64> count;
        for (const u64 key : keys_of(w, width)) {
          EXPECT_LE(key, greatest(width));
          EXPECT_LE(++count[key], repeats_at_most(w)) << to_line(w);
        }
        if (w.dist == distribution::duplicates) {
          EXPECT_LE(count.size(), std::max<u64>(1, n / w.repeat)) << to_line(w);
        }
      }
    }
  }
}

TEST(make_keys, dense_is_every_number_below_n_and_not_in_order) {
  for (const u64 n : {1ull, 2ull, 63ull, 64ull, 65ull, 1000ull, 70'000ull}) {
    std::vector<u64> keys = keys_of({.keys = n, .dist = distribution::dense}, key_width::u32);
    EXPECT_EQ(std::is_sorted(keys.begin(), keys.end()), n < 3);
    std::sort(keys.begin(), keys.end());
    for (u64 i = 0; i < n; ++i) ASSERT_EQ(keys[i], i);
  }
}

TEST(make_keys, mix_has_a_dense_prefix_and_a_uniform_rest) {
  const workload w{.keys = 10'000, .dist = distribution::mix, .uniformity = 0.3};
  for (const key_width width : widths) {
    std::vector<u64> keys = keys_of(w, width);
    EXPECT_FALSE(std::is_sorted(keys.begin(), keys.end()));
    std::sort(keys.begin(), keys.end());
    for (u64 i = 0; i < 7000; ++i) ASSERT_EQ(keys[i], i);
    EXPECT_GE(keys[7000], 7000u);
    // 3000 uniform values: the middle one is near the middle of the width.
    const double middle = static_cast<double>(keys[8500]) / static_cast<double>(greatest(width));
    EXPECT_NEAR(middle, 0.5, 0.05);
  }
}

// What each distribution of skew says of itself, at a size at which chance has little to say.
TEST(make_keys, narrow_spreads_its_keys_over_one_range) {
  for (const key_width width : widths) {
    std::set<u64> places;
    for (const u64 seed : {1ull, 2ull, 3ull}) {
      std::vector<u64> keys = keys_of({.keys = 1 << 17, .dist = distribution::narrow, .seed = seed}, width);
      EXPECT_FALSE(std::is_sorted(keys.begin(), keys.end()));
      std::sort(keys.begin(), keys.end());
      EXPECT_LT(keys.back() - keys.front(), 1u << 20);
      EXPECT_GT(keys.back() - keys.front(), (1u << 20) - 1000);
      // Even: as many in each eighth.
      for (u64 eighth = 0; eighth < 8; ++eighth) {
        const u64 begin = keys.front() + (eighth << 17);
        const auto count = std::lower_bound(keys.begin(), keys.end(), begin + (1 << 17)) -
                           std::lower_bound(keys.begin(), keys.end(), begin);
        EXPECT_NEAR(static_cast<double>(count), 1 << 14, 800);
      }
      places.insert(keys.front() >> 20);
    }
    EXPECT_EQ(places.size(), 3u);
  }
}

TEST(make_keys, gaps_have_as_many_keys_in_each_octave) {
  for (const key_width width : widths) {
    const u64 octaves = width == key_width::u32 ? 32 : 64;
    std::vector<u64> count(octaves);
    double halves = 0;
    const std::vector<u64> keys = keys_of({.keys = 1 << 17, .dist = distribution::gaps}, width);
    for (const u64 key : keys) {
      ASSERT_GT(key, 0u);
      const u64 octave = static_cast<u64>(std::bit_width(key)) - 1;
      ++count[octave];
      // Within an octave as well: half of the logarithms are below the octave's begin times the root of 2.
      halves += static_cast<double>(key) < 1.41421356 * static_cast<double>(1ull << octave);
    }
    const double mean = static_cast<double>(1 << 17) / static_cast<double>(octaves);
    for (const u64 c : count) EXPECT_NEAR(static_cast<double>(c), mean, 5 * std::sqrt(mean));
    EXPECT_NEAR(halves / (1 << 17), 0.5, width == key_width::u32 ? 0.04 : 0.02);  // the least octaves have few values
  }
}

TEST(make_keys, clusters_are_a_thousand_runs) {
  for (const key_width width : widths) {
    std::vector<u64> keys = keys_of({.keys = 1 << 18, .dist = distribution::clusters}, width);
    std::sort(keys.begin(), keys.end());
    // 2 ceil(n / 1000) values each, half of them keys: no gap in a run comes near to its width.
    u64 runs = 1, inside = 0;
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const u64 gap = keys[i] - keys[i - 1];
      runs += gap > 100;
      inside += gap > 100 ? 0 : gap;
    }
    EXPECT_LE(runs, 1000u);
    EXPECT_GE(runs, 850u);  // some overlap
    EXPECT_NEAR(static_cast<double>(inside) / static_cast<double>(runs), 526, 526 * 0.2);
  }
}

// As many keys in each octave of every stretch.
TEST(make_keys, nested_are_gaps_in_every_stretch) {
  for (const key_width width : widths) {
    constexpr u64 n = 1 << 18, stretches = n / 384;
    const u64 stretch = greatest(width) / stretches;
    const auto octaves = static_cast<u64>(std::bit_width(stretch)) - 1;
    std::vector<u64> of_stretch(stretches), of_octave(octaves);
    for (const u64 key : keys_of({.keys = n, .dist = distribution::nested}, width)) {
      ASSERT_LT(key / stretch, stretches);
      ++of_stretch[key / stretch];
      const auto octave = static_cast<u64>(std::bit_width(key % stretch + 1)) - 1;
      ASSERT_LT(octave, octaves);
      ++of_octave[octave];
    }
    for (const u64 c : of_stretch) EXPECT_NEAR(static_cast<double>(c), 384, 6 * std::sqrt(384));
    const double mean = static_cast<double>(n) / static_cast<double>(octaves);
    for (const u64 c : of_octave) EXPECT_NEAR(static_cast<double>(c), mean, 5 * std::sqrt(mean));
  }
}

TEST(make_keys, half_of_half_are_one_key) {
  for (const u64 n : {1ull, 2ull, 3ull, 1000ull, 65'537ull}) {
    for (const key_width width : widths) {
      std::unordered_map<u64, u64> count;
      for (const u64 key : keys_of({.keys = n, .dist = distribution::half}, width)) ++count[key];
      EXPECT_EQ(count.size(), n / 2 + 1);
      u64 most = 0;
      for (const auto& [key, c] : count) most = std::max(most, c);
      EXPECT_EQ(most, n - n / 2);
    }
  }
}

// The r-th of n values has n / (r^s H) rows, H being the sum of all r^-s.
TEST(make_keys, zipf_gives_few_values_most_rows) {
  constexpr u64 n = 1 << 18;
  for (const double s : {0.5, 1.0, 2.0, 4.0}) {
    for (const key_width width : widths) {
      const workload w{.keys = n, .dist = distribution::zipf, .exponent = s};
      std::unordered_map<u64, u64> count;
      for (const u64 key : keys_of(w, width)) ++count[key];
      std::vector<u64> by_rank;
      for (const auto& [key, c] : count) by_rank.push_back(c);
      std::sort(by_rank.rbegin(), by_rank.rend());
      double whole = 0;
      for (u64 r = 1; r <= n; ++r) whole += std::pow(r, -s);
      for (const u64 r : {1ull, 2ull, 3ull, 10ull}) {
        const double expected = static_cast<double>(n) * std::pow(r, -s) / whole;
        if (expected < 400 || r > by_rank.size()) continue;  // chance says more
        EXPECT_NEAR(static_cast<double>(by_rank[r - 1]), expected, 5 * std::sqrt(expected) + 1) << s << ", rank " << r;
      }
    }
  }
}

TEST(make_keys, zipf_with_exponent_0_draws_all_values_alike) {
  constexpr u64 n = 1 << 18;
  std::unordered_map<u64, u64> count;
  for (const u64 key : keys_of({.keys = n, .dist = distribution::zipf, .exponent = 0}, key_width::u32)) ++count[key];
  EXPECT_NEAR(static_cast<double>(count.size()), n * (1 - std::exp(-1)), 0.005 * n) << "those that were drawn at all";
  for (const auto& [key, c] : count) EXPECT_LE(c, 12u);
}

// Every width and every place: as verify draws them, the least key far above 0 and the range no power of two, and the corners.
TEST(one_span, is_of_any_width_at_any_place) {
  for (const key_width width : widths) {
    const u64 most = greatest(width), bits = static_cast<u64>(std::bit_width(most));
    u64 far_up = 0, uneven = 0, nearly_all = 0, to_the_greatest = 0, one_key = 0;
    std::set<u64> octaves, beside_powers;  // 3 j + 0, 1, 2: so many values and one less, none, or one more
    for (u64 seed = 0; seed < 20'000; ++seed) {
      const one_span range(seed, most);
      const u64 others = range.width(), least = range.least();
      ASSERT_LE(others, most - least);
      EXPECT_EQ(range.key(0), least);
      EXPECT_EQ(range.key(1), least + others);
      const u64 key = range.key(2 + seed % 1000);
      ASSERT_TRUE(key >= least && key - least <= others);
      const u64 octave = static_cast<u64>(std::bit_width(others));
      octaves.insert(octave);
      for (u64 j = 2; j < bits; ++j)
        for (const u64 more : {0u, 1u, 2u})
          if (others == (u64{1} << j) - 1 + more) beside_powers.insert(3 * j + more);
      far_up += least > most / 16 ? 1 : 0;
      const u64 power = others == 0 ? 0 : u64{1} << (octave - 1), over = others - power;
      uneven += over > power / 8 && power - over > power / 8 ? 1 : 0;
      nearly_all += others > most - most / 1024 ? 1 : 0, to_the_greatest += others == most - least ? 1 : 0;
      one_key += others == 0 ? 1 : 0;
    }
    EXPECT_GT(far_up, 10'000u);
    EXPECT_GT(uneven, 7'000u);
    EXPECT_GT(nearly_all, 3'000u);
    EXPECT_GT(to_the_greatest, 4'000u);
    EXPECT_GT(one_key, 20u);
    EXPECT_EQ(octaves.size(), bits + 1);
    EXPECT_EQ(beside_powers.size(), 3 * (bits - 2));
  }
}

TEST(make_keys, span_has_both_ends_of_its_range_and_spreads_its_keys_between) {
  for (const key_width width : widths) {
    for (const u64 seed : {1ull, 2ull, 3ull, 4ull, 5ull}) {
      std::vector<u64> keys = keys_of({.keys = 1 << 14, .dist = distribution::span, .seed = seed}, width);
      const one_span range(seed, greatest(width));
      std::sort(keys.begin(), keys.end());
      EXPECT_EQ(keys.front(), range.least());
      EXPECT_EQ(keys.back() - keys.front(), range.width());
      const double middle = static_cast<double>(keys[1 << 13] - keys.front()) / static_cast<double>(range.width() + 1);
      if (range.width() < 1000) continue;
      EXPECT_NEAR(middle, 0.5, 0.03) << seed;
    }
  }
}

TEST(key_formula, keeps_runs_within_the_width) {
  for (const key_width width : widths) {
    for (const u64 keys : std::initializer_list<u64>{1, 1000, 1001, max_keys}) {
      for (const distribution d : {distribution::narrow, distribution::clusters, distribution::nested,
                                   distribution::crowds, distribution::span}) {
        for (const u64 seed : {1ull, 2ull, 3ull, 4ull}) {
          const key_formula formula({.keys = keys, .dist = d, .seed = seed}, width);
          for (u64 row = 0; row < 5000; ++row) ASSERT_LE(formula.key(row), greatest(width));
        }
      }
    }
  }
}

TEST(power_of_two, is_that_to_a_millionth) {
  EXPECT_EQ(power_of_two(0, 32), 1u);
  EXPECT_NEAR(static_cast<double>(power_of_two(~0ull, 32)), 0x1p32, 0x1p32 * 1e-6);
  EXPECT_LE(power_of_two(~0ull, 32), 0xFFFFFFFFull);
  EXPECT_EQ(power_of_two(1ull << 63, 64), 1ull << 32);
  for (u64 i = 0; i < 10'000; ++i) {
    const u64 bits = random_bits(3, i);
    const double right = std::exp2(64 * (static_cast<double>(bits) * 0x1p-64));
    const double told = static_cast<double>(power_of_two(bits, 64));
    EXPECT_NEAR(told / right, 1, right < 1e7 ? 1 : 2e-6) << bits;  // cut to a whole number
  }
}

TEST(make_keys, ends_reaches_0_and_the_greatest_value) {
  for (const key_width width : widths) {
    std::vector<u64> keys = keys_of({.keys = 5, .dist = distribution::ends, .repeat = 1}, width);
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(keys, (std::vector<u64>{0, 1, 2, greatest(width) - 1, greatest(width)}));
    keys = keys_of({.keys = 5, .dist = distribution::ends, .repeat = 2}, width);
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(std::count(keys.begin(), keys.end(), 0), 2);
    EXPECT_EQ(keys.back(), greatest(width));
  }
}

TEST(make_keys, paper_is_the_papers_example_out_of_order) {
  for (const key_width width : widths) {
    std::vector<u64> keys = keys_of(workload{}, width);
    EXPECT_FALSE(std::is_sorted(keys.begin(), keys.end()));
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(keys, (std::vector<u64>{1, 3, 4, 6, 7, 7, 9, 10, 11, 12, 13, 14, 16, 17}));
  }
}

// The same bytes on every machine and in every later version: a scenario line must keep its meaning.
TEST(make_keys, and_make_lookups_keep_their_bytes) {
  struct golden {
    const char* line;
    u64 keys32, keys64, lookups32, lookups64;
  };
  constexpr golden cases[] = {
      {"distribution=paper lookups=100 hits=0.5", 0x5ec78595d466bcc7ull, 0xdbdd9d9eb0252388ull, 0x8f1b8b8570e75f2dull,
       0x5a64faa7bb9a197dull},
      {"keys=2^16 distribution=uniform seed=1 lookups=2^16 hits=1", 0x7c4aca93da6f63c0ull, 0x19b683ab405e1b95ull,
       0x92d96adc9670160bull, 0x0a115e23cc4f573full},
      {"keys=100000 distribution=dense seed=2 lookups=1000 hits=0.25", 0xa0da9bad2ad0378aull, 0xe6da61c5babe7619ull,
       0x4122149f81b2c37cull, 0x5648cfbf92cd525eull},
      {"keys=99999 distribution=mix uniformity=0.3 seed=3 lookups=2^16 hits=0.5", 0xfbcbb679505f105dull,
       0xf0ee8ed1fd4095c5ull, 0x35285934252dc1c9ull, 0xc674a63d2f0131ccull},
      {"keys=70000 distribution=duplicates repeat=3 seed=18446744073709551615 lookups=70000 hits=0.1",
       0xa3411e7d8fdb8accull, 0xd9918648ac43e902ull, 0x15a3b36b3b099718ull, 0x2dc049cf20e9a571ull},
      {"keys=70001 distribution=ends repeat=2 seed=0 lookups=300 hits=0", 0x9318a73e2b2feaeeull, 0x4de04fcbcf9913a4ull,
       0x8e6df7b7cb251674ull, 0xc37dcdc81a2093d0ull},
      {"keys=70000 distribution=narrow seed=4 lookups=3000 hits=0.5", 0xd7c46f820d5da27aull, 0xdd07297870d489f3ull,
       0xbe75e8438c495bbeull, 0x505b0750f430eac4ull},
      {"keys=70000 distribution=gaps seed=5 lookups=3000 hits=0.5", 0x5654f4e36406d338ull, 0xf57e8f949ef73480ull,
       0x023d76f5a89f042full, 0x19b166c88436440bull},
      {"keys=70000 distribution=clusters seed=6 lookups=3000 hits=0.5", 0x77db9d7450e130d7ull, 0xecc7b6fcd371c473ull,
       0x2624d060c7dc87aaull, 0x98dbd52ec9aff7ecull},
      {"keys=70000 distribution=nested seed=9 lookups=3000 hits=0.5", 0x6919b56e21b466b4ull, 0x75e1ee060ec5e296ull,
       0x13e3e5f558b48ea6ull, 0xb025b7511e47ce72ull},
      {"keys=70000 distribution=half seed=7 lookups=3000 hits=0.5", 0x03b68da776af882cull, 0x65e468ec8ce10e29ull,
       0x228e25f5a134f614ull, 0x794bb4b126fecae7ull},
      {"keys=70000 distribution=uniform seed=8 lookups=3000 hits=0.5 misses=inside", 0xcaf442b1ba11d004ull,
       0x7a57145173bf017cull, 0x4da2f90c23ef8a07ull, 0x57e0a2b3a04d8d8full},
      {"keys=70000 distribution=uniform seed=8 lookups=3000 hits=0.5 misses=outside order=sorted",
       0xcaf442b1ba11d004ull, 0x7a57145173bf017cull, 0x9b4215dd07751df6ull, 0xc012cd65a6d77031ull},
      {"keys=70000 distribution=uniform seed=10 lookups=3000 hits=0.9 popularity=zipf exponent=1.25",
       0xaa257997c4a94f3full, 0x64fd7ebfb7e76b39ull, 0xebef92f684e6eb1aull, 0x11cb666b0851513cull},
      {"keys=70000 distribution=clusters seed=10 lookups=3000 hits=1 popularity=zipf exponent=0.3",
       0xf1715fa1ec1deda1ull, 0x77ba416d956b1f14ull, 0xb3aad8a761971d4dull, 0xe2960ce32fd11ebaull},
      {"keys=70000 distribution=uniform seed=11 lookups=3000 hits=0.9 popularity=hot hot_keys=0.1 hot_lookups=0.75",
       0xa5b947cbbbf1346eull, 0xec3a52fbd684bdfcull, 0x22a712580be7cadbull, 0xcac9c075ee33fc23ull},
      {"keys=70000 distribution=uniform seed=12 lookups=3000 hits=1 order=nearly displaced=0.2 distance=100",
       0x2e20a86744b71c6aull, 0xcfa34f24acd58264ull, 0xe458a80063320453ull, 0x0cc58303a26ce0e0ull},
      {"keys=70000 distribution=span seed=13 lookups=3000 hits=0.5", 0xe4889ef0cd4e898cull, 0x46ba8ba47717f9b8ull,
       0xa519f4136063cb57ull, 0xaab890f8db5c2e5dull},
      {"keys=0 distribution=uniform seed=5 lookups=300 hits=1", 0x2d06800538d394c2ull, 0x2d06800538d394c2ull,
       0x713acb4e8f01f5c5ull, 0x74347a16dd99c16bull},
  };
  for (const golden& g : cases) {
    const workload w = *workload_from_line(g.line);
    EXPECT_EQ(hash(*make_keys(w, key_width::u32)), g.keys32) << g.line;
    EXPECT_EQ(hash(*make_keys(w, key_width::u64)), g.keys64) << g.line;
    EXPECT_EQ(hash(*make_lookups(w, key_width::u32)), g.lookups32) << g.line;
    EXPECT_EQ(hash(*make_lookups(w, key_width::u64)), g.lookups64) << g.line;
  }
}

TEST(make_lookups, hits_are_in_the_set_and_misses_are_not) {
  for (const u64 n : {0ull, 1ull, 2ull, 14ull, 50ull, 64ull}) {
    std::vector<workload> all = workloads(n);
    if (n == 14) all.push_back(workload{});
    for (workload w : all) {
      for (const key_width width : widths) {
        const std::vector<u64> keys = keys_of(w, width);
        const std::set<u64> set(keys.begin(), keys.end());
        w.hits = 1;
        for (const u64 key : lookups_of(w, width)) EXPECT_EQ(set.contains(key), n > 0) << to_line(w);
        w.hits = 0;
        for (const u64 key : lookups_of(w, width)) EXPECT_FALSE(set.contains(key)) << to_line(w);
      }
    }
  }
}

TEST(make_lookups, keeps_the_share_of_hits) {
  const workload w{.keys = 1000, .dist = distribution::uniform, .lookups = 100'000, .hits = 0.9};
  const std::vector<u64> keys = keys_of(w, key_width::u64);
  const std::set<u64> set(keys.begin(), keys.end());
  u64 hits = 0;
  for (const u64 key : lookups_of(w, key_width::u64)) hits += set.contains(key);
  EXPECT_NEAR(static_cast<double>(hits), 90'000, 5 * 95);  // five standard deviations
}

TEST(make_lookups, asks_for_every_row_equally_often) {
  const workload w{.keys = 100, .dist = distribution::uniform, .lookups = 100'000};
  std::unordered_map<u64, double> count;
  for (const u64 key : lookups_of(w, key_width::u32)) ++count[key];
  EXPECT_EQ(count.size(), 100u);
  double chi = 0;
  for (const auto& [key, c] : count) chi += (c - 1000) * (c - 1000) / 1000;
  EXPECT_LT(chi, 99 + 6 * 14.1);
}

TEST(make_lookups, misses_lie_between_the_keys_and_beyond) {
  const workload w{.keys = 1000, .dist = distribution::mix, .uniformity = 0.9, .lookups = 10'000, .hits = 0};
  const std::vector<u64> keys = keys_of(w, key_width::u32);
  const u64 last = *std::max_element(keys.begin(), keys.end());
  const std::vector<u64> misses = lookups_of(w, key_width::u32);
  EXPECT_GT(std::count_if(misses.begin(), misses.end(), [&](u64 m) { return m < last; }), 9'900);
  EXPECT_GT(std::count_if(misses.begin(), misses.end(), [&](u64 m) { return m > last; }), 0);
  // Evenly over the width.
  EXPECT_NEAR(static_cast<double>(std::count_if(misses.begin(), misses.end(), [](u64 m) { return m >> 31; })), 5000,
              300);
}

TEST(make_lookups, misses_lie_where_they_are_wanted) {
  for (const workload& base : workloads(50)) {
    for (const key_width width : widths) {
      const std::vector<u64> keys = keys_of(base, width);
      const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
      const std::set<u64> set(keys.begin(), keys.end());
      for (const miss_place where : {miss_place::inside, miss_place::outside}) {
        workload w = base;
        w.hits = 0.5, w.misses = where;
        const bool some =
            where == miss_place::inside ? *most - *least >= set.size() : *least > 0 || *most < greatest(width);
        const outcome<key_array> made = make_lookups(w, width);
        ASSERT_EQ(made.ok(), some) << to_line(w);
        if (!some) {
          EXPECT_TRUE(made.error().words.starts_with("misses=")) << made.error().words;
          continue;
        }
        u64 misses = 0;
        for (const u64 key : values(*made)) {
          if (set.contains(key)) continue;
          ++misses;
          EXPECT_EQ(key > *least && key < *most, where == miss_place::inside) << to_line(w);
        }
        EXPECT_NEAR(static_cast<double>(misses), 100, 50);
      }
    }
  }
  // Both sides, and no side more than its values are.
  const key_array keys(std::vector<u32>{1000, 0xFFFFFFFF - 3000});
  u64 below = 0;
  for (const u64 key : values(*draw_lookups(keys, {.lookups = 4000, .hits = 0, .misses = miss_place::outside})))
    below += key < 1000;
  EXPECT_NEAR(static_cast<double>(below), 1000, 150);
  // With hits alone no miss is wanted.
  EXPECT_TRUE(
      make_lookups({.keys = 9, .dist = distribution::dense, .misses = miss_place::inside}, key_width::u32).ok());
}

TEST(make_batch, asks_in_the_order_that_is_wanted) {
  for (const distribution d : {distribution::uniform, distribution::narrow, distribution::half}) {
    for (const key_width width : widths) {
      workload w{.keys = 5000, .dist = d, .lookups = 3000, .hits = 0.7};
      for (const operation kind : {operation::find, operation::successor, operation::range}) {
        set_batch_size(w, kind, 3000);
        w.order = lookup_order::random;
        batch drawn = *make_batch(w, width);
        w.order = lookup_order::sorted;
        const batch sorted = *make_batch(w, width);
        std::vector<std::pair<u64, u64>> left, right;
        for (u64 i = 0; i < drawn.size(); ++i) {
          left.emplace_back(drawn.keys[i], kind == operation::range ? drawn.highs[i] : 0);
          right.emplace_back(sorted.keys[i], kind == operation::range ? sorted.highs[i] : 0);
        }
        EXPECT_FALSE(std::is_sorted(left.begin(), left.end()));
        std::sort(left.begin(), left.end());
        EXPECT_EQ(left, right) << to_line(w);
      }
    }
  }
}

TEST(make_lookups, makes_each_by_itself_where_it_says_so) {
  for (const workload& base : workloads(50)) {
    workload w = base;
    w.hits = 0.5;
    if (!each_by_formula(w)) continue;
    const std::vector<u64> all = lookups_of(w, key_width::u32);
    w.lookups = 20;
    const std::vector<u64> few = lookups_of(w, key_width::u32);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin()));
  }
  EXPECT_TRUE(each_by_formula({.keys = 9, .dist = distribution::narrow}));
  EXPECT_FALSE(each_by_formula({.keys = 9, .dist = distribution::narrow, .hits = 0.5}));
  EXPECT_FALSE(each_by_formula({.order = lookup_order::sorted}));
  EXPECT_FALSE(each_by_formula({.hits = 0.5, .misses = miss_place::inside}));
}

// Key sets that take almost all values of 32 bits: the formula, row by row, since the arrays would take 16 GB.
TEST(key_formula, finds_the_few_misses_of_a_full_width) {
  for (const distribution d : {distribution::uniform, distribution::dense, distribution::mix, distribution::ends}) {
    const workload w{.keys = max_keys, .dist = d, .uniformity = 0.25, .repeat = 1};
    const key_formula formula(w, key_width::u32);
    ASSERT_EQ(formula.greatest_miss(), 1u);
    const u64 first = formula.miss(0), second = formula.miss(1);
    EXPECT_NE(first, second);
    EXPECT_LE(std::max(first, second), 0xFFFFFFFFull);
    for (u64 i = 0; i < 100'000; ++i) {
      for (const u64 row : {i, max_keys - 1 - i, i * 42'949}) {
        EXPECT_LE(formula.key(row), 0xFFFFFFFFull);
        ASSERT_TRUE(formula.key(row) != first && formula.key(row) != second);
      }
    }
  }
}

// With the width cut to the size of the set by hand: keys and misses together are each value once.
TEST(key_formula, keys_and_misses_share_out_all_values) {
  for (const workload& w : workloads(50)) {
    if (!numbers_misses(w.dist)) continue;
    const key_formula formula(w, key_width::u32);
    std::set<u64> keys;
    for (u64 row = 0; row < w.keys; ++row) keys.insert(formula.key(row));
    std::set<u64> misses;
    for (u64 i = 0; i < 5000; ++i) misses.insert(formula.miss(i));
    for (u64 i = 0; i < 5000; ++i) misses.insert(formula.miss(formula.greatest_miss() - i));
    EXPECT_EQ(misses.size(), 10'000u) << to_line(w);
    for (const u64 key : keys) EXPECT_FALSE(misses.contains(key)) << to_line(w);
    if (w.dist != distribution::duplicates && w.dist != distribution::zipf) {  // some of whose values may be in no row
      EXPECT_EQ(keys.size() + formula.greatest_miss(), 0xFFFFFFFFull) << to_line(w);
    }
  }
}

TEST(make_keys, is_refused_what_check_refuses) {
  EXPECT_FALSE(make_keys({.keys = 15}, key_width::u32).ok());
  EXPECT_FALSE(make_lookups({.hits = 2}, key_width::u32).ok());
}

TEST(make_keys, says_when_memory_is_short) {
  const free_memory free(1ull << 30);
  const workload w{
      .keys = max_keys, .dist = distribution::dense, .lookups = max_lookups, .hits = 0.5, .ranges = 1 << 27};
  EXPECT_EQ(make_keys(w, key_width::u64).error().words,
            "not enough memory: 32 GiB are needed for 4294967294 keys, 1 GiB are free; use fewer");
  EXPECT_EQ(make_keys(w, key_width::u32).error().words,
            "not enough memory: 16 GiB are needed for 4294967294 keys, 1 GiB are free; use fewer");
  EXPECT_EQ(make_lookups(w, key_width::u64).error().words,
            "not enough memory: 32 GiB are needed for 2^32 lookups, 1 GiB are free; use fewer");
  const key_array keys(key_width::u32, 16u << 20);
  EXPECT_EQ(draw_lookups(keys, w).error().words,
            "not enough memory: 16 GiB are needed for 2^32 lookups, 1 GiB are free; use fewer");
  // Two copies of the keys and both ends of the ranges.
  EXPECT_EQ(draw_ranges(keys, w).error().words,
            "not enough memory: 1.12 GiB are needed for 2^27 ranges and a sorted copy of the keys, 1 GiB are free; "
            "use fewer");
  free.set(32ull << 20);
  EXPECT_EQ(draw_lookups(keys, {.lookups = 10, .hits = 0.5}).error().words,
            "not enough memory: 64 MiB are needed for a sorted copy of the keys, 32 MiB are free; use fewer");
  EXPECT_TRUE(draw_lookups(keys, {.lookups = 10, .hits = 1}).ok());
}

TEST(make_keys, stops_when_cancelled_and_reports_progress) {
  std::atomic<int> calls{0};
  std::atomic<job_control*> stop{nullptr};
  job_control control([&](std::string_view stage, double fraction) {
    EXPECT_FALSE(stage.empty());
    EXPECT_LE(fraction, 1.0);
    if (++calls == 5) stop.load()->cancel();
  });
  stop = &control;
  const outcome<key_array> keys = make_keys({.keys = 1 << 23, .dist = distribution::uniform}, key_width::u32, control);
  ASSERT_FALSE(keys.ok());
  EXPECT_TRUE(keys.error().cancelled);
  EXPECT_LT(calls, 128);  // the number of chunks
}

TEST(draw_lookups, takes_hits_from_the_keys_and_misses_from_all_other_values) {
  const key_array keys(std::vector<u32>{5, 0, 7, 7, 0xFFFFFFFF, 6, 1000});
  const std::set<u64> set{5, 0, 7, 0xFFFFFFFF, 6, 1000};
  for (const double hits : {0.0, 0.5, 1.0}) {
    const outcome<key_array> lookups = draw_lookups(keys, {.lookups = 1000, .hits = hits});
    ASSERT_TRUE(lookups.ok());
    ASSERT_EQ(lookups->size(), 1000u);
    u64 found = 0;
    for (const u64 key : values(*lookups)) found += set.contains(key);
    EXPECT_NEAR(static_cast<double>(found), hits * 1000, hits == 0.5 ? 80 : 0);
  }
}

// Number for number, from the words about them: a lookup's two random numbers choose hit or miss, and which.
TEST(draw_lookups, is_the_formula_that_is_written_down) {
  const std::vector<u64> rows{50, 10, 30, 30, ~0ull, 0};
  for (const double hits : {0.0, 0.25, 0.5, 1.0}) {
    const workload w{.seed = 9, .lookups = 500, .hits = hits};
    const outcome<key_array> lookups = draw_lookups(key_array(rows), w);
    ASSERT_TRUE(lookups.ok());
    const u64 seed = seed_for(9, purpose::lookup_choice);
    std::vector<u64> expected;
    for (u64 i = 0; i < 500; ++i) {
      const double chance = static_cast<double>(random_bits(seed, 2 * i) >> 11) * 0x1p-53;
      const u64 which = random_bits(seed, 2 * i + 1);
      u64 miss = scale_to(which, ~0ull - 5);  // five values are taken
      for (const u64 taken : {0, 10, 30, 50}) miss += miss >= taken;
      expected.push_back(chance < hits ? rows[scale_to(which, 5)] : miss);
    }
    EXPECT_EQ(values(*lookups), expected) << hits;
  }
}

TEST(making, tells_its_stages) {
  std::set<std::string> stages;
  std::mutex one_at_a_time;
  const job_control control([&](std::string_view stage, double fraction) {
    const std::lock_guard lock(one_at_a_time);
    stages.insert(std::string(stage) + (fraction < 0 ? ", for as long as it takes" : ""));
  });
  const auto told = [&] { return std::exchange(stages, {}); };
  const workload w{.hits = 0.5, .ranges = 10};
  const key_array keys = *make_keys(w, key_width::u32, control);
  EXPECT_EQ(told(), (std::set<std::string>{"making keys"}));
  ASSERT_TRUE(make_lookups(w, key_width::u32, control).ok());
  EXPECT_EQ(told(), (std::set<std::string>{"making lookups"}));
  ASSERT_TRUE(draw_lookups(keys, w, control).ok());
  EXPECT_EQ(told(),
            (std::set<std::string>{"drawing lookups", "sorting the keys to find misses, for as long as it takes"}));
  ASSERT_TRUE(draw_lookups(keys, workload{}, control).ok());
  EXPECT_EQ(told(), (std::set<std::string>{"drawing lookups"}));
  ASSERT_TRUE(draw_ranges(keys, w, control).ok());
  EXPECT_EQ(told(),
            (std::set<std::string>{"drawing ranges", "sorting the keys to draw ranges, for as long as it takes"}));
}

TEST(draw_lookups, without_keys_gives_misses) {
  for (const key_width width : widths) {
    const outcome<key_array> lookups = draw_lookups(key_array(width, 0), {.lookups = 10});
    ASSERT_TRUE(lookups.ok());
    EXPECT_EQ(lookups->size(), 10u);
    EXPECT_EQ(lookups->width(), width);
  }
}

}  // namespace
}  // namespace pivotscope
