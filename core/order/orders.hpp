// The table of orders. An order is a folder beside this file and one line here.
//
//   X(name, short name in a method, what a reader should know in one sentence)
//
// The folder `name/` holds `name.hpp` with `struct name_order` (see order_concept.md in docs/ for what it offers).
#pragma once

#include "core/common/portable.hpp"

#define PIVOTSCOPE_ORDERS(X)                                                                                      \
  X(ascending, "AO", "Entries in ascending key order: the sorted array itself, nothing beside it.")                \
  X(eytzinger, "EO", "Entries level by level of a complete K-ary search tree: what one search step may read lies together.") \
  X(pivot_buffer, "AO+PB", "Entries in ascending order, and a buffer of the pivot keys above them, level by level.")

namespace pivotscope {

enum class order_kind : u8 {
#define PIVOTSCOPE_ORDER_ENUMERATOR(name, short_name, sentence) name,
  PIVOTSCOPE_ORDERS(PIVOTSCOPE_ORDER_ENUMERATOR)
#undef PIVOTSCOPE_ORDER_ENUMERATOR
};

}  // namespace pivotscope
