// Rays on the GPU of the cuda machine: through our own boxes, or by Vulkan in memory that CUDA shares with it.
#pragma once

#include "core/rays/ray_tracer.hpp"
#include "core/rays/vulkan/gpu_sharer.hpp"

namespace pivotscope {

// Copies triangles and boxes to the device, if the scene does not lie there. Problem: this build has no CUDA, there is no device, or too little memory.
outcome<std::unique_ptr<ray_tracer>> make_cuda_tracer(const std::shared_ptr<const ray_scene>& scene);

// Returns CUDA as what writes corners and rays into a Vulkan device's memory, and reads hits there. The corners are
// written from the triangles of the index where it lies on the GPU, else from a copy. Problem: this build has no CUDA, or
// there is no device.
outcome<std::shared_ptr<gpu_sharer>> make_cuda_sharer();

}  // namespace pivotscope
