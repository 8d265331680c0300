#include "viz/state/opening.hpp"

#include <fmt/format.h>

#include "viz/state/lesson_progress.hpp"

namespace pivotscope::viz {
namespace {

// What was chosen when the line was taken is there.
bool is_there(const frame& f, const view_position& at) {
  const session_view& s = f.session;
  if (s.job.running || !s.index || !(s.index->config() == s.choice.config)) return false;
  return at.build || !at.in_time() || shows_choice(f);
}

void look_at(frame& f, const view_position& at) {
  if (const auto which = panel_named(at.panel))
    f.view.open[static_cast<std::size_t>(*which)] = true, f.view.focus = which;
  if (!at.cells) return;
  if (const u64 cells = f.model()->region(main_region).cells; at.cells->first >= cells)
    return f.act.tell(
        {fmt::format("The scenario is here, but there is no cell {}: the index has {}.", at.cells->first, cells),
         false});
  strip_camera& camera = f.view.layout.lower.camera;
  camera.go_to(static_cast<double>(at.cells->first), static_cast<double>(at.cells->end));
  camera.advance(0, true);
}

void go_to(frame& f, const view_position& at) {
  show_build(f, at.build.has_value());
  if (at.build) {
    const outcome<build_place> found = find_place(f.view.build.passes, *at.build);
    if (!found) return f.act.tell({"The scenario is here, but " + found.error().words + ".", false});
    return go_to_place(f, *found);
  }
  const std::size_t steps = f.trace()->steps.size();
  if (*at.step > steps)
    f.act.tell(
        {fmt::format("The scenario is here, but there is no step {}: this lookup has {}.", *at.step, steps), false});
  go_to_step(f, *at.step - 1);
}

}  // namespace

view_position place_in_view(const session_view& session, const view_state& view) {
  if (!session.index || !(session.index->config() == session.choice.config)) return {};
  const build_state& b = view.build;
  if (b.on && b.at.pass < b.passes.size())
    return {.build = build_slot{b.at.pass == 0 ? "" : b.passes[b.at.pass].name, b.at.slot}};
  if (b.on || !shows_choice(session, view) || view.transport.path->trace.steps.empty()) return {};
  return {.step = view.transport.step + 1};
}

view_position sight_in_view(const session_view& session, const view_state& view) {
  view_position at = place_in_view(session, view);
  if (view.looked_at) at.panel = small_name_of(*view.looked_at);
  const strip_camera& camera = view.layout.lower.camera;
  if (session.index && camera.cells() > 0 && !camera.shows_all() && camera.end_visible() > camera.first_visible())
    at.cells = shown_cells{camera.first_visible(), camera.end_visible()};
  return at;
}

void copy_scenario(frame& f) {
  f.act.copy_scenario(sight_in_view(f.session, f.view));
  f.view.copied_at = f.now;
}

bool open_scenario(frame& f, std::string_view line) {
  const std::optional<view_position> at = f.act.open_scenario(line);
  f.view.opening.reset();
  if (at && at->any()) f.view.opening = opening_scenario{.at = *at, .asked_at = f.now};
  if (at) {
    f.view.transport.playing = false;
    forget_problems(f.view);
  }
  return at.has_value();
}

void open_snapshot(frame& f, const snapshot& kept) {
  // Of an older one the line has no place.
  if (open_scenario(f, kept.line)) f.view.opening = opening_scenario{.at = kept.at, .asked_at = f.now};
}

void follow_opening(frame& f) {
  std::optional<opening_scenario>& opening = f.view.opening;
  if (!opening || opening->asked_at == f.now) return;  // the choice that this frame shows is older
  const session_choice& choice = f.session.choice;
  if (!opening->of) opening->of = {choice.config, choice.load};
  // Something else was chosen meanwhile.
  if (!(opening->of->first == choice.config) || !(opening->of->second == choice.load)) return opening.reset();
  const view_position at = opening->at;
  if (!is_there(f, at)) return;
  opening.reset();
  if (at.build || (at.step && !f.trace()->steps.empty())) go_to(f, at);
  look_at(f, at);
  f.moving = true;
}

}  // namespace pivotscope::viz
