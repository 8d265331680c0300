// vulkan_handover: buffers that a Vulkan device and a sharer of its GPU both work in, handed from one to the other by a
// timeline semaphore (gpu_sharer.hpp).
#pragma once

#include <memory>

#include "core/rays/vulkan/gpu_sharer.hpp"
#include "core/rays/vulkan/vulkan_buffer.hpp"

namespace pivotscope {

// A buffer, and where the sharer has it. That ends first.
struct shared_buffer {
  vulkan_buffer buffer = {};
  std::shared_ptr<void> mapped = {};
};

class vulkan_handover {
 public:
  // Problem, in one line: they are of two GPUs, or what one of them lacks.
  static outcome<std::unique_ptr<vulkan_handover>> make(std::shared_ptr<const vulkan_device> device,
                                                        std::shared_ptr<gpu_sharer> sharer);
  ~vulkan_handover();
  vulkan_handover(const vulkan_handover&) = delete;
  vulkan_handover& operator=(const vulkan_handover&) = delete;

  const vulkan_device& device() const { return *device_; }
  std::string with() const { return sharer_->name(); }  // "CUDA"
  // A buffer in memory of the device. Problem: no memory, or the sharer cannot map it.
  outcome<shared_buffer> share(u64 bytes, VkBufferUsageFlags usage, std::string_view what) const;

  // The sharer writes, and Vulkan has the buffer from then on: its next commands are to be run in next_order().
  status write_corners(const ray_scene& scene, const shared_buffer& to);
  status write_rays(std::span<const axis_ray> rays, const shared_buffer& to);
  // Returns after what Vulkan's next commands come, and what they lift the semaphore to. Once for each run.
  vulkan_order next_order();
  // Reads what the commands of the last order wrote.
  status read_hits(const shared_buffer& from, std::span<ray_hit> hits);

  // Puts down that commands take a buffer from the sharer, and that they leave it to the sharer.
  void record_taking(VkCommandBuffer commands, const shared_buffer& buffer) const;
  void record_leaving(VkCommandBuffer commands, const shared_buffer& buffer) const;

  // Milliseconds of the sharer's semaphore since the last call, by the host's clock.
  double take_waited_ms() { return std::exchange(waited_ms_, 0); }

 private:
  vulkan_handover(std::shared_ptr<const vulkan_device> device, std::shared_ptr<gpu_sharer> sharer)
      : device_(std::move(device)), sharer_(std::move(sharer)) {}
  status make_semaphore();
  status lift();
  void record_transfer(VkCommandBuffer commands, const shared_buffer& buffer, bool taking) const;

  std::shared_ptr<const vulkan_device> device_;
  std::shared_ptr<gpu_sharer> sharer_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;  // none, if the sharer takes none
  u64 number_ = 0;                          // the last that one of both lifts it to
  double waited_ms_ = 0;
};

}  // namespace pivotscope
