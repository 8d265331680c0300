// The scene of a cgRX index as views see it: what its triangles are, and the rays of a lookup.
#include "core/families/cgrx/cgrx_model.hpp"

namespace pivotscope {
namespace {

const char* ray_name(cast what) {
  switch (what) {
    case cast::own_row:
      return "own row";
    case cast::next_row:
      return "next row";
    case cast::row_found:
      return "row found";
    case cast::next_plane:
      return "next plane";
    case cast::plane_found:
      return "plane found";
  }
  return "";
}

bool is_of_ray(const trace_step& step, u64 number) { return held_number(step, "ray") == number; }

}  // namespace

scene_triangle cgrx_model::look_at(u64, const triangle_cell& triangle, const region_reader& read) const {
  const u32 slot = triangle.primitive();
  scene_triangle seen{.at = scene_.place_of(triangle), .flipped = triangle.flipped()};
  if (const auto bucket = bucket_of(triangle)) seen.bucket = *bucket;
  if (slot >= view_.buckets) {
    const bool marks = !seen.bucket;
    seen.kind = !marks                     ? triangle_kind::extra
                : slot < 2 * view_.buckets ? triangle_kind::row_marker
                                           : triangle_kind::plane_marker;
    return seen;
  }
  seen.kind = triangle_kind::representative;
  const cell_run entries = entries_of(slot);
  seen.key = cell_ref{main_region, entries.first + entries.count - 1};
  const bool may_be_moved = config_.form == scene_form::optimised && seen.at.x == view_.grid.x_max();
  if (!read || !may_be_moved) return seen;
  const auto value = value_of(*seen.key, read);
  if (!value || !value->key) return seen;
  const grid_point own = view_.grid.of(*value->key);
  if (own.x != seen.at.x) seen.kind = triangle_kind::moved, seen.from = own;
  return seen;
}

// The steps say which ray is under way and what it hit; where it goes, the lookup's own caster says.
std::vector<scene_ray> cgrx_model::rays_of(const lookup_trace& trace, const region_reader& read) const {
  std::vector<scene_ray> rays;
  const u64 key = searched_key(trace);
  const caster cast_by(dynamic_config{config_}, view_);
  cast_state state = cast_by.begin(key);
  for (u32 step = 0; step < trace.steps.size() && is_of_ray(trace.steps[step], state.rays);) {
    scene_ray ray{.name = ray_name(state.now), .axis = state.ray.axis, .is_endless = true, .first_step = step};
    ray.from = ray.to = scene_.in_grid(state.ray.from);
    while (step < trace.steps.size() && is_of_ray(trace.steps[step], state.rays)) ++step;
    ray.end_step = step;
    const comparison& last = trace.steps[step - 1].compared.back();
    ray_step end{ray_step::missed, side::none, {}};
    if (last.array == cgrx::scene.triangles && last.met == relation::hit) {
      const auto triangle = scene_.triangle(last.slot, read);
      if (!triangle) return rays;
      end = {ray_step::hit, side_met(state.ray, *triangle, cast_by.half()), *triangle};
      ray.hit = last.slot, ray.hits_back = end.met == side::back, ray.is_endless = false;
      ray.to = scene_.in_grid({triangle->x, triangle->y, triangle->z});
    }
    rays.push_back(ray);
    if (!cast_by.next(key, state, end)) break;
  }
  return rays;
}

}  // namespace pivotscope
