// Numbers from a seed, by formula: the same on every machine, any of them on its own.
#pragma once

#include <bit>

#include "core/common/expect.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// SplitMix64's finaliser: a bijection of 64 bits that spreads every bit over all others.
constexpr u64 spread_bits(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// What a number is drawn for. Each purpose has numbers of its own, so that none follows from another's.
enum class purpose : u64 {
  key_values = 1,
  key_order = 2,
  duplicate_choice = 3,
  lookup_choice = 4,
  range_choice = 5,
  insert_order = 6,
  erase_order = 7,
  erase_choice = 8,
  find_choice = 9,
  mixed_order = 10,
  key_places = 11,
  popular_places = 12,
  displacement = 13,
  crowds = 14,
  span = 15,
};

constexpr u64 seed_for(u64 seed, purpose p) {
  return spread_bits(seed ^ (static_cast<u64>(p) * 0xd1342543de82ef95ull));
}

// SplitMix64: its number `i`.
constexpr u64 random_bits(u64 seed, u64 i) { return spread_bits(seed + (i + 1) * 0x9e3779b97f4a7c15ull); }

// `bits` scaled to [0, greatest]; uniform up to (greatest + 1) / 2^64.
constexpr u64 scale_to(u64 bits, u64 greatest) {
  __extension__ using u128 = unsigned __int128;
  if (greatest == ~0ull) return bits;
  return static_cast<u64>((static_cast<u128>(bits) * (greatest + 1)) >> 64);
}

// A bijection of [0, greatest] onto itself, of its own for each seed.
//
// Four rounds of an invertible mix (times an odd number, plus a seed word, high half into the low) over the next power
// of two, repeated while the result is out of range (cycle walking: fewer than two turns on average, since over half
// of the power of two is in range).
class seeded_bijection {
 public:
  constexpr seeded_bijection(u64 greatest, u64 seed)
      : greatest_(greatest), mask_(greatest == 0 ? 0 : ~0ull >> std::countl_zero(greatest)) {
    const u32 bits = static_cast<u32>(std::bit_width(greatest));
    shift_ = (bits + 1) / 2;
    for (u64 round = 0; round < 4; ++round) words_[round] = random_bits(seed, round);
  }

  constexpr u64 operator()(u64 x) const {
    PIVOTSCOPE_EXPECT(x <= greatest_);
    do {
      x = (x * 0x94d049bb133111ebull + words_[0]) & mask_;
      x ^= x >> shift_;
      x = (x * 0xff51afd7ed558ccdull + words_[1]) & mask_;
      x ^= x >> shift_;
      x = (x * 0xc4ceb9fe1a85ec53ull + words_[2]) & mask_;
      x ^= x >> shift_;
      x = (x * 0x2545f4914f6cdd1dull + words_[3]) & mask_;
      x ^= x >> shift_;
    } while (x > greatest_);
    return x;
  }
  constexpr u64 greatest() const { return greatest_; }

 private:
  u64 greatest_;
  u64 mask_;
  u64 words_[4] = {};
  u32 shift_ = 1;
};

}  // namespace pivotscope
