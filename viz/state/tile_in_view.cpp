#include "viz/state/tile_in_view.hpp"

#include "viz/models/tile_model.hpp"

namespace pivotscope::viz {

tile_study* study_tile(frame& f) {
  constexpr double frame_share = 0.006;  // seconds of a frame that may go into traces
  tile_state& state = f.view.tile;
  const bool of_lookups =
      f.session.index && f.model()->keys() != 0 && operation_of(f.session.choice.load) == operation::find;
  const workload& load = f.session.choice.load;
  const bool own = !each_by_formula(load);
  const std::shared_ptr<const first_lookups>& first = f.session.own_lookups;
  const bool made = !own || (first && first->load == load);
  const u64 tiles = of_lookups && made ? shown_tiles(f.session.index->config(), f.session.choice.load) : 0;
  if (tiles == 0) {
    state.study.reset();  // and with it the index that it is of
    return nullptr;
  }
  state.number = std::min(state.number, tiles - 1);
  if (!state.study || state.study->index() != f.session.index || state.study->number() != state.number ||
      !(state.study->load() == f.session.choice.load)) {
    state.study = std::make_shared<tile_study>(f.session.index, load, state.number, own ? &first->keys : nullptr);
    state.hovered.reset();
    state.studied_at = -1;
  }
  // Once a frame, whoever asks.
  if (state.studied_at != f.now) f.moving |= state.study->go_on(frame_share);
  state.studied_at = f.now;
  return state.study.get();
}

}  // namespace pivotscope::viz
