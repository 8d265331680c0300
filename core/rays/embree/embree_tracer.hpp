// Rays through Intel's Embree on all threads of the CPU: a hierarchy and a search of their own, over triangles of three
// corners. Tests have it as a second oracle, `pivotscope rays` as one of three columns.
#pragma once

#include "core/rays/ray_tracer.hpp"

namespace pivotscope {

// Builds Embree's hierarchy, in its robust mode. Problem: the library is not on this computer, it is out of memory, or
// the scene reaches beyond what it takes.
outcome<std::unique_ptr<ray_tracer>> make_embree_tracer(const std::shared_ptr<const ray_scene>& scene);

namespace detail {
// Problem: so many triangles have more corners than Embree has numbers for.
status check_embree_takes(u64 triangles);
}  // namespace detail

}  // namespace pivotscope
