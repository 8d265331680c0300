#include "viz/state/scene_state.hpp"

#include "viz/models/scene_study.hpp"

namespace pivotscope::viz {

void forget_picture(scene_state& state) {
  state.shown = {}, state.level = {}, state.shown_of = {};
  state.told = false;
}

void let_go_of_hidden_scene(scene_state& state, double now) {
  constexpr double patience = 2;  // seconds
  if (!state.study || now - state.studied_at < patience) return;
  state.study.reset();
  state.lookup = {};
  forget_picture(state);
}

}  // namespace pivotscope::viz
