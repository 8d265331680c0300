#include "core/rays/vulkan/vulkan_calls.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace pivotscope {
namespace {

problem missing_function(const char* name) {
  return problem{fmt::format("Vulkan has no function {}: its loader or driver is older than Vulkan 1.2", name)};
}

std::string_view name_of(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
      return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED:
      return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
      return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT:
      return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "VK_ERROR_INCOMPATIBLE_DRIVER";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "VK_ERROR_TOO_MANY_OBJECTS";
    default:
      return "error";
  }
}

std::string_view advice_for(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "; take fewer keys, or larger buckets";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return ": no driver is installed; a GPU's own, or on Debian mesa-vulkan-drivers";
    case VK_ERROR_LAYER_NOT_PRESENT:
      return ": $VK_INSTANCE_LAYERS names a layer that is not installed";
    default:
      return "";
  }
}

}  // namespace

std::string words_of(VkResult result) { return fmt::format("{} ({})", name_of(result), static_cast<int>(result)); }

status checked(VkResult result, std::string_view doing) {
  if (result == VK_SUCCESS) return fine();
  return problem{fmt::format("Vulkan failed at {}: {}{}", doing, words_of(result), advice_for(result))};
}

outcome<vulkan_calls> load_vulkan(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);  // stays: drivers have threads of their own
  if (library == nullptr) {
    const char* const why = dlerror();
    return problem{fmt::format("Vulkan's loader cannot be loaded: {}; on Debian: apt-get install libvulkan1",
                               why == nullptr ? file : why)};
  }
  vulkan_calls calls;
  calls.vkGetInstanceProcAddr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (calls.vkGetInstanceProcAddr == nullptr)
    return problem{fmt::format("{} is not Vulkan's loader: it has no function vkGetInstanceProcAddr", file)};
#define PIVOTSCOPE_VULKAN_FIND(name)                                                             \
  calls.name = reinterpret_cast<PFN_##name>(calls.vkGetInstanceProcAddr(VK_NULL_HANDLE, #name)); \
  if (calls.name == nullptr) return missing_function(#name);
  PIVOTSCOPE_VULKAN_OF_LOADER(PIVOTSCOPE_VULKAN_FIND)
#undef PIVOTSCOPE_VULKAN_FIND
  return calls;
}

status vulkan_calls::find_for(VkInstance instance) {
#define PIVOTSCOPE_VULKAN_FIND(name)                                           \
  name = reinterpret_cast<PFN_##name>(vkGetInstanceProcAddr(instance, #name)); \
  if (name == nullptr) return missing_function(#name);
  PIVOTSCOPE_VULKAN_OF_INSTANCE(PIVOTSCOPE_VULKAN_FIND)
#undef PIVOTSCOPE_VULKAN_FIND
  return fine();
}

status vulkan_calls::find_for(VkDevice device) {
#define PIVOTSCOPE_VULKAN_FIND(name)                                       \
  name = reinterpret_cast<PFN_##name>(vkGetDeviceProcAddr(device, #name)); \
  if (name == nullptr) return missing_function(#name);
  PIVOTSCOPE_VULKAN_OF_DEVICE(PIVOTSCOPE_VULKAN_FIND)
#undef PIVOTSCOPE_VULKAN_FIND
#define PIVOTSCOPE_VULKAN_FIND(name) name = reinterpret_cast<PFN_##name>(vkGetDeviceProcAddr(device, #name));
  PIVOTSCOPE_VULKAN_TO_SHARE(PIVOTSCOPE_VULKAN_FIND)
#undef PIVOTSCOPE_VULKAN_FIND
  return fine();
}

}  // namespace pivotscope
