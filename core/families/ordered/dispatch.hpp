// From order_kind to the order's own type. Includes every order.
#pragma once

#include "core/families/ordered/ascending/ascending.hpp"
#include "core/families/ordered/config.hpp"
#include "core/families/ordered/eytzinger/eytzinger.hpp"
#include "core/families/ordered/orders.hpp"
#include "core/families/ordered/pivot_buffer/pivot_buffer.hpp"

namespace pivotscope {

template <order_kind Kind>
struct order_of;

#define PIVOTSCOPE_ORDER_OF(name)     \
  template <>                         \
  struct order_of<order_kind::name> { \
    using type = name##_order;        \
  };
PIVOTSCOPE_EACH_ORDER(PIVOTSCOPE_ORDER_OF)
#undef PIVOTSCOPE_ORDER_OF

// f(some_order{}) for the config's order. With a static config only that one is instantiated.
template <ordered_config Value, class F>
PIVOTSCOPE_FN constexpr decltype(auto) with_order(static_config<Value>, F&& f) {
  return f(typename order_of<Value.order>::type{});
}

#if !defined(__CUDACC_RTC__)
template <class F>
constexpr decltype(auto) with_order(const dynamic_config<ordered_config>& config, F&& f) {
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
