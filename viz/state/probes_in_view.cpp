#include "viz/state/probes_in_view.hpp"

#include "core/workload/batch.hpp"
#include "viz/models/probe_model.hpp"

namespace pivotscope::viz {

probe_study* study_probes(frame& f) {
  constexpr double frame_share = 0.006;  // seconds of a frame that may go into it
  probes_state& state = f.view.probes;
  const workload& load = f.session.choice.load;
  const bool own = !each_by_formula(load);
  const std::shared_ptr<const first_lookups>& first = f.session.own_lookups;
  const key_array* given = own && first && first->load == load ? &first->keys : nullptr;
  if (own && !given) return nullptr;
  if (!state.study || state.study->index() != f.session.index || !(state.study->load() == load))
    state.study = std::make_shared<probe_study>(f.session.index, f.model(), load, given), state.studied_at = -1;
  if (state.studied_at != f.now && state.study->go_on(frame_share)) f.moving = true;
  state.studied_at = f.now;
  return state.study.get();
}

}  // namespace pivotscope::viz
