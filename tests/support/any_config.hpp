// A rapidcheck generator of configs that check() accepts, over every axis.
#pragma once

#include <rapidcheck.h>

#include "core/config/config_text.hpp"

namespace pivotscope::testing {

inline rc::Gen<index_config> any_config() {
  return rc::gen::exec([] {
    index_config c;
    c.order = *rc::gen::element(order_kind::ascending, order_kind::eytzinger, order_kind::pivot_buffer);
    c.fanout = c.order == order_kind::ascending
                   ? 2
                   : *rc::gen::oneOf(rc::gen::element<u32>(2, 3, 5, 9, 17, 33), rc::gen::inRange<u32>(2, 34));
    c.lanes = *rc::gen::inRange<u32>(1, c.fanout);
    c.keys = *rc::gen::element(key_width::u32, key_width::u64);
    c.layout = *rc::gen::element(entry_layout::aos, entry_layout::soa);
    c.threads = 32 * *rc::gen::inRange<u32>(2, 33);
    c.per_thread = *rc::gen::inRange<u32>(1, 17);
    return c;
  });
}

}  // namespace pivotscope::testing
