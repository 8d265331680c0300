// Stepping forward and back by as much leads to the same state, for any config, lookup, range and build, alone or beside
// another index; and what views say of a step is a matter of the step alone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <tuple>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/question_text.hpp"
#include "tests/support/any_config.hpp"
#include "tests/support/any_keys.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/deaf_session.hpp"
#include "viz/models/memory_model.hpp"
#include "viz/models/reads.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {
namespace {

session_view session_of(const index_config& config, const key_array& keys, const question& key) {
  session_view session;
  session.choice.config = config;
  session.choice.key = key;
  session.index = testing::build_on_cpu(config, keys);
  auto path = std::make_shared<path_data>();
  path->index = session.index;
  path->trace = *trace_of(*session.index, key);
  session.path = std::move(path);
  return session;
}

// All that a step decides: where the transport stands, and the marks of every sector and slot that the path reads.
using mark = std::tuple<region_id, u64, read_mark, u32>;
std::tuple<u32, u32, bool, bool, u32, u64, std::vector<mark>> state_of(frame& f) {
  const transport_state& t = f.view.transport;
  std::vector<mark> marks;
  const lookup_trace& trace = f.session.path->trace;
  for (const sector_read& r : sectors_read(trace, t.step))
    marks.emplace_back(r.sector.array, r.sector.number, r.mark, r.step);
  for (const trace_step& step : trace.steps) {
    for (const comparison& c : step.compared) {
      const cell_reads reads = reads_of(trace, t.step, c.array, c.slot);
      marks.emplace_back(c.array, c.slot, reads.mark, reads.step);
    }
  }
  return {t.step, t.beyond, t.playing, f.view.build.on, f.view.build.at.pass, f.view.build.at.slot, std::move(marks)};
}

template <class Key>
void expect_inverse(const ordered_config& ordered) {
  const index_config config = *rc::gen::inRange(0, 8) == 0
                                  ? *config_from_line(ordered.keys == key_width::u32 ? "PLAIN" : "PLAIN keys=u64")
                                  : index_config(ordered);
  std::vector<Key> keys = *testing::any_keys<Key>();
  if (keys.size() > 300) keys.resize(300);
  const auto any_key = [&] {
    const Key random = *rc::gen::arbitrary<Key>();
    return u64{keys.empty() || random % 5 == 0 ? random : keys[random % keys.size()]};
  };
  question key(any_key());
  if (*rc::gen::inRange(0, 3) == 0) key = question(operation::range, key.key, any_key());
  RC_LOG() << to_line(config) << " n=" << keys.size() << " looking for " << to_text(key) << "\n";

  const session_view session = session_of(config, key_array(keys), key);
  const session_view beside =
      session_of(*config_from_line(ordered.keys == key_width::u32 ? "EO+BS" : "EO+BS keys=u64"), key_array(keys), key);
  testing::deaf_session act;
  testing::no_bytes pages;
  view_state view, view_beside;
  frame f{session, act, pages, view}, other{beside, act, pages, view_beside};
  if (*rc::gen::arbitrary<bool>()) f.other = &other;
  advance_transport(other);
  advance_transport(f);
  const u32 last = f.steps() == 0 ? 0 : f.steps() - 1;
  const auto from = *rc::gen::inRange<u32>(0, last + 1);
  const auto far = *rc::gen::inRange<u32>(0, last - from + 1);
  go_to_step(f, from);
  const auto before = state_of(f);
  for (u32 i = 0; i < far; ++i) step_by(f, 1), advance_transport(f);
  RC_ASSERT(f.joint_step() == from + far);
  for (u32 i = 0; i < far; ++i) step_by(f, -1), advance_transport(f);
  RC_ASSERT(state_of(f) == before);
  step_by(f, static_cast<int>(far));
  step_by(f, -static_cast<int>(far));
  RC_ASSERT(state_of(f) == before);

  show_build(f, true);
  advance_transport(f);
  const auto slots = static_cast<int>(std::min<u64>(session.index->bytes(main_region), 200));
  step_by(f, *rc::gen::inRange(0, slots + 1));
  const auto slot = state_of(f);
  step_by(f, 1);
  if (state_of(f) != slot) {  // not the build's last
    step_by(f, -1);
    RC_ASSERT(state_of(f) == slot);
  }
  show_build(f, false);
  RC_ASSERT(state_of(f) == std::tuple_cat(std::make_tuple(std::get<0>(before), std::get<1>(before), false, false),
                                          std::make_tuple(std::get<4>(slot), std::get<5>(slot), std::get<6>(before))));
}

RC_GTEST_PROP(SteppingProperty, ForwardAndBackIsWhereItWas, ()) {
  const ordered_config config = *testing::any_config();
  testing::with_key_of(config, [&](auto key) { expect_inverse<decltype(key)>(config); });
}

}  // namespace
}  // namespace pivotscope::viz
