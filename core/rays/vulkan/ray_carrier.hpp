// ray_carrier: how corners and rays come to a Vulkan device, and hits back. Through the host's memory, which any device
// can read, or in memory that the device shares with CUDA (vulkan_handover.hpp).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/rays/vulkan/vulkan_handover.hpp"

namespace pivotscope {

class ray_carrier {
 public:
  virtual ~ray_carrier() = default;
  virtual std::string words() const = 0;  // "corners, rays and hits lie in memory that is shared with CUDA"

  // Returns the corners of all triangles, where the device reads them.
  virtual outcome<shared_buffer> bring_corners(const ray_scene& scene) = 0;
  // Makes buffers for as many rays and hits. Problem: memory.
  virtual status make_room(u64 rays) = 0;
  virtual const vulkan_buffer& rays() const = 0;
  virtual const vulkan_buffer& hits() const = 0;

  // In this order: brings rays; runs the commands that trace them, and returns their time; fetches the hits.
  virtual status bring(std::span<const axis_ray> rays) = 0;
  virtual outcome<double> run(const std::function<void(VkCommandBuffer)>& record) = 0;
  virtual status fetch(std::span<ray_hit> hits) = 0;

  // Milliseconds of waiting for the other one's semaphore since the last call; 0: none is shared.
  virtual double take_handover_ms() { return 0; }
};

// `why`: what the way through the host is taken for, as words() then says.
std::unique_ptr<ray_carrier> carry_through_host(std::shared_ptr<const vulkan_device> device, const std::string& why);
std::unique_ptr<ray_carrier> carry_in_shared_memory(std::unique_ptr<vulkan_handover> handover);

}  // namespace pivotscope
