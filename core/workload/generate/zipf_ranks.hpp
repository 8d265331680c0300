// Ranks by Zipf's law: rank r of n in proportion to 1 / r^s, s from 0 to 5.
//
// By rejection, an octave of ranks at a time: ranks 2^j up to 2^(j+1) are under the line 2^(-j s), so an octave is
// drawn by its ranks times that, a rank of it evenly, and kept with the chance (r / 2^j)^-s. Where s is small the
// chance is near 1, and where s is great most draws end in the first octave, which has one rank: over two in three
// draws are kept whatever s is (rejection-inversion, Hoermann and Derflinger 1996, keeps a few more, but by logarithms
// and powers whose last bits differ between libraries). All by integers, so that a seed means the same lookups on every
// machine.
#pragma once

#include <array>
#include <vector>

#include "core/common/portable.hpp"

namespace pivotscope {

class zipf_ranks {
 public:
  // 1 <= n < 2^33, 0 <= exponent <= 5.
  zipf_ranks(u64 n, double exponent);

  // From 0, the most popular, to n - 1. Of 64 random bits, which are spread for as many draws as it takes.
  u64 operator()(u64 bits) const;

 private:
  static constexpr u32 curve_bits = 10;

  u64 kept_chance(u64 rank, u32 octave) const;

  u64 n_;
  u32 octaves_ = 0;
  std::array<u64, 33> up_to_ =
      {};                   // the weights of an octave and those before it, of which the last one's is below 2^64
  std::vector<u64> curve_;  // x^-s at x = 1 + i / 2^curve_bits
};

}  // namespace pivotscope
