// Rays through a GPU's own hierarchy, by Vulkan's ray-tracing pipelines: its hardware for rays where it has any.
#pragma once

#include "core/rays/ray_tracer.hpp"

namespace pivotscope {

// Brings the corners of the triangles to the device and has it build its hierarchy. Problem: there is no loader, no
// driver, no device with such pipelines, or too little memory.
outcome<std::unique_ptr<ray_tracer>> make_vulkan_tracer(const std::shared_ptr<const ray_scene>& scene);

}  // namespace pivotscope
