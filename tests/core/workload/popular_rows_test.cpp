#include "core/workload/generate/popular_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "core/workload/batch.hpp"
#include "core/workload/generate/fixed_point.hpp"

namespace pivotscope {
namespace {

constexpr key_width two_widths[] = {key_width::u32, key_width::u64};

workload load_of(std::string_view line) {
  const outcome<workload> w = workload_from_line(line);
  EXPECT_TRUE(w.ok()) << line;
  return w ? *w : workload{};
}

std::vector<u64> numbers_of(const key_array& keys) {
  std::vector<u64> out(keys.size());
  for (u64 i = 0; i < out.size(); ++i) out[i] = keys[i];
  return out;
}

// How often each rank of n is drawn, of `draws`.
std::vector<double> drawn(u64 n, double exponent, u64 draws) {
  const zipf_ranks rank(n, exponent);
  std::vector<double> counts(n);
  for (u64 i = 0; i < draws; ++i) ++counts.at(rank(random_bits(77, i)));
  return counts;
}

// Chi-square of `counts` against the law, in standard deviations above its mean. Ranks of which fewer than 20 are expected
// are one class together.
double surprise(const std::vector<double>& counts, double exponent) {
  double all = 0, draws = 0;
  for (std::size_t r = 0; r < counts.size(); ++r)
    all += std::pow(static_cast<double>(r + 1), -exponent), draws += counts[r];
  double chi = 0, rare = 0, rare_counts = 0, classes = 0;
  const auto add = [&](double count, double expected) {
    chi += (count - expected) * (count - expected) / expected, ++classes;
  };
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const double expected = draws * std::pow(static_cast<double>(r + 1), -exponent) / all;
    if (expected < 20)
      rare += expected, rare_counts += counts[r];
    else
      add(counts[r], expected);
  }
  if (rare > 5) add(rare_counts, rare);
  const double freedom = std::max(1.0, classes - 1);
  return (chi - freedom) / std::sqrt(2 * freedom);
}

TEST(fixed_point, is_near_to_the_real_powers_and_logarithms) {
  for (u64 i = 0; i < 1000; ++i) {
    const u64 bits = random_bits(3, i);
    const double f = static_cast<double>(bits) * 0x1p-64;
    EXPECT_NEAR(static_cast<double>(two_to_the(bits)) * 0x1p-64, std::exp2(f) - 1, 1e-6);
    EXPECT_NEAR(static_cast<double>(log_two_of_one_and(bits)) * 0x1p-64, std::log2(1 + f), 1e-11);
  }
  EXPECT_EQ(two_to_the(0), 0u);
  EXPECT_EQ(log_two_of_one_and(0), 0u);
}

TEST(zipf_ranks, follow_the_law) {
  for (const double exponent : {0.0, 0.01, 0.5, 0.99, 1.0, 1.25, 2.0, 3.0, 4.99, 5.0})
    for (const u64 n : {2ull, 3ull, 7ull, 64ull, 65ull, 1000ull, 5000ull}) {
      const double deviations = surprise(drawn(n, exponent, 200'000), exponent);
      EXPECT_LT(deviations, 5) << n << " ranks, exponent " << exponent;
      EXPECT_GT(deviations, -5) << n << " ranks, exponent " << exponent;
    }
}

TEST(zipf_ranks, that_are_counted_against_another_exponent_are_found_out) {
  EXPECT_GT(surprise(drawn(1000, 1.0, 200'000), 1.02), 5);
  EXPECT_GT(surprise(drawn(1000, 0.0, 200'000), 0.05), 5);
  EXPECT_GT(surprise(drawn(1000, 5.0, 200'000), 4.9), 5);
}

TEST(zipf_ranks, reach_from_the_first_to_the_last) {
  EXPECT_EQ(drawn(1, 0, 100)[0], 100);
  EXPECT_EQ(drawn(1, 5, 100)[0], 100);
  for (const double count : drawn(100, 0.5, 100'000)) EXPECT_GT(count, 0);
  for (const u64 n : {1ull << 20, (1ull << 32) - 2, (1ull << 32) + 1}) {
    const zipf_ranks even(n, 0), steep(n, 5);
    u64 greatest = 0;
    for (u64 i = 0; i < 100'000; ++i) {
      greatest = std::max(greatest, even(random_bits(5, i)));
      EXPECT_LT(steep(random_bits(5, i)), 1000u);
    }
    EXPECT_LT(greatest, n);
    EXPECT_GT(greatest, n - n / 1000);
  }
}

// A second reader of the same bits, by powers of floating-point numbers: slow, and as exact at one exponent as at another.
class slow_zipf_ranks {
 public:
  slow_zipf_ranks(u64 n, double exponent) : n_(n), exponent_(exponent) {
    for (u64 first = 1; first <= n; first *= 2) {
      const auto ranks = static_cast<long double>(std::min(first, n - first + 1));
      octaves_.push_back(ranks * std::pow(static_cast<long double>(first), -exponent_));
      all_ += octaves_.back();
    }
  }

  // Nothing: a number of the way is too near to where it decides for the other's millionths.
  std::optional<u64> operator()(u64 bits) const {
    for (u64 draw = 0;; draw += 3) {
      long double where = share_of(random_bits(bits, draw)) * all_;
      std::size_t octave = 0;
      for (; octave + 1 < octaves_.size() && where >= octaves_[octave]; ++octave) where -= octaves_[octave];
      const bool ends = octave + 1 == octaves_.size();
      if ((octave > 0 && where < near * all_) || (!ends && octaves_[octave] - where < near * all_)) return std::nullopt;
      const u64 first = 1ull << octave;
      const u64 rank = first + scale_to(random_bits(bits, draw + 1), std::min(first, n_ - first + 1) - 1);
      const long double chance = std::pow(static_cast<long double>(rank) / static_cast<long double>(first), -exponent_);
      const long double drawn = share_of(random_bits(bits, draw + 2));
      if (chance < 1 && std::abs(drawn - chance) < near) return std::nullopt;
      if (drawn < chance) return rank - 1;
    }
  }

 private:
  static constexpr long double near = 1e-5L;
  static long double share_of(u64 bits) { return static_cast<long double>(bits) * 0x1p-64L; }

  u64 n_;
  long double exponent_, all_ = 0;
  std::vector<long double>
      octaves_;  // of ranks 2^j and those behind it, up to the next octave: what a draw of it weighs
};

void expect_as_the_slow_reader(u64 n, double exponent, u64 draws) {
  const zipf_ranks fast(n, exponent);
  const slow_zipf_ranks slow(n, exponent);
  u64 told = 0;
  for (u64 i = 0; i < draws; ++i) {
    const u64 bits = random_bits(n + 3, i);
    const std::optional<u64> right = slow(bits);
    if (!right) continue;
    ++told;
    ASSERT_EQ(fast(bits), *right) << n << " ranks, exponent " << exponent << ", draw " << i;
  }
  EXPECT_GT(told, draws * 98 / 100) << n << " ranks, exponent " << exponent;
}

TEST(zipf_ranks, are_those_of_a_slow_reader_at_either_end_and_between) {
  for (const double exponent : {0.0, 1e-9, 0.001, 0.02, 0.99, 1.0, 1.001, 4.9, 4.999, 5.0})
    for (const u64 n :
         {1ull, 2ull, 3ull, 1000ull, (1ull << 16) + 1, (1ull << 20) - 1, (1ull << 32) - 2, (1ull << 33) - 1})
      expect_as_the_slow_reader(n, exponent, 2000);
  for (u64 i = 0; i < 60; ++i)
    expect_as_the_slow_reader(1 + (random_bits(8, i) >> (31 + i % 33)),
                              5 * static_cast<double>(random_bits(9, i)) * 0x1p-64, 1000);
}

// Past the curve's points, where it is a line between two of them: shares of stretches of the last octaves.
TEST(zipf_ranks, follow_the_law_far_out) {
  constexpr u64 n = 1u << 20, draws = 1'000'000, parts = 64;
  for (const double exponent : {0.0, 0.5, 1.0}) {
    const zipf_ranks rank(n, exponent);
    std::vector<double> counts(parts), expected(parts);
    for (u64 i = 0; i < draws; ++i) ++counts[rank(random_bits(11, i)) * parts / n];
    double all = 0, chi = 0;
    for (u64 r = 0; r < n; ++r) {
      const double weight = std::pow(static_cast<double>(r + 1), -exponent);
      expected[r * parts / n] += weight, all += weight;
    }
    for (u64 p = 0; p < parts; ++p) {
      expected[p] *= draws / all;
      chi += (counts[p] - expected[p]) * (counts[p] - expected[p]) / expected[p];
    }
    EXPECT_LT(chi, 63 + 5 * 11.3) << exponent;
  }
}

TEST(popular_lookups, of_exponent_0_are_the_uniform_ones) {
  for (const key_width width : two_widths) {
    const std::string line = "keys=500 distribution=mix seed=4 lookups=3000 hits=0.5";
    EXPECT_EQ(numbers_of(*make_lookups(load_of(line), width)),
              numbers_of(*make_lookups(load_of(line + " popularity=zipf exponent=0"), width)));
  }
}

// However small or great an accepted exponent is: a hit is of the row that its rank leads to.
TEST(popular_lookups, have_the_ranks_of_their_exponent_up_to_both_ends) {
  for (const double exponent : {1e-9, 0.001, 0.04, 4.96, 4.999, 5.0}) {
    const workload w =
        load_of(fmt::format("keys=3000 distribution=dense seed=4 popularity=zipf exponent={}", exponent));
    EXPECT_EQ(w.exponent, exponent);
    const popular_rows row(w, w.keys);
    const zipf_ranks rank(w.keys, exponent);
    const seeded_bijection place(w.keys - 1, seed_for(w.seed, purpose::popular_places));
    for (u64 i = 0; i < 1000; ++i) EXPECT_EQ(row(random_bits(2, i)), place(rank(random_bits(2, i)))) << exponent;
  }
}

TEST(popular_lookups, ask_for_a_few_keys_again_and_again) {
  for (const key_width width : two_widths) {
    std::map<u64, double> count;
    for (const u64 key :
         numbers_of(*make_lookups(load_of("keys=1000 distribution=dense lookups=200000 popularity=zipf"), width)))
      ++count[key];
    std::vector<double> counts(1000);
    std::size_t i = 0;
    for (const auto& [key, c] : count) counts[i++] = c;
    std::vector<std::pair<double, u64>> by_count;
    for (const auto& [key, c] : count) by_count.emplace_back(c, key);
    std::sort(by_count.rbegin(), by_count.rend());
    // Of 1000 keys by 1 / rank: 1 / 7.485 of all, half of that, ...
    EXPECT_NEAR(by_count[0].first, 200'000 / 7.485, 1000);
    EXPECT_NEAR(by_count[1].first, 200'000 / 7.485 / 2, 700);
    // The first five are no neighbours.
    for (std::size_t a = 0; a < 5; ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_GT(std::abs(static_cast<double>(by_count[a].second) - static_cast<double>(by_count[b].second)), 2);
  }
}

// Rows that are in order already: popular ones lie here and there all the same.
TEST(popular_lookups, are_no_neighbours_where_rows_are_sorted) {
  std::vector<u32> sorted(1000);
  for (u32 i = 0; i < 1000; ++i) sorted[i] = i;
  std::vector<double> counts(1000);
  const workload w{.lookups = 100'000, .popular = popularity::zipf};
  for (const u64 key : numbers_of(*draw_lookups(key_array(sorted), w))) ++counts.at(key);
  std::vector<std::pair<double, double>> by_count;
  for (u32 i = 0; i < 1000; ++i) by_count.emplace_back(counts[i], i);
  std::sort(by_count.rbegin(), by_count.rend());
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_GT(std::abs(by_count[a].second - by_count[b].second), 2);
}

TEST(popular_lookups, of_hot_keys_are_of_one_run_of_neighbours) {
  for (const std::string_view keys : {"keys=1000 distribution=uniform", "keys=1000 distribution=narrow"})
    for (const key_width width : two_widths) {
      const workload w = load_of(std::string(keys) + " lookups=50000 popularity=hot hot_keys=0.05 hot_lookups=0.8");
      std::vector<u64> sorted = numbers_of(*make_keys(w, width));
      std::sort(sorted.begin(), sorted.end());
      std::vector<double> counts(sorted.size());
      for (const u64 key : numbers_of(*make_lookups(w, width))) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), key);
        ASSERT_TRUE(at != sorted.end() && *at == key);
        ++counts[static_cast<std::size_t>(at - sorted.begin())];
      }
      // 50 keys of 800 lookups on average; the others of about 10.
      const auto hot = [](double c) { return c > 100; };
      EXPECT_NEAR(static_cast<double>(std::count_if(counts.begin(), counts.end(), hot)), 50, 1);
      const auto first = std::find_if(counts.begin(), counts.end(), hot);
      double of_hot = 0;
      for (auto at = first; at != counts.end() && at != first + 50; ++at) of_hot += *at;
      EXPECT_NEAR(of_hot, 40'000, 900);
    }
}

TEST(popular_lookups, of_0_and_1_keys_and_of_misses_alone) {
  for (const std::string_view popular :
       {"popularity=zipf exponent=0", "popularity=zipf exponent=5", "popularity=hot", "popularity=hot hot_keys=0",
        "popularity=hot hot_keys=1 hot_lookups=0", "order=nearly", "order=nearly displaced=1 distance=2",
        "order=nearly distance=2^32"})
    for (const key_width width : two_widths)
      for (const std::string_view ask :
           {"lookups=100", "lookups=0 successors=100", "lookups=0 ranges=100 range_hits=3"}) {
        const auto batch_of = [&](std::string_view keys) {
          const outcome<batch> made = make_batch(load_of(fmt::format("{} {} {}", keys, ask, popular)), width);
          EXPECT_TRUE(made.ok()) << keys << " " << ask << " " << popular;
          return made ? *made : batch{};
        };
        EXPECT_EQ(batch_of("keys=0").size(), 100u);
        const u64 only = (*make_keys(load_of("keys=1"), width))[0];
        for (const u64 key : numbers_of(batch_of("keys=1").keys)) EXPECT_EQ(key, only);
        if (ask.ends_with("range_hits=3")) continue;
        const std::vector<u64> keys = numbers_of(*make_keys(load_of("keys=50"), width));
        const std::set<u64> set(keys.begin(), keys.end());
        for (const std::string_view where : {"anywhere", "inside", "outside"})
          for (const u64 key : numbers_of(batch_of(fmt::format("keys=50 hits=0 misses={}", where)).keys))
            EXPECT_FALSE(set.contains(key));
      }
}

TEST(popular_lookups, keep_the_share_of_hits_and_the_place_of_misses) {
  for (const std::string_view popular : {"popularity=zipf exponent=1.5", "popularity=hot"})
    for (const std::string_view where : {"anywhere", "inside", "outside"}) {
      const workload w = load_of(fmt::format("keys=1000 lookups=20000 hits=0.7 misses={} {}", where, popular));
      const std::vector<u64> keys = numbers_of(*make_keys(w, key_width::u32));
      const std::set<u64> set(keys.begin(), keys.end());
      double hits = 0;
      for (const u64 key : numbers_of(*make_lookups(w, key_width::u32))) {
        hits += set.contains(key);
        if (set.contains(key) || where == "anywhere") continue;
        EXPECT_EQ(key > *set.begin() && key < *set.rbegin(), where == "inside");
      }
      EXPECT_NEAR(hits, 14'000, 5 * 65) << to_line(w);
    }
}

TEST(popular_ranges, begin_at_popular_places_and_have_their_entries) {
  for (const std::string_view popular : {"popularity=zipf", "popularity=hot"}) {
    const workload w = load_of(fmt::format("keys=1000 lookups=0 ranges=20000 range_hits=7 {}", popular));
    std::vector<u64> sorted = numbers_of(*make_keys(w, key_width::u32));
    std::sort(sorted.begin(), sorted.end());
    const batch made = *make_batch(w, key_width::u32);
    std::map<u64, u64> begins;
    for (u64 i = 0; i < made.size(); ++i) {
      const auto low = std::lower_bound(sorted.begin(), sorted.end(), made.keys[i]);
      ASSERT_LT(low - sorted.begin(), 994);
      EXPECT_EQ(low[6], made.highs[i]);
      ++begins[made.keys[i]];
    }
    u64 most = 0;
    for (const auto& [key, count] : begins) most = std::max(most, count);
    EXPECT_GT(most, 1000u) << popular;  // of 20 on average
  }
}

TEST(nearly_sorted, displaces_a_share_of_them_within_a_distance) {
  for (const key_width width : two_widths)
    for (const auto& [displaced, distance] : {std::pair{0.1, 64u}, {0.5, 2u}, {1.0, 1000u}, {0.0, 64u}}) {
      workload w = load_of("keys=100000 distribution=uniform lookups=20000");
      w.order = lookup_order::sorted;
      const std::vector<u64> sorted = numbers_of(*make_lookups(w, width));
      w.order = lookup_order::nearly, w.displaced = displaced, w.distance = distance;
      const std::vector<u64> nearly = numbers_of(*make_lookups(w, width));
      double moved = 0;
      for (u64 i = 0; i < nearly.size(); ++i) {
        if (nearly[i] == sorted[i]) continue;
        ++moved;
        const u64 begin = i < distance ? 0 : i - distance + 1, end = std::min(nearly.size(), i + distance);
        EXPECT_TRUE(std::find(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                              sorted.begin() + static_cast<std::ptrdiff_t>(end),
                              nearly[i]) != sorted.begin() + static_cast<std::ptrdiff_t>(end));
      }
      // Some of those taken go back to where they were: about one of each run.
      const double share = moved / 20'000;
      EXPECT_LE(share, displaced + 0.01);
      const double expected = distance == 2 ? 0.25 * 0.5 : displaced;  // of 2 both must be taken, and change places
      EXPECT_GE(share, expected - 2.0 / distance - 0.01);
      std::vector<u64> again = nearly;
      std::sort(again.begin(), again.end());
      EXPECT_EQ(again, sorted);
    }
}

TEST(nearly_sorted, moves_a_range_as_a_whole) {
  workload w = load_of("keys=1000 lookups=0 ranges=500 range_hits=5 order=sorted");
  const batch sorted = *make_batch(w, key_width::u32);
  w.order = lookup_order::nearly, w.displaced = 0.5;
  const batch nearly = *make_batch(w, key_width::u32);
  std::vector<std::pair<u64, u64>> left, right;
  for (u64 i = 0; i < sorted.size(); ++i)
    left.emplace_back(sorted.keys[i], sorted.highs[i]), right.emplace_back(nearly.keys[i], nearly.highs[i]);
  EXPECT_NE(left, right);
  std::sort(right.begin(), right.end());
  EXPECT_EQ(left, right);
}

}  // namespace
}  // namespace pivotscope
