// The ray-tracing pipeline: programs for a ray's begin, its closest hit and its miss, and the table by which a device
// finds them.
#pragma once

#include <memory>

#include "core/rays/vulkan/vulkan_buffer.hpp"

namespace pivotscope {

class vulkan_pipeline {
 public:
  // Problem: the device takes no such programs.
  static outcome<std::unique_ptr<vulkan_pipeline>> make(std::shared_ptr<const vulkan_device> device);
  ~vulkan_pipeline();
  vulkan_pipeline(const vulkan_pipeline&) = delete;
  vulkan_pipeline& operator=(const vulkan_pipeline&) = delete;

  // Says through what rays go, where they are, and where their hits go. Not while rays are traced.
  void bind(VkAccelerationStructureKHR scene, const vulkan_buffer& rays, const vulkan_buffer& hits) const;
  // Puts down that rays [0, count) are traced.
  void record(VkCommandBuffer commands, u32 count) const;

 private:
  explicit vulkan_pipeline(std::shared_ptr<const vulkan_device> device) : device_(std::move(device)) {}
  status make_layouts();
  status make_set();
  status make_pipeline();
  status make_table();

  std::shared_ptr<const vulkan_device> device_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  vulkan_buffer table_;
  VkStridedDeviceAddressRegionKHR generation_ = {}, miss_ = {}, hit_ = {};
};

}  // namespace pivotscope
