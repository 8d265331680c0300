// A Vulkan device that traces rays, and a queue of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/common/portable.hpp"
#include "core/rays/vulkan/gpu_sharer.hpp"
#include "core/rays/vulkan/vulkan_calls.hpp"

namespace pivotscope {

// What commands wait for and what they tell: a timeline semaphore's numbers. No semaphore: nothing.
struct vulkan_order {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  u64 after = 0, then = 0;
};

class vulkan_device {
 public:
  // Opens the first device with ray-tracing pipelines: that of `rather` before all others, and a GPU before a program that
  // stands in for one. Problem: no loader, no driver, or what each device lacks.
  static outcome<std::shared_ptr<const vulkan_device>> open(const char* loader = "libvulkan.so.1",
                                                            const std::optional<gpu_uuid>& rather = {});
  // Looks for such a device without opening one. Problem: there is none here, as above.
  static status is_here(const char* loader = "libvulkan.so.1");
  ~vulkan_device();
  vulkan_device(const vulkan_device&) = delete;
  vulkan_device& operator=(const vulkan_device&) = delete;

  const vulkan_calls& calls() const { return calls_; }
  VkPhysicalDevice physical() const { return physical_; }
  VkDevice get() const { return device_; }
  u32 queue_family() const { return family_; }
  const gpu_uuid& uuid() const { return uuid_; }
  const std::string& name() const { return name_; }  // "NVIDIA H200"
  const VkPhysicalDeviceLimits& limits() const { return limits_; }
  const VkPhysicalDeviceAccelerationStructurePropertiesKHR& scene_limits() const { return scene_limits_; }
  const VkPhysicalDeviceRayTracingPipelinePropertiesKHR& pipeline_limits() const { return pipeline_limits_; }
  // Returns a type of memory with these properties among those of `types`. Problem: there is none.
  outcome<u32> memory_type(u32 types, VkMemoryPropertyFlags wanted, std::string_view what) const;

  // Does the commands that `record` puts down, in that order of a semaphore, and waits for their end. Returns their time
  // by the device's clock, in milliseconds; by the host's, if the device has none. Problem: `doing` failed.
  outcome<double> run(std::string_view doing, const std::function<void(VkCommandBuffer)>& record,
                      const vulkan_order& order = {}) const;

 private:
  vulkan_device() = default;
  status choose_device(const std::optional<gpu_uuid>& rather);
  status make_device();
  status make_queue();
  status submit(std::string_view doing, const vulkan_order& order) const;

  // What a device lacks; empty: nothing.
  std::string lack_of(VkPhysicalDevice device) const;
  // A queue for compute; its family's number. Some device lists none.
  std::optional<u32> queue_family_of(VkPhysicalDevice device) const;

  vulkan_calls calls_;
  VkInstance instance_ = VK_NULL_HANDLE;  // the process's
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  std::string name_;
  gpu_uuid uuid_ = {};
  VkPhysicalDeviceLimits limits_ = {};
  VkPhysicalDeviceAccelerationStructurePropertiesKHR scene_limits_ = {};
  VkPhysicalDeviceRayTracingPipelinePropertiesKHR pipeline_limits_ = {};
  VkPhysicalDeviceMemoryProperties memory_ = {};
  u32 family_ = 0, timestamp_bits_ = 0;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkFence done_ = VK_NULL_HANDLE;
  VkQueryPool clock_ = VK_NULL_HANDLE;  // two timestamps
};

}  // namespace pivotscope
