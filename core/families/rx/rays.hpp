// The lookups of RX as rays for whatever traces rays (core/index/ray_lookups.hpp).
#pragma once

#include "core/index/ray_lookups.hpp"

namespace pivotscope {

outcome<std::unique_ptr<ray_lookups>> rx_rays_of(const stored_index& index, const key_array& asked);

}  // namespace pivotscope
