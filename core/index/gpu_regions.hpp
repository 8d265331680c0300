// gpu_regions: what an index is as well if a GPU has its regions: CUDA's is, those of the host are not.
#pragma once

#include "core/simt/region.hpp"

namespace pivotscope {

class gpu_regions {
 public:
  virtual ~gpu_regions() = default;
  // Where the GPU has a region, as long as the index is there; null for one without cells.
  virtual const void* gpu_address(region_id region) const = 0;
};

}  // namespace pivotscope
