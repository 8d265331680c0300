// What an insert that makes room holds in hand: the entries of a cell, those of its buckets by the lanes of the buckets; and the
// value that it tries for the cell, which all lanes know.
#pragma once

#include "core/families/gph/slots.hpp"

namespace pivotscope {

inline constexpr u32 most_own_keys = 96;  // of a cell that a lane holds; on average a cell has `per_cell`

// Entries that a lane may have to hold: those of its buckets, and the one that comes in.
template <class Config>
struct own_capacity {
  static constexpr u32 entries = most_own_keys;
};
template <auto Value>
struct own_capacity<static_config<Value>> {
  static constexpr u32 entries = least(most_own_keys, ceil_div(Value.virtuals, Value.lanes) * Value.bucket + 1);
};

// A number of 8 bits for each of a cell's R places.
struct place_counts {
  u64 bytes = 0;
  PIVOTSCOPE_FN static constexpr u64 all(u32 virtuals, u64 byte) {
    return byte * (virtuals == 8 ? 0x0101010101010101ull : (u64{1} << (8 * virtuals)) / 255);
  }
  PIVOTSCOPE_FN constexpr void add(u32 place, u32 n = 1) { bytes += u64{n} << (8 * place); }
  PIVOTSCOPE_FN constexpr u32 of(u32 place) const { return static_cast<u32>(bytes >> (8 * place)) & 255; }
  PIVOTSCOPE_FN constexpr u32 total(u32 virtuals) const {
    u32 sum = 0;
    for (u32 p = 0; p < virtuals; ++p) sum += of(p);
    return sum;
  }
  // Whether none is more than its fellow in `most`, where all of these are below 128.
  PIVOTSCOPE_FN constexpr bool fit(place_counts most, u32 virtuals) const {
    const u64 high = all(virtuals, 128);
    return (((most.bytes | high) - bytes) & high) == high;
  }
  // Those of the virtual buckets, by the places to which an offset puts them.
  PIVOTSCOPE_FN constexpr place_counts moved_by(u32 offset, u32 virtuals) const {
    if (offset == 0) return *this;
    const u32 bits = 8 * virtuals;
    const u64 mask = virtuals == 8 ? ~u64{0} : (u64{1} << bits) - 1;
    return {((bytes << (8 * offset)) | (bytes >> (bits - 8 * offset))) & mask};
  }
};

// The buckets of a cell by some mapping, by their places. Two places may be one bucket.
struct cell_buckets {
  u32 at[most_virtuals] = {};

  PIVOTSCOPE_FN static constexpr cell_buckets of(u32 cell, u32 mapping, u32 virtuals, const gph_view& table) {
    cell_buckets list;
    for (u32 p = 0; p < virtuals; ++p) list.at[p] = bucket_at(cell, p, mapping, virtuals, table);
    return list;
  }
  // The first place that has the same bucket.
  PIVOTSCOPE_FN constexpr u32 first(u32 place) const {
    u32 first = place;
    PIVOTSCOPE_UNROLL
    for (u32 p = most_virtuals; p-- > 0;)
      if (p < place && at[p] == at[place]) first = p;
    return first;
  }
  PIVOTSCOPE_FN constexpr bool all_differ(u32 virtuals) const {
    bool differ = true;
    for (u32 p = 1; p < virtuals; ++p) differ &= first(p) == p;
    return differ;
  }
  // Sums f(place) over those of the first `virtuals` places that have the bucket.
  template <class F>
  PIVOTSCOPE_FN constexpr u32 sum_where(u32 bucket, u32 virtuals, F&& f) const {
    u32 sum = 0;
    PIVOTSCOPE_UNROLL
    for (u32 p = 0; p < most_virtuals; ++p)
      if (p < virtuals && at[p] == bucket) sum += f(p);
    return sum;
  }
};

// A lane's entries of the cell.
template <class Key, u32 Most>
struct own_entries {
  static constexpr u32 most = Most;
  static constexpr u8 stays = 128;
  static constexpr u16 comes = 0xFFFF;

  Key keys[Most];
  u32 rows[Most];
  u32 owns[Most];   // key_place::own
  u16 where[Most];  // the place of its bucket, and 8 bits behind it the slot there; or it comes in
  u8 to[Most];      // the place to which it goes; or it stays
  u32 count = 0;
  bool too_many = false;

  PIVOTSCOPE_FN void add(Key key, u32 row, u32 own, u32 from) {
    too_many |= count == Most;
    if (too_many) return;
    keys[count] = key, rows[count] = row, owns[count] = own, where[count++] = static_cast<u16>(from);
  }
  PIVOTSCOPE_FN bool is_new(u32 i) const { return where[i] == comes; }
  PIVOTSCOPE_FN u32 place(u32 i) const { return where[i] >> 8; }
  PIVOTSCOPE_FN u32 slot(u32 i) const { return where[i] & 255; }
};

// The cell as it is.
struct cell_now {
  u32 cell, value;
  cell_buckets buckets;
  place_counts there;  // its entries in each bucket; of places that are one bucket, at the first
};

// A value that is tried.
struct tried_value {
  u32 mapping = 0, offset = 0;
  cell_buckets buckets = {};
  place_counts wanted = {};  // entries of each virtual bucket
};

}  // namespace pivotscope
