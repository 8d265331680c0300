// Compares the keys of a node, or of a table's cells, on the host, in vectors of 16 bytes, which every x86-64 and every
// 64-bit ARM processor has. The compiler does not make them from a plain loop by itself.
#pragma once

#include <cstddef>
#include <cstring>

#include "core/common/answers.hpp"

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

// Returns the least of what cells {key, row id} say of `key`: a cell that has it its row id; an empty one, whose row id is
// not_found, erased_row; another one ~0. Link: the last cell is no entry, and says ~0.
template <u32 Cells, bool Link>
inline u32 least_row_of(const std::byte* from, u32 key) {
  static_assert(Cells % 2 == 0 && not_found == ~0u && erased_row == not_found - 1);
  typedef u32 vector __attribute__((vector_size(16)));  // key, row id, key, row id
  const vector wanted = {key, key, key, key}, no_entry = {0, 0, 0, ~0u};
  vector least = {~0u, ~0u, ~0u, ~0u};
  for (u32 i = 0; i < Cells / 2; ++i) {
    vector cells;
    std::memcpy(&cells, from + i * 16, 16);
    const auto equal = reinterpret_cast<vector>(cells == wanted);
    const vector row_of_equal = cells | ~__builtin_shufflevector(equal, equal, 0, 0, 2, 2);
    const vector end_if_empty = ~0u + reinterpret_cast<vector>(cells == ~0u);
    vector says = row_of_equal < end_if_empty ? row_of_equal : end_if_empty;
    if (Link && i == Cells / 2 - 1) says |= no_entry;
    least = says < least ? says : least;
  }
  return least[1] < least[3] ? least[1] : least[3];
}
// Cells of 16 bytes: {the key's halves, row id, unused}.
template <u32 Cells, bool Link>
inline u32 least_row_of(const std::byte* from, u64 key) {
  typedef u32 vector __attribute__((vector_size(16)));
  const vector wanted = {static_cast<u32>(key), static_cast<u32>(key >> 32), 0, 0};
  vector least = {~0u, ~0u, ~0u, ~0u};
  for (u32 i = 0; i < Cells - (Link ? 1 : 0); ++i) {
    vector cell;
    std::memcpy(&cell, from + i * 16, 16);
    const auto equal = reinterpret_cast<vector>(cell == wanted);
    const vector both =
        __builtin_shufflevector(equal, equal, 0, 0, 0, 0) & __builtin_shufflevector(equal, equal, 1, 1, 1, 1);
    const vector row_of_equal = cell | ~both;
    const vector end_if_empty = ~0u + reinterpret_cast<vector>(cell == ~0u);
    const vector says = row_of_equal < end_if_empty ? row_of_equal : end_if_empty;
    least = says < least ? says : least;
  }
  return least[2];
}

// The same for a node of 4 or 8 cells, the usual sizes. Returns false for any other.
template <class Key>
inline bool least_row_of_node(const std::byte* from, u32 cells, bool link, Key key, u32& out) {
  switch (cells) {
    case 4:
      return out = link ? least_row_of<4, true>(from, key) : least_row_of<4, false>(from, key), true;
    case 8:
      return out = link ? least_row_of<8, true>(from, key) : least_row_of<8, false>(from, key), true;
  }
  return false;
}

}  // namespace pivotscope
