#include "core/bucket_scene/rays_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/bucket_scene/find_buckets.hpp", casts = "core/bucket_scene/casts.hpp",
                           tree = "core/rays/bounding_tree.hpp";

}  // namespace

pseudo_code rays_code(scene_form form, std::string head) {
  const bool naive = form == scene_form::naive;
  return {
      {std::move(head)},
      {"  ray = along x, from the key's place on", {{here, "return rays.begin(key)"}}, pseudo_when::begins},
      {"  until a ray along x hits:", {{here, "wave.memory.step(state.search.level)"}}},
      {"    look through the boxes for one that the ray meets: go down, or back up",
       {{here, "step_of_ray(wave.memory, scene"},
        {tree, "memory.template each_of_run<box_quad>(boxes"},
        {tree, "memory.met(in.boxes, number"}}},
      {"    look through the triangles for one that the ray hits",
       {{tree, "memory.template each_of_run<triangle_cell>(in.triangles"}, {tree, "memory.met(in.triangles, cell"}}},
      {naive ? "    miss: ray = along y from the next row on, at x = -1; then along z from the next plane on"
             : "    miss: ray = along y from the next row on, at x_max; then along z from the next plane on",
       {{casts, "to(state, cast::next_row"}, {casts, "to(state, cast::next_plane"}}},
      {naive ? "    hit of a marker: ray = along the row or plane that it marks, from its begin on"
             : "    hit along y or z: ray = along that row or plane from its begin on; if flipped, the bucket is known",
       {{casts, "to(state, cast::row_found"}, {casts, "to(state, cast::plane_found"}}}};
}

std::vector<source_mark> bucket_search_marks(bucket_search search) {
  if (search == bucket_search::linear)
    return {{here, "wave.memory.step(level_of(now.slot))"},
            {here, "const key_type key = cells.load_key(wave.memory, now.slot)"},
            {here, "wave.memory.saw(Cells::entries, now.slot, key)"}};
  return {{here, "wave.memory.step(level_of(slot))"},
          {here, "const key_type key = cells.load_key(wave.memory, slot)"},
          {here, "wave.memory.saw(Cells::entries, slot, key)"}};
}

}  // namespace pivotscope
