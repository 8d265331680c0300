// Rays through a GPU's own hierarchy, by Vulkan's ray-tracing pipelines: its hardware for rays where it has any.
#pragma once

#include "core/rays/ray_tracer.hpp"
#include "core/rays/vulkan/gpu_sharer.hpp"

namespace pivotscope {

// Brings the corners of the triangles to the device and has it build its hierarchy. Problem: there is no loader, no
// driver, no device with such pipelines, or too little memory.
outcome<std::unique_ptr<ray_tracer>> make_vulkan_tracer(const std::shared_ptr<const ray_scene>& scene);

// The same in memory that the device shares with `sharer`: who writes corners and rays there, and reads hits. Where that is
// not possible they go through the host, as above, and the tracer's sharing() says why.
outcome<std::unique_ptr<ray_tracer>> make_vulkan_tracer(const std::shared_ptr<const ray_scene>& scene,
                                                        const outcome<std::shared_ptr<gpu_sharer>>& sharer);

}  // namespace pivotscope
