// Hashes of keys, for families that place keys by them.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

// Finalisers of MurmurHash3: bijections in which every bit of the key affects every bit of the hash.
PIVOTSCOPE_FN constexpr u32 hash_of(u32 key) {
  key ^= key >> 16, key *= 0x85EBCA6Bu;
  key ^= key >> 13, key *= 0xC2B2AE35u;
  return key ^ key >> 16;
}
PIVOTSCOPE_FN constexpr u32 hash_of(u64 key) {
  key ^= key >> 33, key *= 0xFF51AFD7ED558CCDull;
  key ^= key >> 33, key *= 0xC4CEB9FE1A85EC53ull;
  return static_cast<u32>((key ^ key >> 33) >> 32);
}
// Another, which keys with one hash do not share.
PIVOTSCOPE_FN constexpr u32 second_hash_of(u64 key) {
  key *= 0x9E3779B97F4A7C15ull;
  key ^= key >> 32, key *= 0xD6E8FEB86659FD93ull;
  return static_cast<u32>(key >> 32);
}

// All bits of a key and a seed in all bits: finalisers of MurmurHash3.
PIVOTSCOPE_FN constexpr u32 mixed(u32 key, u32 seed) { return hash_of(key ^ hash_of(seed)); }
PIVOTSCOPE_FN constexpr u64 mixed(u64 key, u32 seed) {
  key ^= u64{hash_of(seed)} << 32 | seed;
  key ^= key >> 33, key *= 0xFF51AFD7ED558CCDull;
  key ^= key >> 33, key *= 0xC4CEB9FE1A85EC53ull;
  return key ^ key >> 33;
}

// Returns the place of `count` equal ones to which the key's hash leads: they share out all hashes evenly.
template <class Key>
PIVOTSCOPE_FN constexpr u32 place_of_key(Key key, u32 count) {
  return static_cast<u32>((u64{hash_of(key)} * count) >> 32);
}

}  // namespace pivotscope
