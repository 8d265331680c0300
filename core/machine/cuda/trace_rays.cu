#include <cstring>

#include "core/machine/cuda/trace_rays.hpp"

namespace pivotscope {
namespace {

constexpr u32 ray_threads = 256;                              // of a block
constexpr scene_regions regions{region_id{0}, region_id{1}};  // as scene_memory tells them apart

// What a step of a ray asks of memory. Nothing of a trace is written down here.
class scene_memory {
 public:
  PIVOTSCOPE_FN explicit scene_memory(const ray_work& work) : work_(work) {}

  // By the read-only path, in loads of 16 bytes, all of them before the first is looked at.
  template <class Cell, class F>
  PIVOTSCOPE_FN void each_of_run(region_id region, u64 first, node_run run, u32 lane, F&& f) const {
    PIVOTSCOPE_UNROLL
    for (u32 i = 0; i < run.per_lane; ++i)
      if (i < run.live(lane)) f(i, load<Cell>(region, first + run.offset(lane) + i));
  }
  PIVOTSCOPE_FN static void met(region_id, u64, relation) {}
  template <class... Values>
  PIVOTSCOPE_FN static void watch(Values...) {}

 private:
  template <class Cell>
  PIVOTSCOPE_FN Cell load(region_id region, u64 cell) const {
    using words = float4;
    static_assert(sizeof(Cell) == sizeof(words));
    const void* const begin =
        region == regions.triangles ? static_cast<const void*>(work_.triangles) : static_cast<const void*>(work_.boxes);
    Cell loaded;
#if defined(__CUDA_ARCH__)
    const words all = __ldg(static_cast<const words*>(begin) + cell);
    memcpy(&loaded, &all, sizeof(loaded));
#else
    memcpy(&loaded, static_cast<const words*>(begin) + cell, sizeof(loaded));  // never called there
#endif
    return loaded;
  }

  const ray_work& work_;
};

// `Wide` is known to the compiler, as in the kernels of lookups.
template <u32 Wide>
__global__ void rays_kernel(const __grid_constant__ ray_work work) {
  const u64 i = static_cast<u64>(blockIdx.x) * ray_threads + threadIdx.x;
  if (i >= work.count) return;
  scene_memory memory(work);
  const axis_ray ray = work.rays[i];
  ray_search search;
  ray_step step;
  do {
    step = step_of_ray(memory, regions, work.tree, Wide, work.half, ray, search);
  } while (step.what == ray_step::goes_on);
  work.hits[i] = step.what == ray_step::hit ? ray_hit::of(step.cell, step.met) : ray_hit{};
}

__global__ void corners_kernel(const triangle_cell* triangles, u64 count, half_units half, float* corners) {
  const u64 i = static_cast<u64>(blockIdx.x) * ray_threads + threadIdx.x;
  if (i < count) write_corners(triangles[i], half, corners + i * corner_floats);
}

}  // namespace

cudaError_t queue_rays(const ray_work& work, u32 wide, cudaStream_t stream) {
  if (work.count == 0) return cudaSuccess;
  const u32 blocks = static_cast<u32>(ceil_div<u64>(work.count, ray_threads));
  if (wide == 8)
    rays_kernel<8><<<blocks, ray_threads, 0, stream>>>(work);
  else
    rays_kernel<4><<<blocks, ray_threads, 0, stream>>>(work);
  return cudaGetLastError();
}

cudaError_t queue_corners(const triangle_cell* triangles, u64 count, const half_units& half, float* corners,
                          cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  corners_kernel<<<static_cast<u32>(ceil_div<u64>(count, ray_threads)), ray_threads, 0, stream>>>(triangles, count,
                                                                                                  half, corners);
  return cudaGetLastError();
}

}  // namespace pivotscope
