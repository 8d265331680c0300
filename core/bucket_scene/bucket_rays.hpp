// Lookups over buckets as rays, for whatever traces rays.
#pragma once

#include "core/bucket_scene/scene.hpp"
#include "core/index/ray_lookups.hpp"

namespace pivotscope {

// Up to five rays a lookup, by caster (casts.hpp). A key up to the least representative casts none, nor does one above the
// greatest key.
outcome<std::unique_ptr<ray_lookups>> rays_to_buckets(const stored_index& index, scene_regions in,
                                                      const bucket_scene& scene, scene_form form, u32 wide,
                                                      const key_array& asked);

}  // namespace pivotscope
