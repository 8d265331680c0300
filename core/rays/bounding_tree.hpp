// bounding_tree: a bounding volume hierarchy over triangles, and how a ray goes through it. It is made by passes, from
// triangles that lie in the order of the Morton curve, and has no links.
//
//   level 0       |box box |                          at most `wide` boxes: the root
//   level 1       |box box box box|box box box|       box i bounds the boxes of group i one level down
//   triangles     |t t t t|t t t t|t t t t| ... |t t| box i of the last level bounds the triangles of group i
//
// A group is `wide` neighbours. Where there are no more triangles than that, there are no boxes.
//
// Invariants
// - A box is exactly the least that holds what is below it, along all three axes. Boxes may overlap; nothing is
//   assumed of them but that.
// - Triangles lie in the order of their Morton numbers, those of one place in the order of their primitives.
// - Every ray has the direction of an axis, from less to more. All triangles that it hits then differ in that axis
//   alone, so they lie in the order in which the ray meets them (key_grid::morton()). So the first hit of a search
//   from left to right is the closest, and no distances are compared.
//
// Operations
//   closest hit   from left to right: look through a group's boxes for the first that the ray meets, and go down; where
//                 none is met, on from the box behind the group's own, one level up. All that a search keeps is the
//                 level and the next cell there: no stack. Boxes of a group are read again where what was below came
//                 to nothing.
//   build         a pass a level, from the triangles up: 24 / (wide - 1) bytes a triangle.
#pragma once

#include "core/rays/triangle.hpp"
#include "core/simt/region.hpp"
#include "core/simt/relation.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

inline constexpr u32 most_box_levels = 16;  // 2^31 triangles, four a group: 15

// The regions of an index that hold its triangles and boxes.
struct scene_regions {
  region_id triangles, boxes;
};

// The shape of a tree. Boxes lie level by level, from the root.
struct bounding_tree {
  u32 triangles = 0;
  u32 levels = 0;                   // of boxes
  u32 first[most_box_levels] = {};  // box
  u32 count[most_box_levels] = {};  // boxes

  PIVOTSCOPE_FN u32 boxes() const { return levels == 0 ? 0 : first[levels - 1] + count[levels - 1]; }
  // Returns how many cells a level has; of level `levels` these are the triangles.
  PIVOTSCOPE_FN u32 cells(u32 level) const { return level < levels ? count[level] : triangles; }

  PIVOTSCOPE_FN static bounding_tree of(u32 triangles, u32 wide) {
    bounding_tree tree;
    tree.triangles = triangles;
    for (u32 cells = triangles; cells > wide; cells = ceil_div(cells, wide)) ++tree.levels;
    u32 cells = triangles;
    for (u32 level = tree.levels; level-- > 0;) tree.count[level] = cells = ceil_div(cells, wide);
    for (u32 level = 1; level < tree.levels; ++level) tree.first[level] = tree.first[level - 1] + tree.count[level - 1];
    return tree;
  }
};

// A ray on its way through the tree: where it looks next. `cell` is counted from the level's first one.
struct ray_search {
  u32 level = 0, cell = 0;
};

// What came of a step of a search for the closest hit.
struct ray_step {
  enum : u8 { goes_on, hit, missed } what = goes_on;
  side met = side::none;
  triangle_cell at{};  // the triangle, of a hit
  u32 cell = 0;        // and its cell
};

// What came of a step of any search.
enum class walk_step : u8 { goes_on, stopped, ended };

// Goes on behind the group of `cell`, on the level above; or higher up, if that group ends there. Returns false at
// the end.
PIVOTSCOPE_FN bool go_up(const bounding_tree& tree, u32 wide, ray_search& search, u32 cell) {
  while (search.level > 0) {
    --search.level;
    const u32 behind = cell / wide + 1;
    if (behind % wide != 0 && behind < tree.count[search.level]) {
      search.cell = behind;
      return true;
    }
    cell = behind - 1;
  }
  return false;
}

// Does a step of a search: looks through what is left of a group. `asked`: whatever meets boxes. look(cell, triangle)
// returns true where the search stops. The caller has begun a step of the trace, at search.level.
template <class Memory, class Asked, class Look>
PIVOTSCOPE_FN walk_step step_through(Memory& memory, scene_regions in, const bounding_tree& tree, u32 wide,
                                     const Asked& asked, ray_search& search, Look&& look) {
  const u32 group = search.cell / wide * wide, cells = tree.cells(search.level),
            end = cells - group < wide ? cells : group + wide;
  const bool among_boxes = search.level < tree.levels;
  for (u32 cell = search.cell; cell < end; ++cell) {
    if (among_boxes) {
      const u64 number = tree.first[search.level] + cell;
      box bounds;
      PIVOTSCOPE_UNROLL
      for (u32 a = 0; a < box_axes; ++a) bounds.axes[a] = memory.template load<extent>(in.boxes, number * box_axes + a);
      const bool met = asked.meets(bounds);
      memory.met(in.boxes, number, met ? relation::hit : relation::miss);
      memory.watch("cell", cell, "met", met);
      if (met) {
        ++search.level, search.cell = cell * wide;
        return walk_step::goes_on;
      }
    } else {
      const triangle_cell triangle = memory.template load<triangle_cell>(in.triangles, cell);
      memory.watch("cell", cell);
      if (look(cell, triangle)) return walk_step::stopped;
    }
  }
  return go_up(tree, wide, search, group) ? walk_step::goes_on : walk_step::ended;
}

// Does a step of a ray that looks for its closest hit.
template <class Memory>
PIVOTSCOPE_FN ray_step step_of_ray(Memory& memory, scene_regions in, const bounding_tree& tree, u32 wide,
                                   const half_units& half, const axis_ray& ray, ray_search& search) {
  ray_step seen;
  const walk_step step =
      step_through(memory, in, tree, wide, ray, search, [&](u32 cell, const triangle_cell& triangle) {
        seen.met = side_met(ray, triangle, half);
        memory.met(in.triangles, cell, seen.met != side::none ? relation::hit : relation::miss);
        if (seen.met != side::none) seen.at = triangle, seen.cell = cell;
        return seen.met != side::none;
      });
  seen.what = step == walk_step::goes_on   ? ray_step::goes_on
              : step == walk_step::stopped ? ray_step::hit
                                           : ray_step::missed;
  return seen;
}

// Item i of the pass that bounds the groups of a level's cells: of the boxes of `level` + 1, or of the triangles.
PIVOTSCOPE_FN void bound_group(const build_view& view, scene_regions in, const bounding_tree& tree, u32 wide,
                               const half_units& half, u32 level, u32 i) {
  const u32 below = level + 1, first = i * wide, cells = tree.cells(below),
            end = cells - first < wide ? cells : first + wide;
  const auto bounds_of = [&](u32 cell) {
    if (below == tree.levels) return box_of(view.load<triangle_cell>(in.triangles, cell), half);
    return view.load<box>(in.boxes, tree.first[below] + cell);
  };
  box all = bounds_of(first);
  for (u32 cell = first + 1; cell < end; ++cell) all.take(bounds_of(cell));
  view.store(in.boxes, tree.first[level] + i, all);
}

}  // namespace pivotscope
