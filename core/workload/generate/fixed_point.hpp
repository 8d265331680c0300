// Powers and logarithms by integers alone, so that they are the same on every machine. A number of [0, 1) is a u64, of
// which it is the 2^64-th part.
#pragma once

#include <cstddef>
#include <iterator>

#include "core/common/portable.hpp"

namespace pivotscope {

// 2^f - 1 of f in [0, 1): a sum of f^k ln(2)^k / k! to k = 8; to a millionth.
constexpr u64 two_to_the(u64 f) {
  __extension__ using u128 = unsigned __int128;
  constexpr u64 terms[] = {0xb17217f7d1cf79abull, 0x3d7f7bff058b1d50ull, 0x0e35846b82505fc5ull, 0x0276556df749cee5ull,
                           0x005761ff9e299cc4ull, 0x000a184897c363c3ull, 0x0000ffe5fe2c4586ull, 0x0000162c0223a5c8ull};
  u64 sum = 0;
  for (std::size_t k = std::size(terms); k-- > 0;)
    sum = static_cast<u64>((static_cast<u128>(f) * (terms[k] + sum)) >> 64);
  return sum;
}

// The logarithm to base 2 of 1 + f, f in [0, 1), bit by bit: squaring doubles it. The lowest 24 bits are 0.
constexpr u64 log_two_of_one_and(u64 f) {
  __extension__ using u128 = unsigned __int128;
  u64 x = 1ull << 63 | f >> 1;  // 1 + f, of which it is the 2^63-th part
  u64 log = 0;
  for (u32 bit = 64; bit-- > 24;) {
    const u128 square = static_cast<u128>(x) * x;
    const bool above = (square >> 127) != 0;
    x = static_cast<u64>(square >> (above ? 64 : 63));
    if (above) log |= 1ull << bit;
  }
  return log;
}

}  // namespace pivotscope
