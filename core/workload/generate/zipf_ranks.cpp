#include "core/workload/generate/zipf_ranks.hpp"

#include <algorithm>
#include <bit>

#include "core/common/expect.hpp"
#include "core/workload/generate/fixed_point.hpp"
#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {
namespace {

__extension__ using u128 = unsigned __int128;

// An exponent's unit is 2^-48.
constexpr u32 exponent_bits = 48;

// 2^-e; 1 is the greatest number below it.
u64 two_to_the_minus(u128 e) {
  const u64 whole = static_cast<u64>(e >> exponent_bits), part = static_cast<u64>(e << (64 - exponent_bits));
  if (whole >= 64) return 0;
  if (part == 0) return whole == 0 ? ~0ull : 1ull << (64 - whole);
  return (1ull << 63 | two_to_the(0 - part) >> 1) >> whole;
}

}  // namespace

zipf_ranks::zipf_ranks(u64 n, double exponent) : n_(n), octaves_(static_cast<u32>(std::bit_width(n))) {
  PIVOTSCOPE_EXPECT(n > 0 && octaves_ <= up_to_.size() && exponent >= 0 && exponent <= 5);
  // A power of two times it is exact.
  const u64 s = static_cast<u64>(exponent * 0x1p48);
  u128 all = 0;
  std::array<u128, 33> sums = {};
  for (u32 j = 0; j < octaves_; ++j) {
    const u64 ranks = std::min(1ull << j, n - (1ull << j) + 1);
    all += static_cast<u128>(ranks) * two_to_the_minus(static_cast<u128>(s) * j);
    sums[j] = all;
  }
  const u64 high = static_cast<u64>(all >> 64);
  const u32 shift = static_cast<u32>(std::bit_width(high));
  for (u32 j = 0; j < octaves_; ++j) up_to_[j] = static_cast<u64>(sums[j] >> shift);
  for (u64 i = 0; i <= 1ull << curve_bits; ++i) {
    const bool two = i == 1ull << curve_bits;
    const u64 log = two ? 0 : log_two_of_one_and(i << (64 - curve_bits));
    curve_.push_back(two_to_the_minus(two ? u128{s} : (static_cast<u128>(s) * log) >> 64));
  }
}

// (r / 2^j)^-s between two points of the curve; at them up to octave 10.
u64 zipf_ranks::kept_chance(u64 rank, u32 octave) const {
  const u64 x = octave == 0 ? 0 : rank << (64 - octave);  // rank / 2^octave - 1
  const u64 at = x >> (64 - curve_bits), between = x << curve_bits;
  const u64 here = curve_[at], next = curve_[at + 1];
  return here - static_cast<u64>((static_cast<u128>(here - next) * between) >> 64);
}

u64 zipf_ranks::operator()(u64 bits) const {
  for (u64 draw = 0;; draw += 3) {
    const u64 where = scale_to(random_bits(bits, draw), up_to_[octaves_ - 1] - 1);
    const auto begin = up_to_.begin(), end = begin + octaves_;
    const auto octave = static_cast<u32>(std::upper_bound(begin, end, where) - begin);
    const u64 first = 1ull << octave, ranks = std::min(first, n_ - first + 1);
    const u64 rank = first + scale_to(random_bits(bits, draw + 1), ranks - 1);
    if (random_bits(bits, draw + 2) <= kept_chance(rank, octave)) return rank - 1;
  }
}

}  // namespace pivotscope
