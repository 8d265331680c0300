// The programs that trace rays, as SPIR-V: glslang compiles them from shaders/ when pivotscope is built.
#pragma once

#include <span>

#include "core/common/portable.hpp"

namespace pivotscope {

struct vulkan_shader {
  const char* name;  // "rays.rgen"
  std::span<const u32> words;
};

// In the order of their groups in the pipeline.
struct vulkan_shaders {
  vulkan_shader generation, miss, closest_hit;
};
const vulkan_shaders& ray_shaders();

}  // namespace pivotscope
