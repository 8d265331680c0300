// What an insert that makes room holds in hand: the entries of a cell, and the value that it tries for it. In a thread's own memory.
#pragma once

#include "core/families/gph/slots.hpp"

namespace pivotscope {

inline constexpr u32 most_own_keys = 96;  // of a cell that moves; on average it has `per_cell`

// A number of 8 bits for each of a cell's R places.
struct place_counts {
  u64 bytes = 0;
  PIVOTSCOPE_FN static constexpr u64 all(u32 virtuals, u64 byte) {
    return byte * (virtuals == 8 ? 0x0101010101010101ull : (u64{1} << (8 * virtuals)) / 255);
  }
  PIVOTSCOPE_FN constexpr void add(u32 place, u32 n = 1) { bytes += u64{n} << (8 * place); }
  PIVOTSCOPE_FN constexpr u32 of(u32 place) const { return static_cast<u32>(bytes >> (8 * place)) & 255; }
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

// The first place that has the same bucket: two places of a cell may be one bucket.
PIVOTSCOPE_FN constexpr u32 first_place_of(const u32 (&buckets)[most_virtuals], u32 place) {
  u32 first = 0;
  while (buckets[first] != buckets[place]) ++first;
  return first;
}

// The entries of a cell, the last of which is about to come in.
template <class Key>
struct own_entries {
  static constexpr u8 stays = 128;

  Key keys[most_own_keys];
  u32 rows[most_own_keys];
  u16 where[most_own_keys];  // the place of its bucket, and 8 bits behind it the slot there
  u8 to[most_own_keys];      // the place to which it goes; or it stays
  u32 count = 0;
  u32 buckets[most_virtuals] = {};  // as the cell's value is
  place_counts there = {};          // how many lie in each; of places that are one bucket, at the first

  PIVOTSCOPE_FN u32 old() const { return count - 1; }
  PIVOTSCOPE_FN u32 age() const { return rows[count - 1]; }  // the insert's
  PIVOTSCOPE_FN u32 place(u32 i) const { return where[i] >> 8; }
  PIVOTSCOPE_FN u32 slot(u32 i) const { return where[i] & 255; }
};

// A value that is tried.
struct tried_value {
  u32 mapping, offset = 0;
  u32 bucket[most_virtuals] = {};
  place_counts wanted = {};  // entries of each virtual bucket
  u8 of_old[most_virtuals] =
      {};  // of each of the cell's buckets until now: the place at which it is one of these; or none
  u32 free[most_virtuals] = {};  // a bit for each slot that may be taken; of places that are one bucket, at the first
  u32 left[most_virtuals] = {};  // and of these for each that an entry of the cell leaves

  static constexpr u8 none = 255;
};

}  // namespace pivotscope
