// PIVOTSCOPE_EACH_ORDER(X): X(name) for every line of the table in orders.hpp. Nothing to edit here: it has room for
// eight orders.
#pragma once

#ifdef PIVOTSCOPE_ORDER_0
#define PIVOTSCOPE_EXPAND_0(X) X(PIVOTSCOPE_ORDER_0)
#else
#define PIVOTSCOPE_EXPAND_0(X)
#endif
#ifdef PIVOTSCOPE_ORDER_1
#define PIVOTSCOPE_EXPAND_1(X) X(PIVOTSCOPE_ORDER_1)
#else
#define PIVOTSCOPE_EXPAND_1(X)
#endif
#ifdef PIVOTSCOPE_ORDER_2
#define PIVOTSCOPE_EXPAND_2(X) X(PIVOTSCOPE_ORDER_2)
#else
#define PIVOTSCOPE_EXPAND_2(X)
#endif
#ifdef PIVOTSCOPE_ORDER_3
#define PIVOTSCOPE_EXPAND_3(X) X(PIVOTSCOPE_ORDER_3)
#else
#define PIVOTSCOPE_EXPAND_3(X)
#endif
#ifdef PIVOTSCOPE_ORDER_4
#define PIVOTSCOPE_EXPAND_4(X) X(PIVOTSCOPE_ORDER_4)
#else
#define PIVOTSCOPE_EXPAND_4(X)
#endif
#ifdef PIVOTSCOPE_ORDER_5
#define PIVOTSCOPE_EXPAND_5(X) X(PIVOTSCOPE_ORDER_5)
#else
#define PIVOTSCOPE_EXPAND_5(X)
#endif
#ifdef PIVOTSCOPE_ORDER_6
#define PIVOTSCOPE_EXPAND_6(X) X(PIVOTSCOPE_ORDER_6)
#else
#define PIVOTSCOPE_EXPAND_6(X)
#endif
#ifdef PIVOTSCOPE_ORDER_7
#define PIVOTSCOPE_EXPAND_7(X) X(PIVOTSCOPE_ORDER_7)
#else
#define PIVOTSCOPE_EXPAND_7(X)
#endif

#define PIVOTSCOPE_EACH_ORDER(X)                                                                                     \
  PIVOTSCOPE_EXPAND_0(X)                                                                                             \
  PIVOTSCOPE_EXPAND_1(X)                                                                                             \
  PIVOTSCOPE_EXPAND_2(X) PIVOTSCOPE_EXPAND_3(X) PIVOTSCOPE_EXPAND_4(X) PIVOTSCOPE_EXPAND_5(X) PIVOTSCOPE_EXPAND_6(X) \
      PIVOTSCOPE_EXPAND_7(X)
