#include "core/index/ray_lookups.hpp"

namespace pivotscope {

outcome<std::shared_ptr<const ray_scene>> read_scene(const stored_index& index, scene_regions in,
                                                     const bounding_tree& tree, u32 wide, const key_grid& grid) {
  auto scene = std::make_shared<ray_scene>();
  scene->tree = tree, scene->wide = wide, scene->half = half_units::of(grid);
  scene->triangles.resize(tree.triangles), scene->boxes.resize(tree.boxes());
  if (!scene->triangles.empty()) {
    if (status s = index.read(in.triangles, 0, std::as_writable_bytes(std::span(scene->triangles))); !s)
      return s.error();
  }
  if (!scene->boxes.empty()) {
    if (status s = index.read(in.boxes, 0, std::as_writable_bytes(std::span(scene->boxes))); !s) return s.error();
  }
  return std::shared_ptr<const ray_scene>(std::move(scene));
}

}  // namespace pivotscope
