// The scene of a cgRX index as views see it.
#include "core/families/cgrx/cgrx_model.hpp"

namespace pivotscope {

scene_triangle cgrx_model::look_at(u64, const triangle_cell& triangle, const region_reader& read) const {
  scene_triangle seen = scene_.seen(triangle);
  if (seen.kind != triangle_kind::representative) return seen;
  const cell_run entries = entries_of(triangle.primitive());
  seen.key = cell_ref{main_region, entries.first + entries.count - 1};
  if (!read) return seen;
  if (const auto value = value_of(*seen.key, read); value && value->key) scene_.tell_moved(seen, *value->key);
  return seen;
}

}  // namespace pivotscope
