// A buffer of a Vulkan device with memory of its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/rays/vulkan/vulkan_device.hpp"

namespace pivotscope {

class vulkan_buffer {
 public:
  // on_device: fast there, and not seen by the host. shared: the same, and may be given to others (exported()).
  // to_device, to_host: the host writes, or reads, `mapped()`.
  enum class place : u8 { on_device, shared, to_device, to_host };

  vulkan_buffer() = default;
  vulkan_buffer(vulkan_buffer&& other) noexcept { swap(other); }
  vulkan_buffer& operator=(vulkan_buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~vulkan_buffer() { release(); }

  // A buffer of at least 1 byte, with an address if `usage` asks for one. Problem: words that name `what`.
  static outcome<vulkan_buffer> make(std::shared_ptr<const vulkan_device> device, u64 bytes, VkBufferUsageFlags usage,
                                     place where, std::string_view what);
  void release();

  // Returns a descriptor of a shared buffer's memory, a new one each time.
  outcome<exported_buffer> exported(std::string_view what) const;

  VkBuffer get() const { return buffer_; }
  u64 bytes() const { return bytes_; }
  VkDeviceAddress address() const { return address_; }
  void* mapped() const { return mapped_; }

 private:
  status take_memory(VkBufferUsageFlags usage, place where, std::string_view what, const std::string& doing);

  void swap(vulkan_buffer& other) {
    std::swap(device_, other.device_), std::swap(buffer_, other.buffer_), std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_), std::swap(allocated_, other.allocated_), std::swap(dedicated_, other.dedicated_);
    std::swap(address_, other.address_), std::swap(mapped_, other.mapped_);
  }

  std::shared_ptr<const vulkan_device> device_;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  u64 bytes_ = 0, allocated_ = 0;  // of the buffer, and of its memory
  bool dedicated_ = false;         // the memory was taken for this buffer alone
  VkDeviceAddress address_ = 0;
  void* mapped_ = nullptr;
};

// Puts down a copy of the first `bytes`, which the host may then read.
void record_copy(const vulkan_device& device, VkCommandBuffer commands, const vulkan_buffer& from,
                 const vulkan_buffer& to, u64 bytes);

}  // namespace pivotscope
