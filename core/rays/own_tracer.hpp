// Rays through our own boxes, on all threads of the CPU: a search as lookups do it (bounding_tree.hpp), one ray after
// another in each thread.
#pragma once

#include "core/rays/ray_tracer.hpp"

namespace pivotscope {

// Returns what one ray hits first.
ray_hit closest_hit(const ray_scene& scene, const axis_ray& ray);

outcome<std::unique_ptr<ray_tracer>> make_own_tracer(const std::shared_ptr<const ray_scene>& scene);

}  // namespace pivotscope
