// gpu_sharer: what else works on a Vulkan device's GPU, in the same memory. CUDA is one (core/machine/cuda_rays.hpp);
// this room knows nothing of it.
//
//   Vulkan allocates   a buffer, as memory that has a file descriptor
//   the sharer         maps it, writes corners or rays into it, and then lifts a semaphore to a number
//   Vulkan             waits for that number, builds or traces, and lifts the semaphore to the next one
//   the sharer         waits for that, and reads hits
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/common/file_descriptor.hpp"
#include "core/common/outcome.hpp"
#include "core/rays/ray_scene.hpp"

namespace pivotscope {

// A GPU's own number, which is the same for whoever asks.
using gpu_uuid = std::array<u8, 16>;

// A buffer as it is handed to a sharer.
struct exported_buffer {
  file_descriptor memory;  // an opaque one; who takes the buffer takes it over
  u64 allocated = 0;       // bytes of that memory; the buffer begins at its first
  u64 bytes = 0;           // of the buffer
  bool dedicated = false;  // the memory was taken for this buffer alone
};

class gpu_sharer {
 public:
  virtual ~gpu_sharer() = default;
  virtual std::string name() const = 0;  // "CUDA"
  virtual gpu_uuid gpu() const = 0;

  // Returns where the sharer has the buffer. Its end gives the mapping up, which must come before the buffer's.
  virtual outcome<std::shared_ptr<void>> map(exported_buffer buffer, std::string_view what) = 0;
  // True if it takes a semaphore, which is then given to it before all numbers. Else it works only while Vulkan does
  // not: whoever calls waits for both in turn.
  virtual bool takes_semaphore() const = 0;
  virtual status take_semaphore(file_descriptor timeline) = 0;

  // These are done when they return, with errors of what came before. So a fault of one side is told in words, and the
  // other side never waits for a number that does not come.
  virtual status lift_to(u64 number) = 0;   // after all that it wrote
  virtual status wait_for(u64 number) = 0;  // before all that it reads
  virtual status write_corners(const ray_scene& scene, void* to) = 0;
  virtual status write_rays(std::span<const axis_ray> rays, void* to) = 0;
  virtual status read_hits(const void* from, std::span<ray_hit> hits) = 0;
};

}  // namespace pivotscope
