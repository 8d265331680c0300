// Compares the keys of a node on the host, in vectors of 16 bytes, which every x86-64 and every 64-bit ARM processor
// has. The compiler does not make them from a plain loop by itself.
#pragma once

#include <cstddef>
#include <cstring>

#include "core/common/portable.hpp"

namespace pivotscope {

// How many keys of a node are less than the searched key, and how many are equal to it.
struct compared_keys {
  u32 less = 0;
  u32 equal = 0;
};

// Compares `Keys` keys from `from` on with `key`. `from` need not be aligned. Every Stride-th value is a key: Stride is
// 1, or 2 if keys lie beside row ids.
template <u32 Keys, u32 Stride, class Key>
inline compared_keys compare_vectors(const std::byte* from, Key key) {
  constexpr u32 width = 16 / sizeof(Key);
  typedef Key vector __attribute__((vector_size(16)));
  static_assert(Keys * Stride % width == 0);
  vector counted;  // 1 where there is a key
  for (u32 i = 0; i < width; ++i) counted[i] = i % Stride == 0;
  const vector wanted = counted * 0 + key;
  vector less{}, equal{};
  for (u32 i = 0; i < Keys * Stride / width; ++i) {
    vector keys;
    std::memcpy(&keys, from + i * 16, 16);
    less += reinterpret_cast<vector>(keys < wanted) & counted;
    equal += reinterpret_cast<vector>(keys == wanted) & counted;
  }
  compared_keys all;
  for (u32 i = 0; i < width; ++i) all.less += static_cast<u32>(less[i]), all.equal += static_cast<u32>(equal[i]);
  return all;
}

// Compares a node of 4, 8, 16 or 32 keys, the usual sizes. Returns false for any other.
template <u32 Stride, class Key>
inline bool compare_node(const std::byte* from, u32 keys, Key key, compared_keys& out) {
  switch (keys) {
    case 4:
      return out = compare_vectors<4, Stride>(from, key), true;
    case 8:
      return out = compare_vectors<8, Stride>(from, key), true;
    case 16:
      return out = compare_vectors<16, Stride>(from, key), true;
    case 32:
      return out = compare_vectors<32, Stride>(from, key), true;
  }
  return false;
}

}  // namespace pivotscope
