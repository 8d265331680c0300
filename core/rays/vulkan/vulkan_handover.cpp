#include "core/rays/vulkan/vulkan_handover.hpp"

#include <fmt/format.h>

#include <chrono>

namespace pivotscope {
namespace {

double ms_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

problem no_extension(const vulkan_device& device, const char* name) {
  return problem{fmt::format("{}'s Vulkan driver lacks {}", device.name(), name)};
}

VkSemaphoreTypeCreateInfo timeline_from_zero() {
  auto kind = info_of<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  kind.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  return kind;
}

bool exports_timelines(const vulkan_device& device) {
  VkSemaphoreTypeCreateInfo kind = timeline_from_zero();
  auto asked =
      info_of<VkPhysicalDeviceExternalSemaphoreInfo>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, &kind);
  asked.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  auto told = info_of<VkExternalSemaphoreProperties>(VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES);
  device.calls().vkGetPhysicalDeviceExternalSemaphoreProperties(device.physical(), &asked, &told);
  return (told.externalSemaphoreFeatures & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) != 0;
}

}  // namespace

outcome<std::unique_ptr<vulkan_handover>> vulkan_handover::make(std::shared_ptr<const vulkan_device> device,
                                                                std::shared_ptr<gpu_sharer> sharer) {
  if (sharer->gpu() != device->uuid())
    return problem{fmt::format("{}'s GPU is another one than Vulkan's, {}", sharer->name(), device->name())};
  if (device->calls().vkGetMemoryFdKHR == nullptr)
    return no_extension(*device, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  std::unique_ptr<vulkan_handover> made(new vulkan_handover(std::move(device), std::move(sharer)));
  if (made->sharer_->takes_semaphore()) {
    if (status s = made->make_semaphore(); !s) return s.error();
  }
  return made;
}

vulkan_handover::~vulkan_handover() { device_->calls().vkDestroySemaphore(device_->get(), semaphore_, nullptr); }

status vulkan_handover::make_semaphore() {
  const vulkan_calls& calls = device_->calls();
  if (calls.vkGetSemaphoreFdKHR == nullptr) return no_extension(*device_, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
  if (!exports_timelines(*device_))
    return problem{fmt::format("{}'s Vulkan driver gives no timeline semaphore away", device_->name())};
  VkSemaphoreTypeCreateInfo kind = timeline_from_zero();
  auto exported = info_of<VkExportSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, &kind);
  exported.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  auto info = info_of<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &exported);
  const char* const doing = "making a semaphore to share";
  if (status s = checked(calls.vkCreateSemaphore(device_->get(), &info, nullptr, &semaphore_), doing); !s) return s;
  auto wanted = info_of<VkSemaphoreGetFdInfoKHR>(VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR);
  wanted.semaphore = semaphore_, wanted.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  int number = -1;
  if (status s = checked(calls.vkGetSemaphoreFdKHR(device_->get(), &wanted, &number), doing); !s) return s;
  return sharer_->take_semaphore(file_descriptor(number));
}

outcome<shared_buffer> vulkan_handover::share(u64 bytes, VkBufferUsageFlags usage, std::string_view what) const {
  outcome<vulkan_buffer> buffer = vulkan_buffer::make(device_, bytes, usage, vulkan_buffer::place::shared, what);
  if (!buffer) return buffer.error();
  outcome<exported_buffer> exported = buffer->exported(what);
  if (!exported) return exported.error();
  outcome<std::shared_ptr<void>> mapped = sharer_->map(std::move(*exported), what);
  if (!mapped) return mapped.error();
  return shared_buffer{std::move(*buffer), std::move(*mapped)};
}

status vulkan_handover::write_corners(const ray_scene& scene, const shared_buffer& to) {
  if (status s = sharer_->write_corners(scene, to.mapped.get()); !s) return s;
  return lift();
}

status vulkan_handover::write_rays(std::span<const axis_ray> rays, const shared_buffer& to) {
  if (status s = sharer_->write_rays(rays, to.mapped.get()); !s) return s;
  return lift();
}

// A number that failed to come is not waited for: the next one is greater.
status vulkan_handover::lift() {
  if (semaphore_ == VK_NULL_HANDLE) return fine();
  const auto began = std::chrono::steady_clock::now();
  status lifted = sharer_->lift_to(++number_);
  waited_ms_ += ms_since(began);
  return lifted;
}

vulkan_order vulkan_handover::next_order() {
  if (semaphore_ == VK_NULL_HANDLE) return {};
  const u64 before = number_;
  return {semaphore_, before, ++number_};
}

status vulkan_handover::read_hits(const shared_buffer& from, std::span<ray_hit> hits) {
  if (semaphore_ != VK_NULL_HANDLE) {
    const auto began = std::chrono::steady_clock::now();
    status came = sharer_->wait_for(number_);
    waited_ms_ += ms_since(began);
    if (!came) return came;
  }
  return sharer_->read_hits(from.mapped.get(), hits);
}

void vulkan_handover::record_taking(VkCommandBuffer commands, const shared_buffer& buffer) const {
  record_transfer(commands, buffer, true);
}
void vulkan_handover::record_leaving(VkCommandBuffer commands, const shared_buffer& buffer) const {
  record_transfer(commands, buffer, false);
}

// Who owns a buffer is said by both sides; CUDA's side of it is the semaphore.
void vulkan_handover::record_transfer(VkCommandBuffer commands, const shared_buffer& buffer, bool taking) const {
  constexpr VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  auto barrier = info_of<VkBufferMemoryBarrier>(VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER);
  barrier.srcAccessMask = taking ? 0 : all, barrier.dstAccessMask = taking ? all : 0;
  barrier.srcQueueFamilyIndex = taking ? VK_QUEUE_FAMILY_EXTERNAL : device_->queue_family();
  barrier.dstQueueFamilyIndex = taking ? device_->queue_family() : VK_QUEUE_FAMILY_EXTERNAL;
  barrier.buffer = buffer.buffer.get(), barrier.size = VK_WHOLE_SIZE;
  constexpr VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  device_->calls().vkCmdPipelineBarrier(commands, stages, stages, 0, 0, nullptr, 1, &barrier, 0, nullptr);
}

}  // namespace pivotscope
