// Key sets that lie in one range of values. A seed draws how wide the range is and where it begins: most often far
// above 0, and no power of two wide. What scales a key's distance from the least one meets every width here; dense,
// uniform and narrow keys have few.
#pragma once

#include <algorithm>
#include <bit>

#include "core/workload/generate/seeded_bijection.hpp"

namespace pivotscope {

class one_span {
 public:
  // Of keys from 0 to `greatest`, a number of the form 2^b - 1.
  one_span(u64 seed, u64 greatest) : seed_(seed_for(seed, purpose::span)) {
    const u64 kind = draw(3), octave = draw(static_cast<u64>(std::bit_width(greatest)) - 1);
    const u64 any = draw(greatest) >> octave;  // every octave is as likely as any other, and in it every width
    switch (kind) {
      case 0:  // beside a power of two
        others_ = (u64{1} << octave) - 1 + draw(2);
        break;
      case 1:  // nearly all values
        others_ = greatest - any / 2;
        break;
      default:
        others_ = any;
    }
    others_ = std::min(others_, greatest);
    const u64 last_place = greatest - others_;
    first_ = draw(3) == 0 ? last_place : draw(last_place);
  }

  u64 least() const { return first_; }
  u64 width() const { return others_; }  // how far the greatest key is from the least
  // The key of a row, drawn by itself; the first two rows have the ends of the range.
  u64 key(u64 row) const {
    if (row < 2) return row == 0 ? first_ : first_ + others_;
    return first_ + scale_to(random_bits(seed_, random_keys + row), others_);
  }

 private:
  static constexpr u64 random_keys = 1 << 10;  // numbers of the seed from here on are keys'

  u64 draw(u64 most) { return scale_to(random_bits(seed_, next_++), most); }

  u64 seed_, next_ = 0;
  u64 first_ = 0, others_ = 0;
};

}  // namespace pivotscope
