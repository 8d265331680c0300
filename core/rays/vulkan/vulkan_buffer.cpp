#include "core/rays/vulkan/vulkan_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {
namespace {

constexpr VkExternalMemoryHandleTypeFlagBits handle_type = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

VkMemoryPropertyFlags properties_of(vulkan_buffer::place where) {
  constexpr VkMemoryPropertyFlags seen = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  switch (where) {
    case vulkan_buffer::place::on_device:
    case vulkan_buffer::place::shared:
      return VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    case vulkan_buffer::place::to_device:
      return seen;
    case vulkan_buffer::place::to_host:
      return seen | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  }
  return 0;
}

bool has_address(VkBufferUsageFlags usage) { return (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0; }

bool can_export(const vulkan_device& device, VkBufferUsageFlags usage) {
  auto asked = info_of<VkPhysicalDeviceExternalBufferInfo>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO);
  asked.usage = usage, asked.handleType = handle_type;
  auto told = info_of<VkExternalBufferProperties>(VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES);
  device.calls().vkGetPhysicalDeviceExternalBufferProperties(device.physical(), &asked, &told);
  return (told.externalMemoryProperties.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT) != 0;
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
  auto exports = info_of<VkExternalMemoryBufferCreateInfo>(VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
  exports.handleTypes = handle_type;
  VkBufferCreateInfo info =
      info_of<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, where == place::shared ? &exports : nullptr);
  info.size = made.bytes_, info.usage = usage, info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  if (where == place::shared && !can_export(*made.device_, usage))
    return problem{
        fmt::format("Vulkan: {} gives no memory away that could be used for {}", made.device_->name(), what)};
  if (status s = checked(calls.vkCreateBuffer(on, &info, nullptr, &made.buffer_), doing); !s) return s.error();
  if (status s = made.take_memory(usage, where, what, doing); !s) return s.error();
  if (status s = checked(calls.vkBindBufferMemory(on, made.buffer_, made.memory_, 0), doing); !s) return s.error();
  if (where == place::to_device || where == place::to_host) {
    if (status s = checked(calls.vkMapMemory(on, made.memory_, 0, VK_WHOLE_SIZE, 0, &made.mapped_), doing); !s)
      return s.error();
  }
  if (has_address(usage)) {
    auto asked = info_of<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
    asked.buffer = made.buffer_;
    made.address_ = calls.vkGetBufferDeviceAddress(on, &asked);
  }
  return made;
}

status vulkan_buffer::take_memory(VkBufferUsageFlags usage, place where, std::string_view what,
                                  const std::string& doing) {
  const vulkan_calls& calls = device_->calls();
  auto alone = info_of<VkMemoryDedicatedRequirements>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
  auto needs = info_of<VkMemoryRequirements2>(VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, &alone);
  auto of = info_of<VkBufferMemoryRequirementsInfo2>(VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2);
  of.buffer = buffer_;
  calls.vkGetBufferMemoryRequirements2(device_->get(), &of, &needs);
  allocated_ = needs.memoryRequirements.size;
  const u32 types = needs.memoryRequirements.memoryTypeBits;
  outcome<u32> type = device_->memory_type(types, properties_of(where), what);
  // Not every device has memory that its host caches.
  if (!type && where == place::to_host) type = device_->memory_type(types, properties_of(place::to_device), what);
  if (!type) return type.error();

  void* next = nullptr;  // of a chain of what else is said
  auto flags = info_of<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  if (has_address(usage)) next = &flags;
  auto exports = info_of<VkExportMemoryAllocateInfo>(VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, next);
  exports.handleTypes = handle_type;
  if (where == place::shared) next = &exports;
  auto dedicated = info_of<VkMemoryDedicatedAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, next);
  dedicated.buffer = buffer_;
  dedicated_ = where == place::shared && alone.requiresDedicatedAllocation != VK_FALSE;
  if (dedicated_) next = &dedicated;
  auto memory = info_of<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, next);
  memory.allocationSize = allocated_, memory.memoryTypeIndex = *type;
  return checked(calls.vkAllocateMemory(device_->get(), &memory, nullptr, &memory_), doing);
}

outcome<exported_buffer> vulkan_buffer::exported(std::string_view what) const {
  auto wanted = info_of<VkMemoryGetFdInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR);
  wanted.memory = memory_, wanted.handleType = handle_type;
  int number = -1;
  if (status s = checked(device_->calls().vkGetMemoryFdKHR(device_->get(), &wanted, &number),
                         fmt::format("giving memory for {} away", what));
      !s)
    return s.error();
  return exported_buffer{file_descriptor(number), allocated_, bytes_, dedicated_};
}

void vulkan_buffer::release() {
  if (!device_) return;
  device_->calls().vkDestroyBuffer(device_->get(), buffer_, nullptr);
  device_->calls().vkFreeMemory(device_->get(), memory_, nullptr);  // which also ends the mapping
  buffer_ = VK_NULL_HANDLE, memory_ = VK_NULL_HANDLE, bytes_ = allocated_ = 0, dedicated_ = false, address_ = 0,
  mapped_ = nullptr;
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
