// The scene of an RX index as views see it: what its triangles are, and the rays of a lookup.
#include <algorithm>

#include "core/families/rx/rx_model.hpp"

namespace pivotscope {
namespace {

constexpr const char* beam_names[most_beams] = {"first row", "rows behind it", "planes between", "rows of the last",
                                                "last row"};

}  // namespace

scene_triangle rx_model::look_at(u64 cell, const triangle_cell& triangle, const region_reader&) const {
  return {.at = scene_.place_of(triangle), .kind = triangle_kind::key, .key = cell_ref{main_region, cell}};
}

std::vector<scene_ray> rx_model::rays_of(const lookup_trace& trace, const region_reader&) const {
  std::vector<scene_ray> rays;
  const auto steps = static_cast<u32>(trace.steps.size());
  if (steps == 0) return rays;
  if (!trace.range) {
    const axis_ray sent = rx::ray_to(view_.grid, half_units::of(view_.grid), trace.key);
    scene_ray ray{.name = "the key's place", .axis = sent.axis, .end_step = steps};
    ray.from = scene_.in_grid(sent.from);
    ray.to = scene_.in_grid({sent.to, sent.from[1], sent.from[2]});
    const comparison& last = trace.steps.back().compared.back();
    if (trace.row != not_found && last.array == main_region) ray.hit = last.slot;
    rays.push_back(ray);
    return rays;
  }
  for (u32 step = 0; step < steps;) {
    const auto number = held_number(trace.steps[step], "beam");
    if (!number || *number == 0 || *number > most_beams) break;
    const beam sent =
        beam_number(view_.grid, trace.key, std::min(trace.range->high, view_.greatest), static_cast<u32>(*number) - 1)
            .rays;
    scene_ray ray{.name = beam_names[*number - 1], .is_beam = true, .first_step = step};
    ray.from = scene_.in_grid(sent.from), ray.to = scene_.in_grid(sent.to);
    while (step < steps && held_number(trace.steps[step], "beam") == number) ++step;
    ray.end_step = step;
    rays.push_back(ray);
  }
  return rays;
}

}  // namespace pivotscope
