// Which key is in which row of a generated key set, and which values are in none: a formula each.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/workload/generate/crowds.hpp"
#include "core/workload/generate/fixed_point.hpp"
#include "core/workload/generate/one_span.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "core/workload/generate/zipf_ranks.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {

// The papers' example in input order: shuffled, so that no row id equals its key's rank by chance of being sorted.
inline constexpr u64 paper_keys[] = {10, 4, 17, 7, 1, 12, 9, 14, 3, 6, 13, 7, 16, 11};
// Misses for it stay where the example is looked at: the gaps, just beyond both ends, and far beyond.
inline constexpr u64 paper_misses[] = {0, 2, 5, 8, 15, 18, 19, 20};

// Runs that the keys of `clusters` lie in, and values of the one of `narrow`.
inline constexpr u64 cluster_count = 1000, narrow_values = 1ull << 20;
// Keys of a stretch of `nested`, on average: some thirty leaves of a packed index, as many as a block just cannot tell
// apart.
inline constexpr u64 nested_keys = 384;

// Whether misses are a formula too. Of the others every value of the width may be a key: their misses are known by the
// keys themselves (missing_values.hpp).
inline bool numbers_misses(distribution d) {
  return d != distribution::narrow && d != distribution::gaps && d != distribution::clusters &&
         d != distribution::nested && d != distribution::crowds && d != distribution::span;
}
// Whether it takes the keys of w to draw its lookups.
inline bool takes_keys(const workload& w) {
  if (w.own_keys.given() || (w.popular == popularity::hot && w.hits > 0)) return true;
  return (w.hits < 1 || w.keys == 0) && (w.misses != miss_place::anywhere || !numbers_misses(w.dist));
}

// 2 to the power of `octaves` times bits / 2^64, cut to a whole number: for bits that are even over all of theirs a
// number whose logarithm is.
inline u64 power_of_two(u64 bits, u64 octaves) {
  __extension__ using u128 = unsigned __int128;
  const u128 exponent = static_cast<u128>(bits) * octaves;
  const u64 whole = static_cast<u64>(exponent >> 64), f = static_cast<u64>(exponent);
  return (1ull << 63 | two_to_the(f) >> 1) >> (63 - whole);
}

// A workload that check() accepts. Every set of values splits in two: those a key may have and the misses, numbered
// from 0 each, so that drawing a certain miss is drawing a number.
class key_formula {
 public:
  key_formula(const workload& w, key_width width)
      : dist_(w.dist),
        rows_(w.keys),
        repeat_(w.repeat),
        greatest_value_(width == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>()),
        values_(count_values(w)),
        dense_(w.dist == distribution::mix ? count_dense(w) : 0),
        run_(run_of(w)),
        stretches_(std::max<u64>(1, w.keys / nested_keys)),
        crowds_(w.seed, w.keys, greatest_value_),
        span_(w.seed, greatest_value_),
        choice_seed_(seed_for(w.seed, purpose::duplicate_choice)),
        place_seed_(seed_for(w.seed, purpose::key_places)),
        order_(w.keys == 0 ? 0 : w.keys - 1, seed_for(w.seed, purpose::key_order)),
        spread_(greatest_value_ - dense_, seed_for(w.seed, purpose::key_values)) {
    if (w.dist == distribution::zipf && w.keys > 0) ranks_.emplace(w.keys, w.exponent);
  }

  // The key of a row below n.
  u64 key(u64 row) const {
    switch (dist_) {
      case distribution::uniform:
        return spread_(row);
      case distribution::dense:
        return order_(row);
      case distribution::mix: {
        const u64 i = order_(row);
        return i < dense_ ? i : dense_ + spread_(i - dense_);
      }
      case distribution::duplicates:
        return drawn_value(row);
      case distribution::ends:
        return end_value(order_(row) / repeat_);
      case distribution::narrow:
        return run_begin(0) + scale_to(random_bits(choice_seed_, row), run_ - 1);
      case distribution::gaps:
        return power_of_two(random_bits(choice_seed_, row), static_cast<u64>(std::bit_width(greatest_value_)));
      case distribution::clusters: {
        const u64 which = random_bits(choice_seed_, 2 * row), where = random_bits(choice_seed_, 2 * row + 1);
        return run_begin(scale_to(which, cluster_count - 1)) + scale_to(where, run_ - 1);
      }
      case distribution::nested: {
        const u64 which = scale_to(random_bits(choice_seed_, 2 * row), stretches_ - 1);
        const u64 place = power_of_two(random_bits(choice_seed_, 2 * row + 1),
                                       static_cast<u64>(std::bit_width(greatest_value_ / stretches_)) - 1);
        return which * (greatest_value_ / stretches_) + place - 1;
      }
      case distribution::crowds:
        return crowds_.key(row);
      case distribution::span:
        return span_.key(row);
      case distribution::half: {
        const u64 i = order_(row), equal = rows_ - rows_ / 2;
        return spread_(i < equal ? 0 : i - equal + 1);
      }
      case distribution::paper:
        return paper_keys[row];
      case distribution::zipf:
        return value_by_rank(row);
    }
    return 0;
  }

  // The key of row n + i, were there more rows than n: of uniform, dense, mix, half and paper a miss, another one for
  // each i; of the others a value as theirs are. There is a row in the set.
  u64 beyond(u64 i) const {
    switch (dist_) {
      case distribution::uniform:
      case distribution::dense:
      case distribution::mix:
      case distribution::half:
        return miss(i);
      case distribution::narrow:
      case distribution::gaps:
      case distribution::clusters:
      case distribution::nested:
      case distribution::crowds:
      case distribution::span:  // each is drawn by itself
        return key(rows_ + i);
      case distribution::duplicates:
        return drawn_value(rows_ + i);
      case distribution::zipf:
        return value_by_rank(rows_ + i);
      case distribution::ends:
        return end_value((rows_ + i) / repeat_);
      case distribution::paper:  // behind the last of the listed ones
        return i < std::size(paper_misses)
                   ? paper_misses[i]
                   : paper_misses[std::size(paper_misses) - 1] + 1 + i - std::size(paper_misses);
    }
    return 0;
  }

  // The last miss's number. There always is a miss: n is at most 2^32 - 2. Only where numbers_misses().
  u64 greatest_miss() const {
    PIVOTSCOPE_EXPECT(numbers_misses(dist_));
    return dist_ == distribution::paper ? std::size(paper_misses) : greatest_value_ - values_;
  }

  // A value that is no row's key. i <= greatest_miss().
  u64 miss(u64 i) const {
    switch (dist_) {
      case distribution::uniform:
      case distribution::duplicates:
      case distribution::half:
      case distribution::zipf:
        return spread_(values_ + i);
      case distribution::narrow:
      case distribution::gaps:
      case distribution::clusters:
      case distribution::nested:
      case distribution::crowds:
      case distribution::span:
        break;
      case distribution::dense:
        return values_ + i;
      case distribution::mix:
        return dense_ + spread_(values_ - dense_ + i);
      case distribution::ends:
        return (values_ + 1) / 2 + i;
      case distribution::paper:
        return i < std::size(paper_misses) ? paper_misses[i] : greatest_value_;
    }
    return 0;
  }

 private:
  u64 drawn_value(u64 row) const { return spread_(scale_to(random_bits(choice_seed_, row), values_ - 1)); }
  // Popular values are no neighbours: they are spread as all others.
  u64 value_by_rank(u64 row) const { return spread_((*ranks_)(random_bits(choice_seed_, row))); }
  // Where a run of values begins that all fit into the width.
  u64 run_begin(u64 which) const { return scale_to(random_bits(place_seed_, which), greatest_value_ - (run_ - 1)); }
  u64 end_value(u64 i) const { return i % 2 == 0 ? i / 2 : greatest_value_ - i / 2; }

  // How many different values the formula sets aside for keys.
  static u64 count_values(const workload& w) {
    if (w.keys == 0) return 0;
    if (w.dist == distribution::duplicates) return w.keys / w.repeat == 0 ? 1 : w.keys / w.repeat;
    if (w.dist == distribution::ends) return (w.keys - 1) / w.repeat + 1;
    if (w.dist == distribution::half) return w.keys / 2 + 1;
    return w.keys;
  }
  // Values of a run of `narrow` or `clusters`.
  static u64 run_of(const workload& w) {
    return w.dist == distribution::narrow ? narrow_values : 2 * std::max<u64>(1, ceil_div(w.keys, cluster_count));
  }
  static u64 count_dense(const workload& w) {
    // No multiplication followed by an addition: some machines would fuse them and round differently.
    return static_cast<u64>(std::llround((1.0 - w.uniformity) * static_cast<double>(w.keys)));
  }

  distribution dist_;
  u64 rows_;
  u64 repeat_;
  u64 greatest_value_;
  u64 values_;
  u64 dense_;
  u64 run_;
  u64 stretches_;
  crowds crowds_;
  one_span span_;
  u64 choice_seed_, place_seed_;
  seeded_bijection order_;                // of rows: which key is in which row
  seeded_bijection spread_;               // of the values from dense_ on
  std::optional<zipf_ranks> ranks_ = {};  // of the values of `zipf`, where it has keys
};

}  // namespace pivotscope
