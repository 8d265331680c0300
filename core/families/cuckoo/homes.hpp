// The homes of a key: the buckets in which it may lie, by as many hash functions; and its bucket of the stash.
#pragma once

#include "core/common/key_hash.hpp"
#include "core/families/cuckoo/config.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

struct cuckoo_region {
  static constexpr region_id entries{0}, moves{1}, counters{2}, rows{3};
};
// The cells of the region `counters`, which a batch adds to.
inline constexpr u32 counter_stashed = 0;  // entries that went into the stash
inline constexpr u32 counter_refused = 1;  // inserts that found no room
inline constexpr u32 cuckoo_counters = 2;

struct cuckoo_view {
  u64 live = 0, used = 0;        // cells with a live entry; cells with a live or an erased one
  u32 buckets = 1;               // homes; the stash's lie behind them
  u32 moves = 1;                 // words of the region `moves`, a power of two
  u32 seed = 0;                  // of the hash functions
  u32 stashed = 0, refused = 0;  // what the counters were
  u32 rehashed = 0;              // for the batch that is under way
};

// Hash function i of a seed: the high bits of what is mixed, multiplied by an odd number of its own.
template <class Key>
PIVOTSCOPE_FN constexpr u32 hash_for_home(Key key, u32 i, u32 seed) {
  const Key odd = static_cast<Key>(u64{i} * 0x9E3779B97F4A7C16ull + 1) ^ static_cast<Key>(u64{i} << 17);
  const Key product = static_cast<Key>(mixed(key, seed) * odd);
  return static_cast<u32>(product >> (8 * sizeof(Key) - 32));
}

// The bucket that is the key's home i. Two homes of a key may be one bucket.
template <class Key>
PIVOTSCOPE_FN constexpr u32 home_of(Key key, u32 i, const cuckoo_view& table) {
  return static_cast<u32>((u64{hash_for_home(key, i, table.seed)} * table.buckets) >> 32);
}
// Of the stash: the bucket's number counts on from the table's.
template <class Key>
PIVOTSCOPE_FN constexpr u32 stash_of(Key key, u32 stash, const cuckoo_view& table) {
  return table.buckets + static_cast<u32>((u64{hash_for_home(key, most_homes, table.seed)} * stash) >> 32);
}
// Where an insert looks for an entry that may move: by chance, which its key alone decides, and how often it had to begin anew.
template <class Key>
PIVOTSCOPE_FN constexpr u32 first_chance(Key key, u32 times) {
  return hash_of(hash_for_home(key, most_homes + 2, times));
}
PIVOTSCOPE_FN constexpr u32 next_chance(u32 chance) { return hash_of(chance + 0x9E3779B9u); }
// Returns the home to which the key may move from a bucket that is one: the next one, or by chance one before it; or that bucket, if
// there is no other. All homes before the bucket are full, as the key lies there; so they are before the other, too.
template <class Key>
PIVOTSCOPE_FN constexpr u32 another_home(u32 homes, const cuckoo_view& table, Key key, u32 bucket, u32 chance) {
  u32 from = 0;
  while (from + 1 < homes && home_of(key, from, table) != bucket) ++from;
  for (u32 next = from + 1; next < homes && (from == 0 || chance % 2 == 0); ++next) {
    const u32 home = home_of(key, next, table);
    bool is_before = false;
    for (u32 i = 0; i <= from; ++i) is_before |= home_of(key, i, table) == home;
    if (!is_before) return home;
  }
  return from == 0 ? bucket : home_of(key, chance / 2 % from, table);
}
// The word that counts how often the key was moved, and is its latch.
template <class Key>
PIVOTSCOPE_FN constexpr u32 moves_of(Key key, const cuckoo_view& table) {
  return hash_for_home(key, most_homes + 1, table.seed) & (table.moves - 1);
}

}  // namespace pivotscope
