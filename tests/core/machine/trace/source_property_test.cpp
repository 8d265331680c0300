// The lines and the values of the source: those of any lookup and any range are what the step did.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/index/config_text.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/any_config.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/source_lines.hpp"

namespace pivotscope {
namespace {

std::optional<u64> watched(const trace_step& step, std::string_view name, u32 lane = every_lane) {
  for (const watched_value& w : step.watched) {
    if (w.name == name && w.lane == lane) return w.value;
  }
  return std::nullopt;
}

u64 smaller(const trace_step& step, std::optional<u32> lane = std::nullopt) {
  return static_cast<u64>(std::count_if(step.compared.begin(), step.compared.end(), [&](const comparison& c) {
    return c.met == relation::greater && (!lane || c.lane == *lane);
  }));
}

// The values against what the step read and compared.
void expect_values_right(const lookup_trace& trace) {
  for (const trace_step& step : trace.steps) {
    const std::string wrong = testing::wrong_source(step);
    RC_LOG() << wrong << "\n";
    RC_ASSERT(wrong.empty());
    const u64 wanted = searched_key(trace);
    for (const char* name : {"wave.keys[i]", "low", "low_"}) RC_ASSERT(watched(step, name).value_or(wanted) == wanted);
    if (step.kind == step_kind::next) {
      RC_ASSERT(watched(step, "low_") == searched_key(trace));
      RC_ASSERT(watched(step, "first") == step.compared.front().slot);
      continue;
    }
    if (step.kind != step_kind::search) {
      const u64 high = trace.range->high;
      RC_ASSERT(watched(step, "high_").value_or(high) == high);
      // Of the warp's scan the entries of its last turn.
      const auto inside = static_cast<u64>(std::count_if(step.compared.begin(), step.compared.end(),
                                                         [](const comparison& c) { return c.met == relation::equal; }));
      if (step.kind == step_kind::scan) RC_ASSERT(watched(step, "taken") == inside);
      if (step.kind == step_kind::warp_scan) RC_ASSERT(*watched(step, "at") - *watched(step, "rest.at") == inside);
      continue;
    }
    if (const auto less = watched(step, "less")) {
      RC_ASSERT(*less == smaller(step));
      const auto first = std::min_element(step.compared.begin(), step.compared.end(),
                                          [](const comparison& a, const comparison& b) { return a.slot < b.slot; });
      RC_ASSERT(watched(step, "first") == first->slot);
      const bool pinned = step.accesses.front().space == memory_space::scratch;
      RC_ASSERT(watched(step, "pinned") == u64{pinned});
    }
    for (u32 lane = 0; lane < 32; ++lane) {
      if (const auto less = watched(step, "p.less", lane)) RC_ASSERT(*less == smaller(step, lane));
    }
  }
  if (!trace.steps.empty() && trace.successor) {
    const trace_step& last = trace.steps.back();
    if (last.kind == step_kind::next) RC_ASSERT(watched(last, "row_") == trace.row);
  } else if (!trace.steps.empty() && !trace.range) {
    RC_ASSERT(watched(trace.steps.back(), "rows[i]").value_or(trace.row) == trace.row);
  }
}

RC_GTEST_PROP(SourceProperty, LinesAndValuesAreWhatTheStepDid, ()) {
  const ordered_config c = *testing::any_config();
  testing::with_key_of(c, [&]<class Key>(Key) {
    const auto keys = *testing::any_keys<Key>();
    const auto index = testing::build_on_cpu(c, key_array(keys));
    const auto draw = [&] {
      return keys.empty() || *rc::gen::arbitrary<bool>() ? *rc::gen::arbitrary<Key>() : *rc::gen::elementOf(keys);
    };
    const u64 key = draw(), low = draw(), high = draw();
    RC_LOG() << to_line(c) << " n=" << keys.size() << " key " << key << ", " << low << ".." << high << "\n";
    expect_values_right(*trace_lookup(*index, key));
    if (keys.size() < 150) expect_values_right(*trace_range(*index, low, high));
    expect_values_right(*trace_next(*index, operation::successor, key));
    expect_values_right(*trace_next(*index, operation::lower_bound, key));
  });
}

}  // namespace
}  // namespace pivotscope
