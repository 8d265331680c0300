// Whatever the facts: advice that can be built, smaller where that is asked, and with reasons.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/families/ordered/config.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/tuning/adviser.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

workload_facts any_facts() {
  workload_facts facts;
  facts.keys = *rc::gen::oneOf(rc::gen::inRange<u64>(0, 1 << 20), rc::gen::inRange<u64>(0, max_keys + 1));
  facts.width = *rc::gen::element(key_width::u32, key_width::u64);
  facts.ascending = *rc::gen::arbitrary<bool>();
  facts.smallest = *rc::gen::arbitrary<bool>();
  facts.short_rebuild = *rc::gen::arbitrary<bool>();
  facts.range_share = *rc::gen::element(0.0, 0.1, 0.5, 1.0);
  facts.range_entries = *rc::gen::inRange<u64>(0, 1 << 16);
  return facts;
}

RC_GTEST_PROP(adviser_property, every_advice_can_be_built, ()) {
  const workload_facts facts = any_facts();
  machine_info on;
  on.kind = *rc::gen::element(machine_kind::cpu, machine_kind::cuda);
  on.l2_bytes = *rc::gen::element<u64>(0, 1, 4ull << 20, 50ull << 20, 1ull << 40);
  const advice given = advise(facts, on);
  RC_ASSERT(!given.reasons.empty());
  RC_ASSERT(given.measured.has_value() == !given.measured_reasons.empty());
  for (const index_config& advised : {given.config, given.best()}) {
    RC_LOG() << to_line(advised);
    RC_ASSERT(!check(advised));
    RC_ASSERT(advised.keys == facts.width);
    if (advised.family != ordered_id) {
      // Packs are no array that something else could read; on a CPU they are for who asks for lookups alone.
      RC_ASSERT(!facts.ascending);
      if (on.kind == machine_kind::cpu) RC_ASSERT(!facts.smallest && !facts.short_rebuild && facts.range_share == 0);
      continue;
    }
    const ordered_config config = advised;
    RC_ASSERT(!(config.order == order_kind::pivot_buffer && config.fanout == 2));
    if (facts.smallest) RC_ASSERT(config.order != order_kind::pivot_buffer);
    if (facts.ascending) RC_ASSERT(config.order != order_kind::eytzinger);
    if (facts.range_share > 0) RC_ASSERT(config.layout == entry_layout::aos);
  }
  for (const auto* list : {&given.reasons, &given.measured_reasons}) {
    for (const advice_reason& reason : *list) {
      RC_ASSERT(reason.words.ends_with('.'));
      RC_ASSERT(!reason.source.empty());
    }
  }
}

}  // namespace
}  // namespace pivotscope
