// Rays through our own boxes on the GPU of the cuda machine.
#pragma once

#include "core/rays/ray_tracer.hpp"

namespace pivotscope {

// Copies triangles and boxes to the device. Problem: this build has no CUDA, there is no device, or too little memory.
outcome<std::unique_ptr<ray_tracer>> make_cuda_tracer(const std::shared_ptr<const ray_scene>& scene);

}  // namespace pivotscope
