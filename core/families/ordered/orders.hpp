// The orders. One is a folder beside this file, its name here, and its two headers among the includes of dispatch.hpp
// and words.hpp (docs/orders.md shows it step by step).
//
// The folder `name/` holds `name.hpp`, and that `struct name_order`: its shape, its slot mapping and its search; and
// `words.hpp`, `struct name_words`: what it is called and how a trace tells of it.
#pragma once

#define PIVOTSCOPE_EACH_ORDER(X) X(ascending) X(eytzinger) X(pivot_buffer)

namespace pivotscope {

enum class order_kind : unsigned char {
#define PIVOTSCOPE_ENUMERATOR(name) name,
  PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_ENUMERATOR)
#undef PIVOTSCOPE_ENUMERATOR
};

}  // namespace pivotscope
