#include "core/index/ray_lookups.hpp"

#include <fmt/format.h>

#include "core/index/gpu_regions.hpp"

namespace pivotscope {
namespace {

template <class Cell>
status read_all(const stored_index& index, region_id region, std::span<Cell> out) {
  if (out.empty()) return fine();
  return index.read(region, 0, std::as_writable_bytes(out));
}

}  // namespace

outcome<std::shared_ptr<const ray_scene>> read_scene(const stored_index& index, scene_regions in,
                                                     const bounding_tree& tree, u32 wide, const key_grid& grid) {
  const u64 bytes = tree.triangles * sizeof(triangle_cell) + tree.boxes() * sizeof(box);
  return with_memory(bytes, fmt::format("a copy of {} triangles and their boxes", tree.triangles),
                     [&]() -> outcome<std::shared_ptr<const ray_scene>> {
                       auto scene = std::make_shared<ray_scene>();
                       scene->tree = tree, scene->wide = wide, scene->half = half_units::of(grid);
                       scene->triangles.resize(tree.triangles), scene->boxes.resize(tree.boxes());
                       if (status s = read_all(index, in.triangles, std::span(scene->triangles)); !s) return s.error();
                       if (status s = read_all(index, in.boxes, std::span(scene->boxes)); !s) return s.error();
                       if (const auto* on_gpu = dynamic_cast<const gpu_regions*>(&index)) {
                         scene->on_gpu.triangles = static_cast<const triangle_cell*>(on_gpu->gpu_address(in.triangles));
                         scene->on_gpu.boxes = static_cast<const box*>(on_gpu->gpu_address(in.boxes));
                       }
                       return std::shared_ptr<const ray_scene>(std::move(scene));
                     });
}

}  // namespace pivotscope
