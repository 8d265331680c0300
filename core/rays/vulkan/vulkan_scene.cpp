#include "core/rays/vulkan/vulkan_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace pivotscope {
namespace {

constexpr VkBufferUsageFlags read_by_builds =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

// Our front is the side whose normal, by the order of the corners, points along the ray. Vulkan's is the other one.
constexpr VkGeometryInstanceFlagsKHR sides =
    VK_GEOMETRY_INSTANCE_TRIANGLE_FLIP_FACING_BIT_KHR | VK_GEOMETRY_INSTANCE_TRIANGLE_FACING_CULL_DISABLE_BIT_KHR;

double ms_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

VkAccelerationStructureGeometryKHR geometry_of(const vulkan_buffer& corners, u32 triangles) {
  auto geometry = info_of<VkAccelerationStructureGeometryKHR>(VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR);
  geometry.geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR, geometry.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
  geometry.geometry.triangles = info_of<VkAccelerationStructureGeometryTrianglesDataKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR);
  geometry.geometry.triangles.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
  geometry.geometry.triangles.vertexData.deviceAddress = corners.address();
  geometry.geometry.triangles.vertexStride = 3 * sizeof(float);
  geometry.geometry.triangles.maxVertex = 3 * triangles - 1;
  geometry.geometry.triangles.indexType = VK_INDEX_TYPE_NONE_KHR;
  return geometry;
}

// The one instance of the triangles, where they are.
outcome<vulkan_buffer> make_instance(const std::shared_ptr<const vulkan_device>& device, VkDeviceAddress triangles) {
  outcome<vulkan_buffer> buffer = vulkan_buffer::make(device, sizeof(VkAccelerationStructureInstanceKHR),
                                                      read_by_builds, vulkan_buffer::place::to_device, "an instance");
  if (!buffer) return buffer.error();
  VkAccelerationStructureInstanceKHR instance = {};
  for (u32 a = 0; a < 3; ++a) instance.transform.matrix[a][a] = 1;
  instance.mask = 0xFF;
  instance.flags = sides & 0xFF;
  instance.accelerationStructureReference = triangles;
  std::memcpy(buffer->mapped(), &instance, sizeof(instance));
  return buffer;
}

VkAccelerationStructureGeometryKHR geometry_of_instance(const vulkan_buffer& instance) {
  auto geometry = info_of<VkAccelerationStructureGeometryKHR>(VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR);
  geometry.geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR, geometry.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
  geometry.geometry.instances = info_of<VkAccelerationStructureGeometryInstancesDataKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR);
  geometry.geometry.instances.data.deviceAddress = instance.address();
  return geometry;
}

}  // namespace

vulkan_hierarchy::~vulkan_hierarchy() {
  if (device_) device_->calls().vkDestroyAccelerationStructureKHR(device_->get(), hierarchy_, nullptr);
}

outcome<vulkan_hierarchy> vulkan_hierarchy::make(const std::shared_ptr<const vulkan_device>& device,
                                                 VkAccelerationStructureTypeKHR type, u64 bytes) {
  vulkan_hierarchy made;
  outcome<vulkan_buffer> memory = vulkan_buffer::make(
      device, bytes, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
      vulkan_buffer::place::on_device, "the hierarchy of boxes");
  if (!memory) return memory.error();
  made.memory_ = std::move(*memory);
  auto wanted = info_of<VkAccelerationStructureCreateInfoKHR>(VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR);
  wanted.buffer = made.memory_.get(), wanted.size = bytes, wanted.type = type;
  const vulkan_calls& calls = device->calls();
  if (status s = checked(calls.vkCreateAccelerationStructureKHR(device->get(), &wanted, nullptr, &made.hierarchy_),
                         "making a hierarchy");
      !s)
    return s.error();
  made.device_ = device;
  auto asked = info_of<VkAccelerationStructureDeviceAddressInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR);
  asked.accelerationStructure = made.hierarchy_;
  made.address_ = calls.vkGetAccelerationStructureDeviceAddressKHR(device->get(), &asked);
  return made;
}

outcome<vulkan_hierarchy> vulkan_hierarchy::build(const std::shared_ptr<const vulkan_device>& device,
                                                  VkAccelerationStructureTypeKHR type,
                                                  const VkAccelerationStructureGeometryKHR& geometry, u32 primitives,
                                                  double& build_ms) {
  const vulkan_calls& calls = device->calls();
  auto info = info_of<VkAccelerationStructureBuildGeometryInfoKHR>(
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR);
  info.type = type, info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR;
  info.flags = VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR;
  if (type == VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR)
    info.flags |= VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_COMPACTION_BIT_KHR;
  info.geometryCount = 1, info.pGeometries = &geometry;
  auto sizes =
      info_of<VkAccelerationStructureBuildSizesInfoKHR>(VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR);
  calls.vkGetAccelerationStructureBuildSizesKHR(device->get(), VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info,
                                                &primitives, &sizes);
  outcome<vulkan_hierarchy> made = make(device, type, sizes.accelerationStructureSize);
  if (!made) return made.error();
  const u64 alignment = std::max(device->scene_limits().minAccelerationStructureScratchOffsetAlignment, 1u);
  outcome<vulkan_buffer> scratch =
      vulkan_buffer::make(device, sizes.buildScratchSize + alignment,
                          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                          vulkan_buffer::place::on_device, "building the hierarchy");
  if (!scratch) return scratch.error();
  info.dstAccelerationStructure = made->hierarchy_;
  info.scratchData.deviceAddress = (scratch->address() + alignment - 1) / alignment * alignment;
  VkAccelerationStructureBuildRangeInfoKHR range = {};
  range.primitiveCount = primitives;
  const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
  const outcome<double> ms = device->run("building the hierarchy of boxes", [&](VkCommandBuffer commands) {
    calls.vkCmdBuildAccelerationStructuresKHR(commands, 1, &info, &ranges);
  });
  if (!ms) return ms.error();
  build_ms += *ms;
  return made;
}

outcome<u64> vulkan_hierarchy::compacted_bytes(double& build_ms) const {
  const vulkan_calls& calls = device_->calls();
  constexpr VkQueryType size = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR;
  auto info = info_of<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
  info.queryType = size, info.queryCount = 1;
  VkQueryPool asked = VK_NULL_HANDLE;
  if (status s = checked(calls.vkCreateQueryPool(device_->get(), &info, nullptr, &asked), "asking for a size"); !s)
    return s.error();
  const outcome<double> ms = device_->run("asking for a hierarchy's size", [&](VkCommandBuffer commands) {
    calls.vkCmdResetQueryPool(commands, asked, 0, 1);
    calls.vkCmdWriteAccelerationStructuresPropertiesKHR(commands, 1, &hierarchy_, size, asked, 0);
  });
  u64 bytes = 0;
  status read = fine();
  if (ms)
    read = checked(calls.vkGetQueryPoolResults(device_->get(), asked, 0, 1, sizeof(bytes), &bytes, sizeof(bytes),
                                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                   "asking for a hierarchy's size");
  calls.vkDestroyQueryPool(device_->get(), asked, nullptr);
  if (!ms) return ms.error();
  if (!read) return read.error();
  build_ms += *ms;
  return bytes;
}

outcome<vulkan_hierarchy> vulkan_hierarchy::compacted(double& build_ms) const {
  const outcome<u64> bytes = compacted_bytes(build_ms);
  if (!bytes) return bytes.error();
  outcome<vulkan_hierarchy> made = make(device_, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, *bytes);
  if (!made) return made.error();
  auto copy = info_of<VkCopyAccelerationStructureInfoKHR>(VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR);
  copy.src = hierarchy_, copy.dst = made->hierarchy_, copy.mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR;
  const outcome<double> ms = device_->run("compacting the hierarchy", [&](VkCommandBuffer commands) {
    device_->calls().vkCmdCopyAccelerationStructureKHR(commands, &copy);
  });
  if (!ms) return ms.error();
  build_ms += *ms;
  return made;
}

outcome<vulkan_scene> vulkan_scene::build(const std::shared_ptr<const vulkan_device>& device, const ray_scene& scene,
                                          ray_carrier& carrier) {
  const u64 count = scene.triangles.size();
  // A corner's number has 32 bits, whatever the device says.
  const u64 most = std::min<u64>(device->scene_limits().maxPrimitiveCount, ~0u / 3);
  if (count > most)
    return problem{fmt::format("Vulkan: {} takes up to {} triangles, and this scene has {}; take larger buckets",
                               device->name(), most, count)};
  vulkan_scene made;
  const auto began = std::chrono::steady_clock::now();
  outcome<shared_buffer> corners = carrier.bring_corners(scene);
  if (!corners) return corners.error();
  made.upload_ms = ms_since(began);

  const auto triangles = static_cast<u32>(count);
  outcome<vulkan_hierarchy> below =
      vulkan_hierarchy::build(device, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
                              geometry_of(corners->buffer, std::max(triangles, 1u)), triangles, made.build_ms);
  if (!below) return below.error();
  *corners = {};
  if (triangles > 0) below = below->compacted(made.build_ms);
  if (!below) return below.error();
  made.triangles = std::move(*below);
  outcome<vulkan_buffer> instance = make_instance(device, made.triangles.address());
  if (!instance) return instance.error();
  outcome<vulkan_hierarchy> top = vulkan_hierarchy::build(device, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
                                                          geometry_of_instance(*instance), 1, made.build_ms);
  if (!top) return top.error();
  made.top = std::move(*top);
  return made;
}

}  // namespace pivotscope
