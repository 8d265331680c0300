// The kernels that trace rays through our own boxes, and that write the corners of triangles for others.
#pragma once

#include <driver_types.h>

#include "core/rays/bounding_tree.hpp"
#include "core/rays/ray_hit.hpp"
#include "core/rays/ray_scene.hpp"

namespace pivotscope {

struct ray_work {
  const triangle_cell* triangles;
  const box* boxes;
  bounding_tree tree;
  half_units half;
  const axis_ray* rays;
  ray_hit* hits;
  u64 count;
};

// A thread a ray. `wide` is 4 or 8, as boxes are built.
cudaError_t queue_rays(const ray_work& work, u32 wide, cudaStream_t stream);

// A thread a triangle writes its `corner_floats`.
cudaError_t queue_corners(const triangle_cell* triangles, u64 count, const half_units& half, float* corners,
                          cudaStream_t stream);

}  // namespace pivotscope
