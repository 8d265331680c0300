#include "tests/support/any_config.hpp"

#include "core/index/check.hpp"

namespace pivotscope::testing {

rc::Gen<ordered_config> any_config() {
  return rc::gen::exec([] {
    ordered_config c;
    c.order = *rc::gen::element(order_kind::ascending, order_kind::eytzinger, order_kind::pivot_buffer);
    c.fanout = *rc::gen::oneOf(rc::gen::element<u32>(2, 3, 5, 9, 17, 33), rc::gen::inRange<u32>(2, 34));
    c.lanes = *rc::gen::inRange<u32>(1, c.fanout);
    c.keys = *rc::gen::element(key_width::u32, key_width::u64);
    c.layout = *rc::gen::element(entry_layout::aos, entry_layout::soa);
    c.launch.threads = 32 * *rc::gen::inRange<u32>(2, 33);
    c.launch.per_thread = *rc::gen::inRange<u32>(1, 17);
    if (c.order == order_kind::pivot_buffer && *rc::gen::arbitrary<bool>()) c.pivots = *rc::gen::inRange<u32>(1, 12);
    c.launch.schedule = *rc::gen::element(schedule_kind::dynamic, schedule_kind::fixed);
    if (c.launch.schedule == schedule_kind::fixed) c.launch.blocks_per_sm = *rc::gen::inRange<u32>(1, 5);
    c.pin = *rc::gen::element(pin_kind::none, pin_kind::steps, pin_kind::full);
    if (c.pin != pin_kind::none) {
      c.scratch = 16 * *rc::gen::oneOf(rc::gen::inRange<u32>(1, 20), rc::gen::inRange<u32>(1, 3000));
    }
    c.launch.reorder = *rc::gen::element(reorder_kind::none, reorder_kind::lookup, reorder_kind::both);
    c.scan = *rc::gen::element(scan_kind::alone, scan_kind::cooperative);
    c.flight = *rc::gen::element<u32>(1, 1, 2, 4, 8);
    if (c.launch.per_thread % c.flight != 0) c.flight = 1;
    if (c.order != order_kind::ascending && c.pivots == 0)
      c.reads = *rc::gen::element(entry_reads::cached, entry_reads::once);
    if (check(c)) c = nearest_accepted(c);  // a tile too large for any block's scratch
    return c;
  });
}

}  // namespace pivotscope::testing
