#include "viz/models/scene_lookup.hpp"

#include <algorithm>
#include <map>

namespace pivotscope::viz {
namespace {

// The boxes that lead to a cell of a level, from the root down.
std::vector<u64> boxes_above(const scene_model& scene, u32 level, u64 cell) {
  std::vector<u64> boxes;
  while (level-- > 0) {
    cell /= scene.wide();
    boxes.push_back(scene.tree().first[level] + cell);
  }
  std::ranges::reverse(boxes);
  return boxes;
}

// Did a ray go through the box, or hit the triangle? The beams of a range hit the keys that are in it.
bool is_hit(const lookup_trace& trace, const comparison& c) {
  if (c.keyless) return c.met == relation::hit;
  return trace.range ? c.key >= trace.key && c.key <= trace.range->high : c.met == relation::equal;
}

}  // namespace

scene_lookup lookup_in_scene(const index_scene& scene, const lookup_trace& trace, u32 step, const region_reader& read) {
  const scene_model& model = scene.scene();
  const scene_regions in = model.regions();
  scene_lookup seen;
  seen.levels.resize(model.triangles_level() + 1);
  if (trace.steps.empty()) return seen;
  step = std::min(step, static_cast<u32>(trace.steps.size()) - 1);
  for (const scene_ray& ray : scene.rays_of(trace, read)) {
    if (ray.first_step > step) break;
    if (step < ray.end_step) seen.now = seen.rays.size();
    seen.rays.push_back(ray);
  }
  std::map<u64, bool> before;
  for (u32 s = 0; s <= step; ++s) {
    for (const comparison& c : trace.steps[s].compared) {
      const bool hit = is_hit(trace, c);
      if (c.array == in.boxes) {
        level_looks& level = seen.levels[model.box_level(c.slot)];
        ++level.looked, level.entered += hit;
        if (s == step)
          seen.met.push_back({c.slot, hit});
        else
          before[c.slot] = before[c.slot] || hit;
      } else if (c.array == in.triangles && trace.steps[s].kind == step_kind::search) {
        ++seen.levels.back().looked, seen.levels.back().entered += hit;
        if (hit) seen.hits.push_back(c.slot);
      }
    }
  }
  for (const auto& [box, entered] : before) seen.before.push_back({box, entered});
  const std::vector<comparison>& now = trace.steps[step].compared;
  if (seen.now && !now.empty()) {
    const comparison& first = now.front();
    const bool boxes = first.array == in.boxes;
    const u32 level = boxes ? model.box_level(first.slot) : model.triangles_level();
    seen.within = boxes_above(model, level, boxes ? first.slot - model.tree().first[level] : first.slot);
  }
  return seen;
}

const scene_lookup& kept_lookup::at(const std::shared_ptr<const index_model>& model,
                                    const std::shared_ptr<const void>& path, const lookup_trace& trace, u32 step,
                                    const region_reader& read) {
  if (complete_ && step_ == step && model_.lock() == model && path_.lock() == path) return found_;
  complete_ = true;
  found_ = lookup_in_scene(*with_scene(*model), trace, step, [&](region_id region, u64 byte, std::span<std::byte> out) {
    const bool here = read(region, byte, out);
    complete_ = complete_ && here;
    return here;
  });
  model_ = model, path_ = path, step_ = step;
  return found_;
}

std::optional<grid_point> place_in_grid(const key_grid& grid, u64 key) {
  const u32 bits = grid.x_bits + grid.y_bits + grid.z_bits;
  return bits < 64 && key >> bits != 0 ? std::nullopt : std::optional(grid.of(key));
}

}  // namespace pivotscope::viz
