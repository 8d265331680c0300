#include "viz/state/view_state.hpp"

#include <algorithm>
#include <utility>

#include "core/index/cell_state.hpp"
#include "viz/cells/path_ways.hpp"
#include "viz/cells/seen_state.hpp"
#include "viz/models/timings_model.hpp"
#include "viz/words/sentence_numbers.hpp"

namespace pivotscope::viz {

const trace_step* frame::step() const {
  const lookup_trace* t = trace();
  if (!t || t->steps.empty()) return nullptr;
  return &t->steps[std::min<std::size_t>(view.transport.step, t->steps.size() - 1)];
}

u32 frame::steps() const {
  const lookup_trace* own = trace();
  const auto count = own ? static_cast<u32>(own->steps.size()) : 0u;
  return other && count > 0 ? std::max(count, other->steps()) : count;
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

std::string frame::words(region_id array, u64 slot) const {
  return with_grouped_numbers(model()->words_of({array, slot}, reader_of(*session.index, slots)));
}

std::string frame::brief(region_id array, u64 slot) const {
  return with_grouped_numbers(model()->brief_of({array, slot}, reader_of(*session.index, slots)));
}

cell_place frame::seen(cell_place place) const { return state_seen(*model(), place, reader_of(*session.index, slots)); }

const pass_info* frame::pass() const {
  const build_state& b = view.build;
  return b.on && b.at.pass < b.passes.size() ? &b.passes[b.at.pass] : nullptr;
}

std::optional<build_step> frame::writes() const {
  if (!pass()) return std::nullopt;
  const build_state& b = view.build;
  return b.merged.merge ? b.merged.merge->build_step_of(b.at.slot) : b.model->step_of_build(b.at.pass, b.at.slot);
}

float frame::changed(cell_ref at) const {
  const transport_state::step_change& change = view.transport.change;
  const double share = change.at < 0 ? 1 : (now - change.at) / change_seconds;
  if (share >= 1 || std::find(change.cells.begin(), change.cells.end(), at) == change.cells.end()) return 0;
  return 1 - static_cast<float>(ease(share));
}

namespace {

// Another step of the same path: what it has otherwise is to be seen for a moment.
void note_change(frame& f) {
  transport_state& t = f.view.transport;
  transport_state::step_change& change = t.change;
  if (change.path == t.path && change.step != t.step && t.path && f.view.motion) {
    change.cells = changed_between(t.path->trace, change.step, t.step);
    change.at = change.cells.empty() ? -1 : f.now;
  } else if (change.path != t.path) {
    change.cells.clear(), change.at = -1;
  }
  change.path = t.path, change.step = t.step;
  if (change.at >= 0 && f.now < change.at + change_seconds) f.moving = true;
}

// Those of the batch that made the index, else those of its build.
std::vector<pass_info> passes_of(const index_model& model, const merged_batch& merged) {
  if (!merged.merge) return model.build_passes();
  return merged.merge->after() == 0 ? std::vector<pass_info>{} : std::vector{merged.merge->pass()};
}

void take_up_build(frame& f) {
  build_state& b = f.view.build;
  const std::shared_ptr<const index_model> model = f.session.index ? f.model() : nullptr;
  if (b.model != model) {
    b.model = model;
    b.merged = model && f.session.updates ? f.session.updates->merged : merged_batch{};
    b.passes = model ? passes_of(*model, b.merged) : std::vector<pass_info>{};
    b.follow = true;
  }
  if (!b.passes.empty()) b.at = clamped(b.passes, b.wanted);  // while there is no index, the place waits for the next
}

void play_build(frame& f) {
  transport_state& t = f.view.transport;
  build_state& b = f.view.build;
  if (!t.playing) return;
  if (is_last(b.passes, b.at)) {
    t.playing = false;
    return;
  }
  f.moving = true;
  if (f.now < t.next_at) return;
  b.at = b.wanted = moved(b.passes, b.at, 1);
  t.next_at = f.now + 1 / static_cast<double>(t.steps_per_second);
}

}  // namespace

void advance_transport(frame& f) {
  f.view.pointed = std::exchange(f.view.points_next, {});
  transport_state& t = f.view.transport;
  if (t.path != f.session.path) {
    const bool other_key = !t.path || !f.session.path || t.path->trace.key != f.session.path->trace.key ||
                           question_of(t.path->trace).kind != question_of(f.session.path->trace).kind;
    t.path = f.session.path;
    const auto steps = t.path ? static_cast<u32>(t.path->trace.steps.size()) : 0u;
    t.step = other_key ? 0 : std::min(t.step, steps == 0 ? 0 : steps - 1);
    t.beyond = 0;
    t.next_at = f.now + 1 / static_cast<double>(t.steps_per_second);
  }
  note_change(f);
  take_up_build(f);
  if (f.view.build.on) return play_build(f);
  if (!t.playing) return;
  const lookup_trace* trace = f.trace();
  if (!trace || f.joint_step() + 1 >= f.steps()) {
    t.playing = false;
    return;
  }
  f.moving = true;
  if (f.now < t.next_at) return;
  go_to_step(f, f.joint_step() + 1);
  if (stops_at(f, f.joint_step())) t.playing = false;
  t.next_at = f.now + 1 / static_cast<double>(t.steps_per_second);
}

void pin_index(view_state& view, const index_config& config) {
  view.pinned = config;
  view.pinned_step.reset();
}

void pin_step(view_state& view, u32 step) {
  view.pinned.reset();
  view.pinned_step = step;
}

void unpin(view_state& view) {
  view.pinned.reset();
  view.pinned_step.reset();
}

bool can_pin_baseline(const frame& f) {
  if (f.view.baseline) return true;
  return f.session.index && !f.session.runs->empty() && can_be_baseline(f.session.runs->back());
}

void toggle_baseline(frame& f) {
  if (f.view.baseline)
    f.view.baseline.reset();
  else if (can_pin_baseline(f))
    f.view.baseline = std::make_shared<const session_run>(f.session.runs->back());
  f.moving = true;
}

void compare_with_chosen(frame& f) {
  if (!f.view.pinned && !f.view.pinned_step) pin_index(f.view, f.session.choice.config);
  f.view.preset = 3;
  f.view.reset_layout = true;
}

void compare_with_step(frame& f, u32 step) {
  pin_step(f.view, step);
  if (f.view.preset == 3) return;
  f.view.preset = 3;
  f.view.reset_layout = true;
}

bool stops_at(const frame& f, u32 joint_step) {
  const auto of_path = [&](const frame& path) {
    const lookup_trace* trace = path.trace();
    const std::vector<stop_mark>& stops = path.view.transport.stops;
    return trace && joint_step < trace->steps.size() &&
           std::ranges::any_of(stops, [&](const stop_mark& mark) { return reads(trace->steps[joint_step], mark); });
  };
  return of_path(f) || (f.other && of_path(*f.other));
}

void go_to_step(frame& f, u32 step) {
  const lookup_trace* trace = f.trace();
  if (!trace || trace->steps.empty()) return;
  const u32 joint = std::min(step, f.steps() - 1);
  f.view.transport.step = std::min(joint, static_cast<u32>(trace->steps.size() - 1));
  f.view.transport.beyond = joint - f.view.transport.step;
  f.view.transport.next_at = f.now + 1 / static_cast<double>(f.view.transport.steps_per_second);
}

void go_to_place(frame& f, build_place at) {
  build_state& b = f.view.build;
  if (!b.passes.empty()) b.at = b.wanted = clamped(b.passes, at);
  f.view.transport.next_at = f.now + 1 / static_cast<double>(f.view.transport.steps_per_second);
}

void go_to_cell(frame& f, region_id region, u64 cell) {
  const std::vector<pass_info>& passes = f.view.build.passes;
  for (u32 i = 0; i < passes.size(); ++i) {
    if (passes[i].region == region) {
      f.view.transport.playing = false;
      return go_to_place(f, {i, cell});
    }
  }
}

void show_build(frame& f, bool on) {
  transport_state& t = f.view.transport;
  if (f.view.build.on == on) return;
  f.view.build.on = on;
  f.view.build.follow = on;
  t.playing = false;
  if (on) {  // Path has the formulas
    f.view.open[static_cast<std::size_t>(panel::path)] = true;
    f.view.focus = panel::path;
  }
  if (!on) t.steps_per_second = std::min(t.steps_per_second, fastest_lookup);
}

void step_by(frame& f, int steps) {
  f.view.transport.playing = false;
  if (f.view.build.on) return go_to_place(f, moved(f.view.build.passes, f.view.build.at, steps));
  const int to = static_cast<int>(f.joint_step()) + steps;
  go_to_step(f, static_cast<u32>(std::max(to, 0)));
}

void forget_problems(view_state& view) {
  for (entry_state* field :
       {&view.key, &view.keys_count, &view.batch_count, &view.range_hits, &view.seed, &view.layout.search,
        &view.own.keys_file, &view.own.keys_typed, &view.own.batch_file, &view.own.batch_typed, &view.updates.typed})
    field->problem.clear();
}

}  // namespace pivotscope::viz
