// pack: three entries in four words of a key's width: 16 bytes, or 32 with 64-bit keys.
//
//   words   | e0        | e1        | e2        | rest                    |
//   e_i     | key bits below  | row id |           row id: the low R bits
//   rest    | escaped | - | x2 | x1 | x0 |         x_i: X more bits of key i, X = 10, or 21 with 64-bit keys
//
// A key is stored as its distance from the least key of the index, its offset. An entry keeps the lowest B - R + X
// bits of the offset; B is 32 or 64. That is exact as long as the searched key is less than half of 2^(B - R + X)
// away. A leaf in which it may be further away is escaped: its packs have the top bit of `rest` set, and its
// entries lie in full elsewhere.
#pragma once

#include "core/common/answers.hpp"
#include "core/common/portable.hpp"

namespace pivotscope {

// What one load brings.
struct alignas(16) quad {
  u32 words[4];
};

template <class Key>
struct pack {
  static constexpr u32 bits = sizeof(Key) * 8;
  static constexpr u32 extra = (bits - 1) / 3;
  static constexpr Key escaped_bit = Key{1} << (bits - 1);
  static constexpr u32 quads = sizeof(Key) < 4 ? 1 : sizeof(Key) / 4;

  Key words[4];

  // The word of an entry, and its bits in `rest`.
  PIVOTSCOPE_FN static Key low_word(Key offset, u32 row_bits) { return shifted_out(offset, row_bits); }
  PIVOTSCOPE_FN static Key high_part(Key offset, u32 row_bits) {
    return (offset >> (bits - row_bits)) & ((Key{1} << extra) - 1);
  }
  PIVOTSCOPE_FN static Key row_mask(u32 row_bits) { return greatest_key<Key>() >> (bits - row_bits); }
  // How many bits of an offset an entry keeps; all of them if this is `bits` or more.
  PIVOTSCOPE_FN static constexpr u32 kept(u32 row_bits) { return bits - row_bits + extra; }

  PIVOTSCOPE_FN void put(u32 i, Key offset, u32 row, u32 row_bits) {
    words[i] = low_word(offset, row_bits) | row;
    words[3] |= high_part(offset, row_bits) << (i * extra);
  }
  PIVOTSCOPE_FN bool escaped() const { return (words[3] & escaped_bit) != 0; }
  PIVOTSCOPE_FN u32 row(u32 i, u32 row_bits) const { return static_cast<u32>(words[i] & row_mask(row_bits)); }
  // Returns the bits that entry i keeps of its offset.
  PIVOTSCOPE_FN u64 kept_offset(u32 i, u32 row_bits) const {
    const u64 low = u64{(words[i] >> (row_bits - 1)) >> 1};
    return low | u64{(words[3] >> (i * extra)) & ((Key{1} << extra) - 1)} << (bits - row_bits);
  }
  // Returns the entry's offset, which must not be far from `near`.
  PIVOTSCOPE_FN Key offset(u32 i, Key near, u32 row_bits) const {
    const u64 seen = kept_offset(i, row_bits);
    if (kept(row_bits) >= bits) return static_cast<Key>(seen);
    const u32 above = 64 - kept(row_bits);
    const auto away = static_cast<long long>((seen - near) << above) >> above;
    return static_cast<Key>(near + static_cast<u64>(away));
  }

  // The bits of an offset, moved to where an entry has them: one part under the row id, the other
  // three times side by side.
  struct spread {
    Key low, high;
  };
  PIVOTSCOPE_FN static spread spread_of(Key offset, u32 row_bits) {
    constexpr Key thrice = Key{1} | Key{1} << extra | Key{1} << (2 * extra), part = (Key{1} << extra) - 1;
    if constexpr (bits == 32) {  // as products, which a GPU works out beside its shifts and compares
      const u32 times = shifted_out(1u, row_bits), all = row_bits == 32 ? 1u : 0u;
      const u64 both = (u64{offset * all} << 32) + u64{offset} * times;
      return {static_cast<u32>(both), (static_cast<u32>(both >> 32) & part) * thrice};
    }
    return {low_word(offset, row_bits), high_part(offset, row_bits) * thrice};
  }

  // Returns true if the first entry's offset may be greater than this one, which is in no entry and not far from
  // it. The sign of the difference of their kept bits tells it. If these are all bits of an offset and no more,
  // there is no sign, and it may be.
  PIVOTSCOPE_FN bool may_begin_behind(const spread& sought, u32 row_bits) const {
    const Key borrow = words[0] < sought.low ? 1 : 0;
    const Key away = words[3] - sought.high - borrow;
    return row_bits == extra || (away >> (extra - 1) & 1) == 0;
  }

  // Returns the row id of the first entry whose kept bits are those of the offset, or not_found. For an escaped pack
  // that is always not_found. Needs three compares, and moves no bits of the pack.
  PIVOTSCOPE_FN u32 match(const spread& sought, u32 row_bits) const {
    const Key mask = row_mask(row_bits), differs = words[3] ^ sought.high, part = (Key{1} << extra) - 1;
    u32 row = not_found;
    PIVOTSCOPE_UNROLL
    for (u32 i = 3; i-- > 0;) {
      const Key wrong = ((words[i] ^ sought.low) & ~mask) | (differs & (part << (i * extra) | escaped_bit));
      if (wrong == 0) row = static_cast<u32>(words[i] & mask);
    }
    return row;
  }
};

PIVOTSCOPE_FN quad quad_of(const pack<u32>& p, u32) { return {{p.words[0], p.words[1], p.words[2], p.words[3]}}; }
PIVOTSCOPE_FN quad quad_of(const pack<u64>& p, u32 half) {
  const u64 low = p.words[2 * half], high = p.words[2 * half + 1];
  return {{static_cast<u32>(low), static_cast<u32>(low >> 32), static_cast<u32>(high), static_cast<u32>(high >> 32)}};
}
// From as many quads as it takes.
PIVOTSCOPE_FN void put_quad(pack<u32>& p, u32, const quad& q) {
  PIVOTSCOPE_UNROLL
  for (u32 i = 0; i < 4; ++i) p.words[i] = q.words[i];
}
PIVOTSCOPE_FN void put_quad(pack<u64>& p, u32 half, const quad& q) {
  p.words[2 * half] = u64{q.words[1]} << 32 | q.words[0];
  p.words[2 * half + 1] = u64{q.words[3]} << 32 | q.words[2];
}

}  // namespace pivotscope
