#include "viz/state/lesson_progress.hpp"

#include <algorithm>

#include "viz/state/interleave_steps.hpp"
#include "viz/state/opening.hpp"
#include "viz/state/view_state.hpp"

namespace pivotscope::viz {
namespace {

const lesson* lesson_at(const frame& f, std::size_t which) {
  const auto& all = f.view.lessons.all;
  return all && which < all->size() ? &(*all)[which] : nullptr;
}

// Nothing runs that would still change what is in view.
bool is_there(const frame& f) {
  const session_choice& choice = f.session.choice;
  if (!f.session.index || !(f.session.index->config() == choice.config)) return false;
  return choice.load.keys == 0 || shows_choice(f);
}

void point_at(frame& f, const lesson_step& step) {
  lesson_state& state = f.view.lessons;
  state.to_front.assign(step.show.begin(), step.show.end());
  state.entered_at = f.now;
  state.bring_into_view = true;
}

// `since`: the step whose scenario holds; what was done since is not known, so this is where a leap begins.
void enter(frame& f, std::size_t step, bool leap) {
  lesson_state& state = f.view.lessons;
  const lesson& in = *lesson_at(f, *state.current);
  state.step = step;
  state.chosen_answer.reset();
  state.scroll_to_end = false;
  state.settling = true;
  std::size_t from = step;
  while (leap && from > 0 && in.steps[from].scenario.empty()) --from;
  f.view.transport.playing = false;
  state.rewind = !in.steps[from].scenario.empty();
  for (std::size_t i = from; i <= step; ++i)
    if (!in.steps[i].interleave.empty()) show_interleaving(f, in.steps[i].interleave);
  if (state.rewind && open_scenario(f, in.steps[from].scenario) && f.view.opening) state.rewind = false;
  if (state.rewind) show_build(f, false);
  point_at(f, in.steps[step]);
  f.moving = true;
}

}  // namespace

const lesson* lesson_in_view(const frame& f) {
  const lesson_state& state = f.view.lessons;
  return state.current ? lesson_at(f, *state.current) : nullptr;
}

const lesson_step* lesson_step_in_view(const frame& f) {
  const lesson* in = lesson_in_view(f);
  return in && f.view.lessons.step < in->steps.size() ? &in->steps[f.view.lessons.step] : nullptr;
}

bool is_noticed(const frame& f) {
  const lesson_state& state = f.view.lessons;
  return state.step < state.noticed.size() && state.noticed[state.step];
}

bool is_finished(const frame& f, const lesson& which) {
  const auto& finished = f.view.lessons.finished;
  return std::find(finished.begin(), finished.end(), which.id) != finished.end();
}

void begin_lesson(frame& f, std::size_t which) {
  const lesson* in = lesson_at(f, which);
  if (in == nullptr) return;
  lesson_state& state = f.view.lessons;
  state.current = which;
  state.noticed.assign(in->steps.size(), false);
  state.wants_room = true;
  enter(f, 0, true);
}

void leave_lesson(frame& f) {
  f.view.lessons.current.reset();
  f.view.lessons.to_front.clear();
}

void go_to_lesson_step(frame& f, std::size_t step) {
  const lesson* in = lesson_in_view(f);
  if (in && step < in->steps.size()) enter(f, step, true);
}

void set_step_up_again(frame& f) { go_to_lesson_step(f, f.view.lessons.step); }

void next_step(frame& f) {
  lesson_state& state = f.view.lessons;
  const lesson* in = lesson_in_view(f);
  if (in == nullptr) return;
  if (state.step + 1 < in->steps.size()) return enter(f, state.step + 1, false);
  // A lesson is ticked when all that it asked for was done; one that was skipped through is not.
  bool all = true;
  for (std::size_t i = 0; i < in->steps.size(); ++i) all &= !in->steps[i].asks() || state.noticed[i];
  if (all && !is_finished(f, *in)) state.finished.push_back(in->id);
  leave_lesson(f);
}

std::size_t lesson_after(const frame& f) {
  const lesson_state& state = f.view.lessons;
  const std::size_t after = state.current ? *state.current + 1 : no_lesson;
  return after != no_lesson && lesson_at(f, after) != nullptr ? after : no_lesson;
}

void answer_question(frame& f, std::size_t which) {
  lesson_state& state = f.view.lessons;
  const lesson_step* step = lesson_step_in_view(f);
  if (step == nullptr || which >= step->answers.size()) return;
  state.chosen_answer = which;
  state.scroll_to_end = true;
  if (step->answers[which].right) state.noticed[state.step] = true;
}

void advance_lesson(frame& f) {
  lesson_state& state = f.view.lessons;
  const lesson_step* step = lesson_step_in_view(f);
  if (step == nullptr) return;
  if (!state.to_front.empty() && !f.view.focus) {
    const panel which = state.to_front.front();
    state.to_front.erase(state.to_front.begin());
    f.view.open[static_cast<std::size_t>(which)] = true;
    f.view.focus = which;
    f.moving = true;
  }
  if (state.settling) {
    // What is seen in the frame in which the scenario was asked for is older than that.
    if (f.now == state.entered_at || f.view.opening || !is_there(f)) return;
    state.settling = false;
    state.bring_into_view = true;
    if (state.rewind) go_to_step(f, 0);
    for (const lesson_condition& c : step->set) set_up(c, f);
    f.moving = true;
    return;  // what is so now was not done by anybody
  }
  if (step->done.empty() || state.noticed[state.step]) return;
  if (std::all_of(step->done.begin(), step->done.end(), [&](const lesson_condition& c) { return holds(c, f); })) {
    state.noticed[state.step] = state.scroll_to_end = true;
    f.moving = true;
  }
}

}  // namespace pivotscope::viz
