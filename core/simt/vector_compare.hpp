// Compares the keys of a node, or of a table's cells, on the host, in vectors of 16 bytes, which every x86-64 and every
// 64-bit ARM processor has. The compiler does not make them from a plain loop by itself.
#pragma once

#include <cstddef>
#include <cstring>

#include "core/common/answers.hpp"
#include "core/simt/lane_run.hpp"

namespace pivotscope {

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

typedef u32 four_values __attribute__((vector_size(16), may_alias));

// Ors the four values of a vector.
inline u32 any_of(four_values bits) {
  bits |= __builtin_shufflevector(bits, bits, 2, 3, 0, 1);
  bits |= __builtin_shufflevector(bits, bits, 1, 0, 3, 2);
  return bits[0];
}

// Returns a bit for each of a node's cells {key, row id} that has `key` or is empty, from the first on. Others may write
// the cells meanwhile: each is loaded as a whole, once.
template <u32 Cells>
inline u32 cells_that_end(const std::byte* from, u32 key) {
  static_assert(Cells % 2 == 0 && Cells <= 8 && not_found == ~0u);
  four_values bits = {};
#pragma GCC unroll 4
  for (u32 i = 0; i < Cells; i += 2) {
    const four_values cells = *reinterpret_cast<const volatile four_values*>(from + i * 8);
    const u32 first = 1u << i, second = 2u << i;
    bits |= reinterpret_cast<four_values>(cells == key) & four_values{first, 0, second, 0};
    bits |= reinterpret_cast<four_values>(cells == not_found) & four_values{0, first, 0, second};
  }
  return any_of(bits);
}
// Cells of 16 bytes: {the key's halves, row id, unused}. Nobody writes them meanwhile.
template <u32 Cells>
inline u32 cells_that_end(const std::byte* from, u64 key) {
  const four_values wanted = {static_cast<u32>(key), static_cast<u32>(key >> 32), 0, 0};
  four_values bits = {};
#pragma GCC unroll 8
  for (u32 i = 0; i < Cells; ++i) {
    four_values cell;
    std::memcpy(&cell, from + i * 16, 16);
    const auto equal = reinterpret_cast<four_values>(cell == wanted);
    bits |= equal & __builtin_shufflevector(equal, equal, 1, 0, 3, 2) & four_values{1u << i, 0, 0, 0};
    bits |= reinterpret_cast<four_values>(cell == not_found) & four_values{0, 0, 1u << i, 0};
  }
  return any_of(bits);
}

// Returns what the first cell that has `key` or is empty says: its row id; erased_row if it is empty; ~0 if there is none.
// Link: the last cell is no entry.
template <u32 Cells, bool Link, class Key>
inline u32 row_at_end(const std::byte* from, Key key) {
  constexpr u32 cell_bytes = 2 * sizeof(Key);
  u32 bits = cells_that_end<Cells>(from, key), row;
  if (Link) bits &= (1u << (Cells - 1)) - 1;
  const u32 at = trailing_zeros(bits | 1u << (Cells - 1));
  std::memcpy(&row, from + at * cell_bytes + sizeof(Key), sizeof(row));
  const u32 says = row < erased_row ? row : erased_row;
  return says | (u32{bits != 0} - 1);  // without a branch, which would be taken by chance
}

// The same for a node of 4 or 8 cells, the usual sizes. They return false for any other.
inline bool cells_that_end_in_node(const std::byte* from, u32 cells, u32 key, u32& bits) {
  switch (cells) {
    case 4:
      return bits = cells_that_end<4>(from, key), true;
    case 8:
      return bits = cells_that_end<8>(from, key), true;
  }
  return false;
}
template <class Key>
inline bool row_at_end_of_node(const std::byte* from, u32 cells, bool link, Key key, u32& row) {
  switch (cells) {
    case 4:
      return row = link ? row_at_end<4, true>(from, key) : row_at_end<4, false>(from, key), true;
    case 8:
      return row = link ? row_at_end<8, true>(from, key) : row_at_end<8, false>(from, key), true;
  }
  return false;
}

}  // namespace pivotscope
