// The GPU that the CUDA machine uses, or in words why there is none.
#pragma once

#include <string>

#include "core/common/outcome.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {

struct cuda_device {
  int ordinal = 0;
  machine_info info;  // all but `detail`
  u32 threads_a_processor = 0;
  u32 shared_bytes_a_block = 0;  // at most, when a kernel asks for it
  int driver_version = 0;        // 13000 for CUDA 13.0
  int runtime_version = 0;
};

// The first device that CUDA lists; CUDA_VISIBLE_DEVICES chooses another. Makes no context. Problem: no driver, a
// driver that is too old, no device, a device that is too old.
outcome<cuda_device> find_cuda_device();

std::string cuda_version_text(int version);  // 13000: "13.0"

}  // namespace pivotscope
