#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstring>

#include "core/machine/cuda/runtime.hpp"
#include "core/machine/cuda/trace_rays.hpp"
#include "core/machine/cuda_rays.hpp"

namespace pivotscope {
namespace {

// Memory of another, and where CUDA has it.
class imported_memory {
 public:
  imported_memory() = default;
  ~imported_memory() {
    if (address_ != nullptr) cudaFree(address_);
    if (memory_ != nullptr) cudaDestroyExternalMemory(memory_);
  }
  imported_memory(const imported_memory&) = delete;
  imported_memory& operator=(const imported_memory&) = delete;

  status import(exported_buffer buffer, std::string_view what) {
    cudaExternalMemoryHandleDesc memory{};
    memory.type = cudaExternalMemoryHandleTypeOpaqueFd;
    memory.handle.fd = buffer.memory.number();
    memory.size = buffer.allocated;
    memory.flags = buffer.dedicated ? cudaExternalMemoryDedicated : 0;
    cudaExternalMemory_t taken = nullptr;
    if (status s =
            checked(cudaImportExternalMemory(&taken, &memory), fmt::format("taking over Vulkan's memory for {}", what));
        !s)
      return s;
    memory_ = taken;
    buffer.memory.release();  // now the driver's
    cudaExternalMemoryBufferDesc part{};
    part.size = buffer.bytes;
    void* mapped = nullptr;
    if (status s = checked(cudaExternalMemoryGetMappedBuffer(&mapped, memory_, &part),
                           fmt::format("mapping Vulkan's memory for {}", what));
        !s)
      return s;
    address_ = mapped;
    return fine();
  }
  void* address() const { return address_; }

 private:
  cudaExternalMemory_t memory_ = nullptr;
  void* address_ = nullptr;
};

// All of it is queued in one stream, and its end is waited for.
class cuda_sharer final : public gpu_sharer {
 public:
  static outcome<std::shared_ptr<gpu_sharer>> make() {
    const outcome<cuda_device> device = find_cuda_device();
    if (!device) return device.error();
    auto made = std::make_shared<cuda_sharer>();
    if (status s = checked(cudaSetDevice(device->ordinal), "choosing a device"); !s) return s.error();
    cudaDeviceProp properties{};
    if (status s = checked(cudaGetDeviceProperties(&properties, device->ordinal), "asking the GPU's number"); !s)
      return s.error();
    static_assert(sizeof(properties.uuid) == sizeof(gpu_uuid));
    std::memcpy(made->gpu_.data(), &properties.uuid, sizeof(gpu_uuid));
    auto stream = device_stream::make();
    if (!stream) return stream.error();
    made->stream_ = std::move(*stream);
    return std::shared_ptr<gpu_sharer>(std::move(made));
  }
  ~cuda_sharer() override {
    if (semaphore_ != nullptr) cudaDestroyExternalSemaphore(semaphore_);
  }

  std::string name() const override { return "CUDA"; }
  gpu_uuid gpu() const override { return gpu_; }

  outcome<std::shared_ptr<void>> map(exported_buffer buffer, std::string_view what) override {
    auto memory = std::make_shared<imported_memory>();
    if (status s = memory->import(std::move(buffer), what); !s) return s.error();
    return std::shared_ptr<void>(memory, memory->address());
  }

  bool takes_semaphore() const override { return true; }
  status take_semaphore(file_descriptor timeline) override {
    cudaExternalSemaphoreHandleDesc semaphore{};
    semaphore.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    semaphore.handle.fd = timeline.number();
    cudaExternalSemaphore_t taken = nullptr;
    if (status s = checked(cudaImportExternalSemaphore(&taken, &semaphore), "taking over Vulkan's semaphore"); !s)
      return s;
    semaphore_ = taken;
    timeline.release();  // now the driver's
    return fine();
  }

  status lift_to(u64 number) override {
    cudaExternalSemaphoreSignalParams lifted{};
    lifted.params.fence.value = number;
    const char* const doing = "giving memory to Vulkan";
    if (status s = checked(cudaSignalExternalSemaphoresAsync(&semaphore_, &lifted, 1, stream_.get()), doing); !s)
      return s;
    return ended(doing);
  }
  status wait_for(u64 number) override {
    cudaExternalSemaphoreWaitParams waited{};
    waited.params.fence.value = number;
    const char* const doing = "taking memory from Vulkan";
    if (status s = checked(cudaWaitExternalSemaphoresAsync(&semaphore_, &waited, 1, stream_.get()), doing); !s)
      return s;
    return ended(doing);
  }

  status write_corners(const ray_scene& scene, void* to) override {
    const triangle_cell* triangles = scene.on_gpu.triangles;
    device_buffer copied;
    if (triangles == nullptr) {
      const u64 bytes = scene.triangles.size() * sizeof(triangle_cell);
      auto made = device_buffer::allocate(bytes, "triangles");
      if (!made) return made.error();
      copied = std::move(*made);
      if (status s = upload(copied.data(), scene.triangles.data(), bytes, stream_.get(), "copying triangles", {}); !s)
        return s;
      triangles = copied.as<triangle_cell>();
    }
    const char* const doing = "writing corners";
    if (status s = checked(
            queue_corners(triangles, scene.triangles.size(), scene.half, static_cast<float*>(to), stream_.get()),
            doing);
        !s)
      return s;
    return ended(doing);
  }

  status write_rays(std::span<const axis_ray> rays, void* to) override {
    return upload(to, rays.data(), rays.size_bytes(), stream_.get(), "writing rays", {});
  }
  status read_hits(const void* from, std::span<ray_hit> hits) override {
    return download(hits.data(), from, hits.size_bytes(), stream_.get(), "reading hits", {});
  }

 private:
  status ended(const char* doing) const { return checked(cudaStreamSynchronize(stream_.get()), doing); }

  gpu_uuid gpu_ = {};
  device_stream stream_;
  cudaExternalSemaphore_t semaphore_ = nullptr;
};

}  // namespace

outcome<std::shared_ptr<gpu_sharer>> make_cuda_sharer() { return cuda_sharer::make(); }

}  // namespace pivotscope
