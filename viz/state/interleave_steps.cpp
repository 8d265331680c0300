#include "viz/state/interleave_steps.hpp"

#include <algorithm>

#include "core/verify/interleaved_case.hpp"
#include "viz/models/interleave_model.hpp"

namespace pivotscope::viz {

void show_interleaving(frame& f, const std::string& line, std::size_t step) {
  interleave_state& state = f.view.interleave;
  state.line.text = line;
  state.wanted = step;
  // What is in view already brings no new result, which would take the step.
  if (!state.model || line != to_text(state.model->of()) || !(state.asked == state.model->result().asked)) return;
  state.wanted.reset();
  state.step = std::min(step, state.model->accesses());
  state.scroll = true;
}
void show_interleaving(frame& f, const interleaved_case& of, std::size_t step) {
  show_interleaving(f, to_text(of), step);
}

void step_accesses(frame& f, int accesses) {
  interleave_state& state = f.view.interleave;
  if (!state.model) return;
  const auto to = static_cast<std::ptrdiff_t>(state.step) + accesses;
  state.step =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, static_cast<std::ptrdiff_t>(state.model->accesses())));
  state.scroll = true;
}

void step_to_switch(frame& f, int direction) {
  interleave_state& state = f.view.interleave;
  if (!state.model) return;
  state.step = state.model->next_switch(state.step, direction);
  state.scroll = true;
}

}  // namespace pivotscope::viz
