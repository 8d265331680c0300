// Vulkan's functions, found in the system's loader when a tracer is first made. The program is not linked with it: it
// starts on computers that have none.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <string>
#include <string_view>

#include "core/common/outcome.hpp"

namespace pivotscope {

// Each function that is called, once, by where it is asked for.
#define PIVOTSCOPE_VULKAN_OF_LOADER(X) \
  X(vkEnumerateInstanceVersion)        \
  X(vkCreateInstance)

#define PIVOTSCOPE_VULKAN_OF_INSTANCE(X)            \
  X(vkDestroyInstance)                              \
  X(vkEnumeratePhysicalDevices)                     \
  X(vkEnumerateDeviceExtensionProperties)           \
  X(vkGetPhysicalDeviceProperties2)                 \
  X(vkGetPhysicalDeviceFeatures2)                   \
  X(vkGetPhysicalDeviceMemoryProperties)            \
  X(vkGetPhysicalDeviceQueueFamilyProperties)       \
  X(vkGetPhysicalDeviceExternalBufferProperties)    \
  X(vkGetPhysicalDeviceExternalSemaphoreProperties) \
  X(vkCreateDevice)                                 \
  X(vkGetDeviceProcAddr)

#define PIVOTSCOPE_VULKAN_OF_DEVICE(X)             \
  X(vkDestroyDevice)                               \
  X(vkDeviceWaitIdle)                              \
  X(vkGetDeviceQueue)                              \
  X(vkQueueSubmit)                                 \
  X(vkCreateFence)                                 \
  X(vkDestroyFence)                                \
  X(vkWaitForFences)                               \
  X(vkResetFences)                                 \
  X(vkCreateSemaphore)                             \
  X(vkDestroySemaphore)                            \
  X(vkCreateCommandPool)                           \
  X(vkDestroyCommandPool)                          \
  X(vkAllocateCommandBuffers)                      \
  X(vkBeginCommandBuffer)                          \
  X(vkEndCommandBuffer)                            \
  X(vkResetCommandBuffer)                          \
  X(vkCmdPipelineBarrier)                          \
  X(vkCmdCopyBuffer)                               \
  X(vkCmdResetQueryPool)                           \
  X(vkCmdWriteTimestamp)                           \
  X(vkCreateQueryPool)                             \
  X(vkDestroyQueryPool)                            \
  X(vkGetQueryPoolResults)                         \
  X(vkCreateBuffer)                                \
  X(vkDestroyBuffer)                               \
  X(vkGetBufferMemoryRequirements2)                \
  X(vkGetBufferDeviceAddress)                      \
  X(vkAllocateMemory)                              \
  X(vkFreeMemory)                                  \
  X(vkBindBufferMemory)                            \
  X(vkMapMemory)                                   \
  X(vkCreateShaderModule)                          \
  X(vkDestroyShaderModule)                         \
  X(vkCreateDescriptorSetLayout)                   \
  X(vkDestroyDescriptorSetLayout)                  \
  X(vkCreateDescriptorPool)                        \
  X(vkDestroyDescriptorPool)                       \
  X(vkAllocateDescriptorSets)                      \
  X(vkUpdateDescriptorSets)                        \
  X(vkCreatePipelineLayout)                        \
  X(vkDestroyPipelineLayout)                       \
  X(vkDestroyPipeline)                             \
  X(vkCmdBindPipeline)                             \
  X(vkCmdBindDescriptorSets)                       \
  X(vkCmdPushConstants)                            \
  X(vkCreateAccelerationStructureKHR)              \
  X(vkDestroyAccelerationStructureKHR)             \
  X(vkGetAccelerationStructureBuildSizesKHR)       \
  X(vkGetAccelerationStructureDeviceAddressKHR)    \
  X(vkCmdWriteAccelerationStructuresPropertiesKHR) \
  X(vkCmdCopyAccelerationStructureKHR)             \
  X(vkCmdBuildAccelerationStructuresKHR)           \
  X(vkCreateRayTracingPipelinesKHR)                \
  X(vkGetRayTracingShaderGroupHandlesKHR)          \
  X(vkCmdTraceRaysKHR)

// Of extensions that not every device has: null where they are not switched on.
#define PIVOTSCOPE_VULKAN_TO_SHARE(X) \
  X(vkGetMemoryFdKHR)                 \
  X(vkGetSemaphoreFdKHR)

struct vulkan_calls {
#define PIVOTSCOPE_VULKAN_MEMBER(name) PFN_##name name = nullptr;
  PIVOTSCOPE_VULKAN_OF_LOADER(PIVOTSCOPE_VULKAN_MEMBER)
  PIVOTSCOPE_VULKAN_OF_INSTANCE(PIVOTSCOPE_VULKAN_MEMBER)
  PIVOTSCOPE_VULKAN_OF_DEVICE(PIVOTSCOPE_VULKAN_MEMBER)
  PIVOTSCOPE_VULKAN_TO_SHARE(PIVOTSCOPE_VULKAN_MEMBER)
#undef PIVOTSCOPE_VULKAN_MEMBER
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;

  // Finds the functions of an instance, and then of a device. Problem: one is missing.
  status find_for(VkInstance instance);
  status find_for(VkDevice device);
};

// Loads the loader and finds what is asked of it before there is an instance. Problem: it is not here.
outcome<vulkan_calls> load_vulkan(const char* file = "libvulkan.so.1");

// Returns one of Vulkan's structs: it says what it is, what follows it, and nothing else yet.
template <class Info>
Info info_of(VkStructureType type, void* next = nullptr) {
  Info info{};
  info.sType = type, info.pNext = next;
  return info;
}

// "VK_ERROR_DEVICE_LOST (-4)"
std::string words_of(VkResult result);
// Problem: "Vulkan failed at tracing rays: VK_ERROR_DEVICE_LOST (-4): ...", with what to do where one can do something.
status checked(VkResult result, std::string_view doing);

}  // namespace pivotscope
