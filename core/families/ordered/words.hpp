// Every order in words: its names, and how a trace tells of it: <order>/words.hpp, `struct <order>_words`. Host only.
#pragma once

#include "core/families/ordered/ascending/words.hpp"
#include "core/families/ordered/eytzinger/words.hpp"
#include "core/families/ordered/pivot_buffer/words.hpp"

namespace pivotscope {

// f(some_words{}) for the order.
template <class F>
decltype(auto) with_words(order_kind kind, F&& f) {
  switch (kind) {
#define PIVOTSCOPE_CASE(name) \
  case order_kind::name:      \
    return f(name##_words{});
    PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_CASE)
#undef PIVOTSCOPE_CASE
  }
  __builtin_unreachable();
}

}  // namespace pivotscope
