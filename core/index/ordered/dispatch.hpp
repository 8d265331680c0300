// From order_kind to the order's own type. Includes every order of the table.
#pragma once

#include "core/index/ordered/config.hpp"
#include "core/index/ordered/orders.hpp"

// A formatter would put spaces into the path.
// clang-format off
#define PIVOTSCOPE_STRING(text) #text
#define PIVOTSCOPE_ORDER_HEADER(name) PIVOTSCOPE_STRING(core/index/ordered/name/name.hpp)
// clang-format on
#ifdef PIVOTSCOPE_ORDER_0
#include PIVOTSCOPE_ORDER_HEADER(PIVOTSCOPE_ORDER_0)
#endif
#ifdef PIVOTSCOPE_ORDER_1
#include PIVOTSCOPE_ORDER_HEADER(PIVOTSCOPE_ORDER_1)
#endif
#ifdef PIVOTSCOPE_ORDER_2
#include PIVOTSCOPE_ORDER_HEADER(PIVOTSCOPE_ORDER_2)
#endif
#ifdef PIVOTSCOPE_ORDER_3
#include PIVOTSCOPE_ORDER_HEADER(PIVOTSCOPE_ORDER_3)
#endif
#ifdef PIVOTSCOPE_ORDER_4
#include PIVOTSCOPE_ORDER_HEADER(PIVOTSCOPE_ORDER_4)
#endif
#ifdef PIVOTSCOPE_ORDER_5
#include PIVOTSCOPE_ORDER_HEADER(PIVOTSCOPE_ORDER_5)
#endif
#ifdef PIVOTSCOPE_ORDER_6
#include PIVOTSCOPE_ORDER_HEADER(PIVOTSCOPE_ORDER_6)
#endif
#ifdef PIVOTSCOPE_ORDER_7
#include PIVOTSCOPE_ORDER_HEADER(PIVOTSCOPE_ORDER_7)
#endif

namespace pivotscope {

template <order_kind Kind>
struct order_of;

#define PIVOTSCOPE_ORDER_OF(name)     \
  template <>                         \
  struct order_of<order_kind::name> { \
    using type = name##_order;        \
  };
#define PIVOTSCOPE_ORDER_OF_EXPANDED(name) PIVOTSCOPE_ORDER_OF(name)
PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_ORDER_OF_EXPANDED)
#undef PIVOTSCOPE_ORDER_OF_EXPANDED
#undef PIVOTSCOPE_ORDER_OF

// f(some_order{}) for the config's order. With a static config only that one is instantiated.
template <ordered_config Value, class F>
PIVOTSCOPE_FN decltype(auto) with_order(static_config<Value>, F&& f) {
  return f(typename order_of<Value.order>::type{});
}

#if !defined(__CUDACC_RTC__)
template <class F>
decltype(auto) with_order(const dynamic_config<ordered_config>& config, F&& f) {
  switch (config.value.order) {
#define PIVOTSCOPE_CASE(name) \
  case order_kind::name:      \
    return f(typename order_of<order_kind::name>::type{});
    PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_CASE)
#undef PIVOTSCOPE_CASE
  }
  __builtin_unreachable();
}
#endif

}  // namespace pivotscope
