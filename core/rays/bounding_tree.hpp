// bounding_tree: a bounding volume hierarchy over triangles, and how a ray goes through it. It is made by passes, from
// triangles that lie in the order of the Morton curve, and has no links.
//
//   level 0       |box box  -   - |                   at most `wide` boxes: the root
//   level 1       |box box box box|box box box|       box i bounds the boxes of group i one level down
//   triangles     |t t t t|t t t t|t t t t| ... |t t| box i of the last level bounds the triangles of group i
//
// A group is `wide` neighbours. Where there are no more triangles than that, there are no boxes. A level has whole fours of
// boxes, so that a group is read by loads of 16 bytes, and begins with a sector: up to three of a level's boxes hold nothing.
//
// Invariants
// - A box is exactly the least that holds what is below it, along all three axes. Boxes may overlap; nothing is
//   assumed of them but that. Of holes alone, or of nothing, it is the empty box, which no ray meets.
// - As built, triangles lie in the order of their Morton numbers, those of one place in the order of their primitives.
// - Every ray has the direction of an axis, from less to more. All triangles that it hits then differ in that axis
//   alone, so as built they lie in the order in which the ray meets them (key_grid::morton()). So the first hit of a
//   search from left to right is the closest, and no distances are compared.
//
// A refit stores other triangles, or holes, into the cells, and bounds all groups again. The first invariant holds, the
// second does not. So after it the first hit need not be the closest: only a ray may be asked that hits no more than one
// place, or a search that looks at all hits. These need the first invariant alone: what a ray hits is in every box above
// it, so the ray meets these boxes, and a search that leaves out no box that is met comes to it.
//
// Operations
//   closest hit   from left to right: look through a group's boxes for the first that the ray meets, and go down; all of
//                 them are loaded, and then compared. Where none is met or hit, on with the deepest box that was met on
//                 the way and not gone into. All that a search keeps is its group, and a bit for each box of the groups
//                 above it: no group is read twice.
//   build, refit  a pass a level, from the triangles up: 24 / (wide - 1) bytes a triangle.
#pragma once

#include "core/rays/triangle.hpp"
#include "core/simt/lane_run.hpp"
#include "core/simt/region.hpp"
#include "core/simt/relation.hpp"
#include "core/simt/source_place.hpp"

namespace pivotscope {

inline constexpr u32 most_box_levels = 16;  // 2^31 triangles, four a group: 15
inline constexpr u32 most_wide = 8;

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

  // The same without boxes that only fill up their level.
  PIVOTSCOPE_FN u32 cells_that_hold(u32 level, u32 wide) const {
    u32 cells = triangles;
    for (u32 below = levels; below > level; --below) cells = ceil_div(cells, wide);
    return cells;
  }

  PIVOTSCOPE_FN static bounding_tree of(u32 triangles, u32 wide) {
    bounding_tree tree;
    tree.triangles = triangles;
    for (u32 cells = triangles; cells > wide; cells = cells_above(cells, wide)) ++tree.levels;
    u32 cells = triangles;
    for (u32 level = tree.levels; level-- > 0;) tree.count[level] = cells = cells_above(cells, wide);
    for (u32 level = 1; level < tree.levels; ++level) tree.first[level] = tree.first[level - 1] + tree.count[level - 1];
    return tree;
  }

 private:
  // Whole groups of four, so that each group of a level begins with a sector. Those that hold nothing are empty boxes.
  PIVOTSCOPE_FN static u32 cells_above(u32 cells, u32 wide) { return ceil_div(ceil_div(cells, wide), 4u) * 4; }
};

// A search on its way through the tree: the group that it looks through next, by its first cell, counted from the level's
// first one; and which boxes it has met on its way and not gone into yet, a bit for each box of a group, level by level from the
// root on.
struct ray_search {
  u32 level = 0, cell = 0;
  u64 left = 0, left_below = 0;  // of the levels that 64 bits have, and of those below

  // Goes down into the first of the boxes of its group that were met; the others wait. met: not 0.
  PIVOTSCOPE_FN void go_down(u32 wide, u32 met) {
    const u64 others = u64{met & (met - 1)} << level * wide % 64;
    const bool is_below = level * wide >= 64;
    left |= is_below ? 0 : others, left_below |= is_below ? others : 0;
    cell = (cell + trailing_zeros(met)) * wide, ++level;
  }
  // Goes back to the deepest box that waits, the first of those on its level, and down into it. Returns false if none
  // does.
  PIVOTSCOPE_FN bool go_back(u32 wide) {
    const bool below = wide > 4 && left_below != 0;
    const u64 bits = below ? left_below : left;
    if (bits == 0) return false;
    const u32 in_word = (63 - leading_zeros(bits)) / wide, waits_on = in_word + (below ? 64 / wide : 0),
              of_group = static_cast<u32>(bits >> in_word * wide) & ((1u << wide) - 1),
              first = trailing_zeros(of_group);
    const u64 rest = bits & ~(u64{1} << (in_word * wide + first));
    if (below)
      left_below = rest;
    else
      left = rest;
    const u32 shift = wide == 4 ? 2 : 3, group = cell >> shift * (level - waits_on) >> shift << shift;
    cell = (group + first) * wide, level = waits_on + 1;
    return true;
  }
};
static_assert(most_box_levels * 4 <= 64 && most_box_levels * most_wide <= 2 * 64);

// What came of a step of a search for the closest hit.
struct ray_step {
  enum : u8 { goes_on, hit, missed } what = goes_on;
  side met = side::none;
  triangle_cell at{};  // the triangle, of a hit
  u32 cell = 0;        // and its cell
};

// What came of a step of any search.
enum class walk_step : u8 { goes_on, stopped, ended };

// Four floats of a group of boxes, as one load brings them.
struct alignas(16) box_quad {
  float words[4];
};
inline constexpr u32 box_words = box_bytes / 4;

// Bit i tells whether `asked` meets box i of the group that begins with box `number`. All loads are under way before the first
// box is looked at, and no branch tells one box from another.
template <class Memory, class Asked>
PIVOTSCOPE_FN u32 boxes_met(Memory& memory, region_id boxes, u64 number, u32 count, u32 wide, const Asked& asked) {
  float bounds[most_wide * box_words];
  const u32 quads = wide * box_words / 4;
  memory.template each_of_run<box_quad>(boxes, number * box_words / 4, {count * box_words / 4, quads, 1}, 0,
                                        [&](u32 q, const box_quad& quad) {
                                          PIVOTSCOPE_UNROLL
                                          for (u32 w = 0; w < 4; ++w) bounds[q * 4 + w] = quad.words[w];
                                        });
  u32 met = 0;
  PIVOTSCOPE_UNROLL
  for (u32 i = 0; i < wide; ++i) {
    const float* const of = bounds + i * box_words;
    const box one = {{{of[0], of[1]}, {of[2], of[3]}, {of[4], of[5]}}};
    met |= u32{i < count && asked.meets(one)} << i;
  }
  return met;
}

// Returns one of two triangles, number by number. If a whole triangle were copied, a GPU's compiler would choose between
// their places, and keep them in a thread's local memory, as it does where the place in an array is told at run time.
PIVOTSCOPE_FN triangle_cell chosen(bool first, triangle_cell a, triangle_cell b) {
  const float x = first ? a.x : b.x, y = first ? a.y : b.y, z = first ? a.z : b.z;
  return {x, y, z, first ? a.mark : b.mark};
}

// Does a step of a search: looks through a group. `asked`: whatever meets boxes; asked.is_near(triangle) tells
// those triangles that are worth a look. In order look(cell, triangle) is called of these, and passed(cell, triangle) of the
// others; look() returns true where the search stops. The caller has begun a step of the trace, at search.level.
template <class Memory, class Asked, class Look, class Passed>
PIVOTSCOPE_FN walk_step step_through(Memory& memory, scene_regions in, const bounding_tree& tree, u32 wide,
                                     const Asked& asked, ray_search& search, Look&& look, Passed&& passed) {
  const u32 group = search.cell, cells_left = tree.cells(search.level) - group,
            count = cells_left < wide ? cells_left : wide;
  if (search.level < tree.levels) {
    const u64 number = u64{tree.first[search.level]} + group;
    const u32 met = boxes_met(memory, in.boxes, number, wide == 4 ? 4 : count, wide, asked);
    const u32 hold = tree.cells_that_hold(search.level, wide) - group;
    for (u32 i = 0; i < count && i < hold; ++i)
      memory.met(in.boxes, number + i, (met >> i & 1) != 0 ? relation::hit : relation::miss);
    memory.watch("group", group, "met", met);
    if (met != 0) {
      search.go_down(wide, met);
      return walk_step::goes_on;
    }
  } else {
    triangle_cell triangles[most_wide];
    memory.template each_of_run<triangle_cell>(in.triangles, group, {count, wide, 1}, 0,
                                               [&](u32 i, const triangle_cell& one) { triangles[i] = one; });
    const auto at = [&](u32 i) {
      triangle_cell one = triangles[0];
      PIVOTSCOPE_UNROLL
      for (u32 j = 1; j < wide; ++j) one = chosen(j == i, triangles[j], one);
      return one;
    };
    u32 near = 0;
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < wide; ++i) near |= u32{i < count && asked.is_near(triangles[i])} << i;
    u32 next = 0;
    while (true) {
      const u32 to = near == 0 ? count : trailing_zeros(near);
      for (; next < to; ++next) {
        memory.watch("cell", group + next);
        passed(group + next, at(next));
      }
      if (near == 0) break;
      memory.watch("cell", group + to);
      if (look(group + to, at(to))) return walk_step::stopped;
      near &= near - 1, next = to + 1;
    }
  }
  return search.go_back(wide) ? walk_step::goes_on : walk_step::ended;
}

// A ray that asks, and the scene's half units, which tell a triangle's box.
struct asking_ray {
  const axis_ray& ray;
  const half_units& half;

  PIVOTSCOPE_FN bool meets(const box& b) const { return ray.meets(b); }
  PIVOTSCOPE_FN bool is_near(const triangle_cell& t) const { return ray.meets(box_of(t, half)); }
};

// Does a step of a ray that looks for its closest hit.
template <class Memory>
PIVOTSCOPE_FN ray_step step_of_ray(Memory& memory, scene_regions in, const bounding_tree& tree, u32 wide,
                                   const half_units& half, const axis_ray& ray, ray_search& search) {
  ray_step seen;
  const walk_step step = step_through(
      memory, in, tree, wide, asking_ray{ray, half}, search,
      [&](u32 cell, const triangle_cell& triangle) {
        seen.met = side_met(ray, triangle, half);
        memory.met(in.triangles, cell, seen.met != side::none ? relation::hit : relation::miss);
        if (seen.met != side::none) seen.at = triangle, seen.cell = cell;
        return seen.met != side::none;
      },
      [&](u32 cell, const triangle_cell&) { memory.met(in.triangles, cell, relation::miss); });
  seen.what = step == walk_step::goes_on   ? ray_step::goes_on
              : step == walk_step::stopped ? ray_step::hit
                                           : ray_step::missed;
  return seen;
}

// Item i of the pass that bounds the groups of a level's cells: of the boxes of `level` + 1, or of the triangles.
PIVOTSCOPE_FN void bound_group(const build_view& view, scene_regions in, const bounding_tree& tree, u32 wide,
                               const half_units& half, u32 level, u32 i) {
  const u32 below = level + 1, first = i * wide, cells = tree.cells(below),
            end = first >= cells         ? first
                  : cells - first < wide ? cells
                                         : first + wide;
  const auto bounds_of = [&](u32 cell) {
    if (below != tree.levels) return view.load<box>(in.boxes, tree.first[below] + cell);
    const triangle_cell triangle = view.load<triangle_cell>(in.triangles, cell);
    return triangle.is_hole() ? empty_box() : box_of(triangle, half);
  };
  box all = empty_box();
  for (u32 cell = first; cell < end; ++cell) all.take(bounds_of(cell));
  view.store(in.boxes, tree.first[level] + i, all);
}

}  // namespace pivotscope
