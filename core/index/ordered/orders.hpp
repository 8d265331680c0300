// The table of orders. An order is a folder beside this file and one line here (docs/orders.md shows it step by step).
//
// The folder `name/` holds `name.hpp`, and that `struct name_order`: its shape, its slot mapping and its search; and
// `words.hpp`, `struct name_words`: what it is called and how a trace tells of it.
#pragma once

#define PIVOTSCOPE_ORDER_0 ascending
#define PIVOTSCOPE_ORDER_1 eytzinger
#define PIVOTSCOPE_ORDER_2 pivot_buffer

#include "core/index/ordered/orders_expand.hpp"

namespace pivotscope {

enum class order_kind : unsigned char {
#define PIVOTSCOPE_ENUMERATOR(name) name,
  PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_ENUMERATOR)
#undef PIVOTSCOPE_ENUMERATOR
};

}  // namespace pivotscope
