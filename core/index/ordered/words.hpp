// Every order in words: its names, and how a trace tells of it: <order>/words.hpp, `struct <order>_words`. Host only.
#pragma once

#include "core/index/ordered/dispatch.hpp"

// A formatter would put spaces into the path.
// clang-format off
#define PIVOTSCOPE_WORDS_HEADER(name) PIVOTSCOPE_STRING(core/index/ordered/name/words.hpp)
// clang-format on
#ifdef PIVOTSCOPE_ORDER_0
#include PIVOTSCOPE_WORDS_HEADER(PIVOTSCOPE_ORDER_0)
#endif
#ifdef PIVOTSCOPE_ORDER_1
#include PIVOTSCOPE_WORDS_HEADER(PIVOTSCOPE_ORDER_1)
#endif
#ifdef PIVOTSCOPE_ORDER_2
#include PIVOTSCOPE_WORDS_HEADER(PIVOTSCOPE_ORDER_2)
#endif
#ifdef PIVOTSCOPE_ORDER_3
#include PIVOTSCOPE_WORDS_HEADER(PIVOTSCOPE_ORDER_3)
#endif
#ifdef PIVOTSCOPE_ORDER_4
#include PIVOTSCOPE_WORDS_HEADER(PIVOTSCOPE_ORDER_4)
#endif
#ifdef PIVOTSCOPE_ORDER_5
#include PIVOTSCOPE_WORDS_HEADER(PIVOTSCOPE_ORDER_5)
#endif
#ifdef PIVOTSCOPE_ORDER_6
#include PIVOTSCOPE_WORDS_HEADER(PIVOTSCOPE_ORDER_6)
#endif
#ifdef PIVOTSCOPE_ORDER_7
#include PIVOTSCOPE_WORDS_HEADER(PIVOTSCOPE_ORDER_7)
#endif

namespace pivotscope {

// f(some_words{}) for the order.
template <class F>
decltype(auto) with_words(order_kind kind, F&& f) {
  switch (kind) {
#define PIVOTSCOPE_CASE(name) \
  case order_kind::name:      \
    return f(name##_words{});
#define PIVOTSCOPE_CASE_EXPANDED(name) PIVOTSCOPE_CASE(name)
    PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_CASE_EXPANDED)
#undef PIVOTSCOPE_CASE_EXPANDED
#undef PIVOTSCOPE_CASE
  }
  __builtin_unreachable();
}

}  // namespace pivotscope
