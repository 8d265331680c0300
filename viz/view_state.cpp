#include "viz/view_state.hpp"

#include <algorithm>
#include <utility>

namespace pivotscope::viz {

const trace_step* frame::step() const {
  const lookup_trace* t = trace();
  if (!t || t->steps.empty()) return nullptr;
  return &t->steps[std::min<std::size_t>(view.transport.step, t->steps.size() - 1)];
}

const std::shared_ptr<const index_model>& frame::model() const {
  if (!view.model || view.modelled.lock() != session.index) {
    view.modelled = session.index;
    view.model = model_of(*session.index);
  }
  return view.model;
}

std::shared_ptr<const index_model> frame::path_model() const {
  const path_data& path = *view.transport.path;
  return session.index && path.index == session.index ? model() : model_of(path.trace.config, path.trace.keys);
}

std::optional<slot_content> frame::read(region_id array, u64 slot) const {
  return read_slot(*model(), *session.index, slots, array, slot);
}

void advance_transport(frame& f) {
  f.view.pointed = std::exchange(f.view.points_next, {});
  transport_state& t = f.view.transport;
  if (t.path != f.session.path) {
    const bool other_key = !t.path || !f.session.path || t.path->trace.key != f.session.path->trace.key ||
                           t.path->trace.range.has_value() != f.session.path->trace.range.has_value();
    t.path = f.session.path;
    const auto steps = t.path ? static_cast<u32>(t.path->trace.steps.size()) : 0u;
    t.step = other_key ? 0 : std::min(t.step, steps == 0 ? 0 : steps - 1);
    t.next_at = f.now + 1 / static_cast<double>(t.steps_per_second);
  }
  if (!t.playing) return;
  const lookup_trace* trace = f.trace();
  if (!trace || t.step + 1 >= trace->steps.size()) {
    t.playing = false;
    return;
  }
  f.moving = true;
  if (f.now < t.next_at) return;
  ++t.step;
  const trace_step& here = trace->steps[t.step];
  if (std::any_of(t.stops.begin(), t.stops.end(), [&](const stop_mark& mark) { return reads(here, mark); }))
    t.playing = false;
  t.next_at = f.now + 1 / static_cast<double>(t.steps_per_second);
}

void go_to_step(frame& f, u32 step) {
  const lookup_trace* trace = f.trace();
  if (!trace || trace->steps.empty()) return;
  f.view.transport.step = std::min(step, static_cast<u32>(trace->steps.size() - 1));
  f.view.transport.next_at = f.now + 1 / static_cast<double>(f.view.transport.steps_per_second);
}

void step_by(frame& f, int steps) {
  f.view.transport.playing = false;
  const int to = static_cast<int>(f.view.transport.step) + steps;
  go_to_step(f, static_cast<u32>(std::max(to, 0)));
}

}  // namespace pivotscope::viz
