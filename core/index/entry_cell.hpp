// A key beside its row id, which one aligned load brings: a cell of the families that keep the two together.
#pragma once

#include "core/common/portable.hpp"

namespace pivotscope {

template <class Key>
struct entry_cell;
template <>
struct alignas(8) entry_cell<u32> {
  u32 key, row;
};
template <>
struct alignas(16) entry_cell<u64> {
  u64 key;
  u32 row, padding;
};

PIVOTSCOPE_FN constexpr entry_cell<u32> make_entry(u32 key, u32 row) { return {key, row}; }
PIVOTSCOPE_FN constexpr entry_cell<u64> make_entry(u64 key, u32 row) { return {key, row, 0}; }

}  // namespace pivotscope
