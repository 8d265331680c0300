// How the scene over buckets is built, on any machine: once their entries lie in order.
#pragma once

#include <algorithm>

#include "core/bucket_scene/scene_passes.hpp"
#include "core/index/executor.hpp"
#include "core/index/scene_knobs.hpp"

namespace pivotscope {

// A family's own passes (scene_passes.hpp).
struct scene_build {
  scene_regions in;
  u32 key_bytes;
  scene_knobs knobs;
  const build_pass &number_slots, &place_triangles, &bound_groups;
};

// Sets what of a scene follows from its extreme keys: the last one of bucket 0, and the greatest of all (cgrx,
// Algorithm 1, lines 1 to 4). `size`: entries of a bucket.
inline void measure_scene(bucket_scene& scene, const scene_knobs& knobs, u32 size, u64 least_representative,
                          u64 greatest) {
  scene.least_representative = least_representative, scene.greatest = greatest;
  scene.grid = grid_for(greatest, knobs.x_bits, knobs.y_bits, knobs.y_scale, knobs.z_scale);
  scene.buckets = static_cast<u32>(ceil_div<u64>(scene.keys, size));
  scene.several_rows = scene.grid.row_of(least_representative) != scene.grid.row_of(greatest);
  scene.several_planes = scene.grid.plane_of(least_representative) != scene.grid.plane_of(greatest);
}

// Builds the triangles and boxes of a scene that was measured. View: the family's state, which begins with it.
template <class View>
status build_scene(executor& on, View& view, const scene_build& with) {
  const u64 slots = view.slots();
  if (auto s = on.allocate_array(scene_arrays::slot_codes, slots * with.key_bytes, "the scene's places"); !s) return s;
  if (auto s = on.allocate_array(scene_arrays::slot_numbers, slots * sizeof(u32), "the scene's slots"); !s) return s;
  const auto triangles = on.run(with.number_slots, slots, state_bytes(view));
  if (!triangles) return triangles.error();
  if (auto s = on.sort_pairs(scene_arrays::slot_codes, scene_arrays::slot_numbers, slots, "sort slots"); !s) return s;
  view.tree = bounding_tree::of(static_cast<u32>(*triangles), with.knobs.wide);
  if (auto s = on.resize(with.in.triangles, view.tree.triangles); !s) return s;
  if (auto s = on.resize(with.in.boxes, view.tree.boxes()); !s) return s;
  if (auto done = on.run(with.place_triangles, slots, state_bytes(view)); !done) return done.error();
  for (u32 level = view.tree.levels; level-- > 0;) {
    view.bounded_level = level;
    if (auto done = on.run(with.bound_groups, view.tree.count[level], state_bytes(view)); !done) return done.error();
  }
  return fine();
}

}  // namespace pivotscope
