#include "viz/cells/seen_state.hpp"

#include "core/index/cell_state.hpp"
#include "core/index/latched_model.hpp"

namespace pivotscope::viz {

cell_place state_seen(const index_model& model, cell_place place, const region_reader& read) {
  const cell_ref at{place.array, place.slot};
  if (const staged_model* tells = staged(model); tells && tells->is_vacant(at, read)) {
    place.state = cell_state::empty;
  } else if (tells_state(model, at)) {
    const std::optional<cell_value> value = model.value_of(at, read);
    if (value && value->row) place.state = state_of_row(*value->row);
  }
  return place;
}

}  // namespace pivotscope::viz
