// Key sets that are hard for whatever cuts a key range into parts: all keys lie in a few crowds, and between them lies
// nothing. A seed draws where they are, how many values each has and how the rows are shared out. Chance alone does not
// draw such: a crowd that ends with its part of the range, two that one key parts, one key a thousand times.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {

class crowds {
 public:
  static constexpr u32 most = 24;

  // Of `rows` keys from 0 to `greatest`, a number of the form 2^b - 1.
  crowds(u64 seed, u64 rows, u64 greatest) : greatest_(greatest), seed_(seed_for(seed, purpose::crowds)) {
    const bool alike = draw(3) != 0;
    count_ = static_cast<u32>(alike ? 2 + draw(3) : 1 + draw(draw(most - 1)));  // few more often than many
    halves_ = !alike && draw(2) == 0;
    ends_too_ = draw(3) != 0;
    share_ = std::max<u64>(1, rows / count_);
    at_ends_ = u64{1} << (alike ? 4 + draw(4) : draw(8));
    if (alike)
      draw_alike(share_);
    else
      for (u32 c = 0; c < count_; ++c) all_[c] = draw_crowd(c, share_);
  }

  // A key of the set; each row's is drawn by itself.
  u64 key(u64 row) const {
    if (ends_too_ && row < 2) return row == 0 ? 0 : greatest_;
    const u64 which = random_bits(seed_, random_keys + 2 * row), where = random_bits(seed_, random_keys + 2 * row + 1);
    // Each crowd has as many rows as any other; or one half of all rows, the next half of the rest, and so on.
    const u32 c = halves_ ? std::min(static_cast<u32>(std::countl_zero(which | 1)), count_ - 1)
                          : static_cast<u32>(scale_to(which, count_ - 1));
    // What begins or ends a crowd is there several times.
    if (const u64 turn = scale_to(spread_bits(where), share_ - 1); turn < 2 * at_ends_)
      return all_[c].first + (turn < at_ends_ ? 0 : all_[c].others);
    return all_[c].first + scale_to(where, all_[c].others);
  }

 private:
  // Numbers of the seed from here on are keys'; those before are crowds'.
  static constexpr u64 random_keys = 1 << 10;
  struct crowd {
    u64 first, others;  // the least value, and how many others follow it
  };

  u64 draw(u64 most_of_it) { return scale_to(random_bits(seed_, next_++), most_of_it); }
  u64 power() { return u64{1} << draw(static_cast<u64>(std::bit_width(greatest_)) - 1); }

  // Each in a part of its own, anywhere there, and of the same width: a power of two of at least as many values as it
  // has rows.
  void draw_alike(u64 share) {
    const u64 part = greatest_ / count_;
    u64 others = std::bit_ceil(share) - 1;
    const u64 doublings = static_cast<u64>(std::countl_zero(others | 1) - std::countl_zero(part | 1));
    if (others < part / 2) others = ((others + 1) << draw(doublings - 1)) - 1;
    others = std::min(others, part);
    for (u32 c = 0; c < count_; ++c) all_[c] = {part * c + draw(part - others), others};
  }

  crowd draw_crowd(u32 c, u64 share) {
    u64 first = 0;
    switch (draw(5)) {
      case 0:
        first = power() - 1;
        break;
      case 1:
        first = greatest_ - (power() - 1);
        break;
      case 2: {  // the last value of one of up to 64 equal parts, or the first of the next
        const u64 parts = 1 + draw(63);
        first = greatest_ / parts * draw(parts) - draw(1);
        break;
      }
      case 3:  // beside the one before
        first = c == 0 ? 0 : all_[c - 1].first + all_[c - 1].others + power();
        break;
      default:
        first = draw(greatest_);
    }
    u64 others = 0;
    switch (draw(3)) {
      case 0:  // one key
        break;
      case 1:  // each value several times
        others = share / (2 + draw(8));
        break;
      case 2:  // about each value
        others = draw(2 * share);
        break;
      default:  // with gaps
        others = power() - 1;
    }
    others = std::min(others, greatest_);
    first &= greatest_;
    return {std::min(first, greatest_ - others), others};
  }

  u64 greatest_, seed_, next_ = 0;
  u64 share_ = 1, at_ends_ = 1;  // rows of a crowd; of these, of its first value and of its last
  u32 count_ = 1;
  bool halves_ = false, ends_too_ = false;
  std::array<crowd, most> all_{};
};

}  // namespace pivotscope
