#include "core/rays/vulkan/vulkan_shaders.hpp"

#include <cstdint>

// Made by core/CMakeLists.txt.
#include "rays_rchit.h"
#include "rays_rgen.h"
#include "rays_rmiss.h"

namespace pivotscope {

const vulkan_shaders& ray_shaders() {
  static const vulkan_shaders all = {{"rays.rgen", rays_rgen}, {"rays.rmiss", rays_rmiss}, {"rays.rchit", rays_rchit}};
  return all;
}

}  // namespace pivotscope
