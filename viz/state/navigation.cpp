#include "viz/state/navigation.hpp"

#include "viz/models/tile_model.hpp"
#include "viz/state/tile_in_view.hpp"

namespace pivotscope::viz {

void look_in_memory(frame& f, cell_ref at) {
  f.view.memory.array = at.region;
  const u64 row = f.model()->region(at.region).byte_of(at.cell) / f.view.memory.row_bytes;
  f.view.memory.first_row = static_cast<double>(row);
}

void look_in_layout(frame& f, const cell_run& cells) {
  const auto first = static_cast<double>(cells.first);
  f.view.layout.strip_of(cells.region).camera.go_to(first - 4, first + static_cast<double>(cells.count) + 4);
  f.moving = true;
}

void go_to_panel(frame& f, panel which) {
  f.view.open[static_cast<std::size_t>(which)] = true;
  f.view.focus = which;
}

void run_to_stop(frame& f, int direction) {
  const lookup_trace* trace = f.trace();
  if (!trace || trace->steps.empty()) return;
  f.view.transport.playing = false;
  const u32 from = f.joint_step();
  std::optional<u32> to = next_stop(*trace, f.view.transport.stops, from, direction);
  if (const frame* a = f.other; a && a->trace()) {
    const std::optional<u32> of_a = next_stop(*a->trace(), a->view.transport.stops, from, direction);
    if (of_a && (!to || (direction > 0 ? *of_a < *to : *of_a > *to))) to = of_a;
  }
  go_to_step(f, to.value_or(direction > 0 ? f.steps() - 1 : 0));
}

void next_lookup(frame& f, int direction) {
  const tile_study* tile = study_tile(f);
  if (!tile || tile->size() == 0) return;
  u32 to = 0;
  // The chosen one may be there more than once: the place that was gone to last decides.
  const auto key_at = [&](u32 served) { return tile->key(tile->place_of(served)); };
  if (f.session.choice.key && f.session.choice.key->kind == operation::find) {
    u32 at = f.view.tile.last_served;
    if (at >= tile->size() || key_at(at) != f.session.choice.key->key)
      for (at = 0; at < tile->size() && key_at(at) != f.session.choice.key->key;) ++at;
    if (at < tile->size()) to = (at + (direction > 0 ? 1 : tile->size() - 1)) % tile->size();
  }
  show_build(f, false);
  f.view.tile.last_served = to;
  f.act.choose_key(key_at(to));
}

}  // namespace pivotscope::viz
