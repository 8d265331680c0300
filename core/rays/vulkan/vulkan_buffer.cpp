#include "core/rays/vulkan/vulkan_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {
namespace {

VkMemoryPropertyFlags properties_of(vulkan_buffer::place where) {
  constexpr VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  switch (where) {
    case vulkan_buffer::place::on_device:
      return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    case vulkan_buffer::place::to_device:
      return seen;
    case vulkan_buffer::place::to_host:
      return seen | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  }
  return 0;
}

}  // namespace

outcome<vulkan_buffer> vulkan_buffer::make(std::shared_ptr<const vulkan_device> device, u64 bytes,
                                           VkBufferUsageFlags usage, place where, std::string_view what) {
  const vulkan_calls& calls = device->calls();
  const std::string doing = fmt::format("taking {} MiB for {}", bytes >> 20, what);
  vulkan_buffer made;
  made.device_ = std::move(device);
  const VkDevice on = made.device_->get();
  made.bytes_ = std::max<u64>(bytes, 1);
  VkBufferCreateInfo info = info_of<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = made.bytes_, info.usage = usage, info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  if (status s = checked(calls.vkCreateBuffer(on, &info, nullptr, &made.buffer_), doing); !s) return s.error();

  VkMemoryRequirements needs = {};
  calls.vkGetBufferMemoryRequirements(on, made.buffer_, &needs);
  outcome<u32> type = made.device_->memory_type(needs.memoryTypeBits, properties_of(where), what);
  // Not every device has memory that its host caches.
  if (!type && where == place::to_host)
    type = made.device_->memory_type(needs.memoryTypeBits, properties_of(place::to_device), what);
  if (!type) return type.error();
  const bool addressed = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
  auto flags = info_of<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  auto memory = info_of<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, addressed ? &flags : nullptr);
  memory.allocationSize = needs.size, memory.memoryTypeIndex = *type;
  if (status s = checked(calls.vkAllocateMemory(on, &memory, nullptr, &made.memory_), doing); !s) return s.error();
  if (status s = checked(calls.vkBindBufferMemory(on, made.buffer_, made.memory_, 0), doing); !s) return s.error();
  if (where != place::on_device) {
    if (status s = checked(calls.vkMapMemory(on, made.memory_, 0, VK_WHOLE_SIZE, 0, &made.mapped_), doing); !s)
      return s.error();
  }
  if (addressed) {
    auto asked = info_of<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    asked.buffer = made.buffer_;
    made.address_ = calls.vkGetBufferDeviceAddress(on, &asked);
  }
  return made;
}

void vulkan_buffer::release() {
  if (!device_) return;
  device_->calls().vkDestroyBuffer(device_->get(), buffer_, nullptr);
  device_->calls().vkFreeMemory(device_->get(), memory_, nullptr);  // which also ends the mapping
  buffer_ = VK_NULL_HANDLE, memory_ = VK_NULL_HANDLE, bytes_ = 0, address_ = 0, mapped_ = nullptr;
  device_.reset();
}

void record_copy(const vulkan_device& device, VkCommandBuffer commands, const vulkan_buffer& from,
                 const vulkan_buffer& to, u64 bytes) {
  const VkBufferCopy all = {0, 0, bytes};
  if (bytes != 0) device.calls().vkCmdCopyBuffer(commands, from.get(), to.get(), 1, &all);
  auto barrier = info_of<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  device.calls().vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                      &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace pivotscope
