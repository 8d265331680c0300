// What an RX index is made of, as its searches and its passes know it: triangles and boxes, and the state that leads
// through them.
#pragma once

#include "core/families/rx/config.hpp"
#include "core/rays/bounding_tree.hpp"

namespace pivotscope {

// What a search finds its way by, and a build.
struct rx_view {
  u64 greatest = 0;  // no key is greater; as built it is a key
  key_grid grid = {};
  bounding_tree tree = {};  // over all cells, holes too
  u32 bounded_level = 0;    // of a pass that bounds groups
  u32 holes = 0;            // cells whose triangles were erased
  bool refitted = false;    // triangles are in no order since

  PIVOTSCOPE_FN u32 entries() const { return tree.triangles - holes; }
};

inline constexpr scene_regions rx_scene{region_id{0}, region_id{1}};

// Beside the regions while the scene is built: each triangle's Morton number, and its row id. Until it is numbered, an
// entry of a rebuild has its key there.
inline constexpr array_id rx_codes{2}, rx_rows{3};

// Returns the key whose place the triangle has, which is no hole.
PIVOTSCOPE_FN u64 rx_key_at(const key_grid& grid, const triangle_cell& triangle) {
  return grid.key_of({static_cast<int>(triangle.x), static_cast<int>(triangle.y / grid.y_unit()),
                      static_cast<int>(triangle.z / grid.z_unit())});
}

}  // namespace pivotscope
