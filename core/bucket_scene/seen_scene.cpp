// The scene over buckets as views see it: what its triangles are, and the rays of a lookup.
#include "core/bucket_scene/bucket_scene_model.hpp"
#include "core/bucket_scene/casts.hpp"

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

scene_triangle bucket_scene_model::seen(const triangle_cell& triangle) const {
  const u32 slot = triangle.primitive();
  scene_triangle seen{.at = place_of(triangle), .flipped = triangle.flipped()};
  if (const auto bucket = bucket_of(triangle)) seen.bucket = *bucket;
  seen.kind = slot < buckets_       ? triangle_kind::representative
              : seen.bucket         ? triangle_kind::extra
              : marks_row(triangle) ? triangle_kind::row_marker
                                    : triangle_kind::plane_marker;
  return seen;
}

void bucket_scene_model::tell_moved(scene_triangle& representative, u64 key) const {
  if (form_ != scene_form::optimised || representative.at.x != view_.grid.x_max()) return;
  const grid_point own = view_.grid.of(key);
  if (own.x != representative.at.x) representative.kind = triangle_kind::moved, representative.from = own;
}

std::vector<scene_ray> bucket_scene_model::rays_of(const lookup_trace& trace, const region_reader& read) const {
  std::vector<scene_ray> rays;
  const u64 key = searched_key(trace);
  const caster cast_by(form_alone{{form_}}, view_);
  cast_state state = cast_by.begin(key);
  for (u32 step = 0; step < trace.steps.size() && is_of_ray(trace.steps[step], state.rays);) {
    scene_ray ray{.name = ray_name(state.now), .axis = state.ray.axis, .is_endless = true, .first_step = step};
    ray.from = ray.to = in_grid(state.ray.from);
    while (step < trace.steps.size() && is_of_ray(trace.steps[step], state.rays)) ++step;
    ray.end_step = step;
    const comparison& last = trace.steps[step - 1].compared.back();
    ray_step end{ray_step::missed, side::none, {}};
    if (last.array == regions().triangles && last.met == relation::hit) {
      const auto hit = triangle(last.slot, read);
      if (!hit) return rays;
      end = {ray_step::hit, side_met(state.ray, *hit, cast_by.half()), *hit};
      ray.hit = last.slot, ray.hits_back = end.met == side::back, ray.is_endless = false;
      ray.to = in_grid({hit->x, hit->y, hit->z});
    }
    rays.push_back(ray);
    if (!cast_by.next(key, state, end)) break;
  }
  return rays;
}

}  // namespace pivotscope
