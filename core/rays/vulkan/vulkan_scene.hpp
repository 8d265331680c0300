// The triangles of a scene as Vulkan's acceleration structures: one of the triangles, and one above it with that one in
// it, as rays want it.
#pragma once

#include <memory>

#include "core/rays/ray_scene.hpp"
#include "core/rays/vulkan/ray_carrier.hpp"

namespace pivotscope {

// An acceleration structure and its memory.
class vulkan_hierarchy {
 public:
  vulkan_hierarchy() = default;
  vulkan_hierarchy(vulkan_hierarchy&& other) noexcept { swap(other); }
  vulkan_hierarchy& operator=(vulkan_hierarchy&& other) noexcept {
    swap(other);
    return *this;
  }
  ~vulkan_hierarchy();

  // Builds it of one geometry with so many primitives, and adds the device's time to `build_ms`. Problem: memory.
  static outcome<vulkan_hierarchy> build(const std::shared_ptr<const vulkan_device>& device,
                                         VkAccelerationStructureTypeKHR type,
                                         const VkAccelerationStructureGeometryKHR& geometry, u32 primitives,
                                         double& build_ms);

  // Returns the same in as many bytes as it needs, where a build had to take as many as it might have needed. Of a
  // hierarchy of triangles. Adds the device's time to `build_ms`. Problem: memory.
  outcome<vulkan_hierarchy> compacted(double& build_ms) const;

  VkAccelerationStructureKHR get() const { return hierarchy_; }
  VkDeviceAddress address() const { return address_; }
  u64 bytes() const { return memory_.bytes(); }

 private:
  // One of that size, with nothing in it yet.
  static outcome<vulkan_hierarchy> make(const std::shared_ptr<const vulkan_device>& device,
                                        VkAccelerationStructureTypeKHR type, u64 bytes);
  outcome<u64> compacted_bytes(double& build_ms) const;

  void swap(vulkan_hierarchy& other) {
    std::swap(device_, other.device_), std::swap(memory_, other.memory_);
    std::swap(hierarchy_, other.hierarchy_), std::swap(address_, other.address_);
  }

  std::shared_ptr<const vulkan_device> device_;
  vulkan_buffer memory_;
  VkAccelerationStructureKHR hierarchy_ = VK_NULL_HANDLE;
  VkDeviceAddress address_ = 0;
};

struct vulkan_scene {
  vulkan_hierarchy triangles, top;
  double build_ms = 0, upload_ms = 0;

  u64 bytes() const { return triangles.bytes() + top.bytes(); }
  // The carrier brings the corners, which are not kept: a hierarchy has its own copy. Problem: memory, more triangles than
  // the device takes, or that of the carrier.
  static outcome<vulkan_scene> build(const std::shared_ptr<const vulkan_device>& device, const ray_scene& scene,
                                     ray_carrier& carrier);
};

}  // namespace pivotscope
