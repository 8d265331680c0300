#include "core/families/rx/pseudo_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/rx/rx.hpp", tree = "core/rays/bounding_tree.hpp";

pseudo_code find_code() {
  return {{"find(key):"},
          {"  ray = along x, from half a unit before the key's place to half a unit behind it",
           {{here, "cast_ray{ray_to(here.grid, half, key)"}},
           pseudo_when::begins},
          {"  from the root on, until there is a hit or nothing is left:",
           {{here, "wave.memory.step(now.search.level)"},
            {here, "wave.memory, scene, here.tree, config.value.wide, asking_ray"}}},
          {"    look through the boxes for one that the ray meets: go down, or back up",
           {{tree, "memory.template each_of_run<box_quad>(boxes"}, {tree, "memory.met(in.boxes, number"}}},
          {"    look through the triangles for one that the ray hits",
           {{tree, "memory.template each_of_run<triangle_cell>(in.triangles"},
            {here, "memory.met(scene.triangles, cell"},
            {here, "memory.saw(scene.triangles, cell"}}},
          {"  if there is a hit: return its row id", {{here, "if (hit) now.row = triangle.mark"}}, pseudo_when::found},
          {"  else: return none", {{here, "auto rows = wave.to_keep(not_found)"}}, pseudo_when::absent}};
}

pseudo_code range_code() {
  return {
      {"range(low, high):"},
      {"  for each beam of rays: the rest of the first row, rows, planes, rows, the last row up to high",
       {{here, "beam_number(here.grid, low, end, number)"}}},
      {"    from the root on, until nothing is left:",
       {{here, "memory.step(search.level)"}, {here, "memory, scene, here.tree, config.value.wide, asked.rays"}}},
      {"      look through the boxes for one that the beam meets: go down, or back up",
       {{tree, "memory.template each_of_run<box_quad>(boxes"}, {tree, "memory.met(in.boxes, number"}}},
      {"      look through the triangles",
       {{tree, "memory.template each_of_run<triangle_cell>(in.triangles"},
        {here, "memory.met(scene.triangles, cell"},
        {here, "memory.saw(scene.triangles, cell"}}},
      {"      those that it hits: count = count + 1, sum = sum + row id", {{here, "answer.row_sum += triangle.mark"}}},
      {"  return count, sum", {{here, "return answer;"}}, pseudo_when::ends}};
}

}  // namespace

pseudo_code rx_pseudo_code(operation kind) { return kind == operation::range ? range_code() : find_code(); }

}  // namespace pivotscope
