// CUDA's runtime API with owners and outcomes: what is taken is given back, and every call is checked.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/common/job_control.hpp"
#include "core/common/outcome.hpp"
#include "core/common/portable.hpp"
#include "core/machine/cuda/device.hpp"

namespace pivotscope {

// "The GPU failed at sorting: an illegal memory access was encountered (cudaErrorIllegalAddress). ..." Also clears the
// runtime's own last error.
problem cuda_problem(cudaError_t error, std::string_view doing);
status checked(cudaError_t error, std::string_view doing);

// Memory of the device. Sizes are bytes; nothing is taken for 0.
class device_buffer {
 public:
  device_buffer() = default;
  device_buffer(device_buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  device_buffer& operator=(device_buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~device_buffer() { release(); }

  // Problem: words that name `what` and the device's free memory.
  static outcome<device_buffer> allocate(u64 bytes, std::string_view what);
  void release();

  void* data() const { return data_; }
  template <class Item>
  Item* as() const {
    return static_cast<Item*>(data_);
  }
  u64 bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  u64 bytes_ = 0;
};

struct memory_need {
  std::string_view what;
  u64 bytes = 0;
};
// Before the first of several allocations: is there room for all of them? Problem: what needs how much, how much is
// free, and `advice`.
status check_device_memory(const cuda_device& device, std::string_view for_what, std::span<const memory_need> needs,
                           std::string_view advice);

// A stream that does not wait for the legacy default stream, on which built_index::read() copies.
class device_stream {
 public:
  static outcome<device_stream> make();
  cudaStream_t get() const { return stream_.get(); }

 private:
  struct destroy {
    void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
  };
  std::unique_ptr<CUstream_st, destroy> stream_;
};

// What was queued between start() and stop(), in milliseconds of the device's clock.
class device_timer {
 public:
  static outcome<device_timer> make();
  status start(cudaStream_t stream) const;
  status mark_end(cudaStream_t stream, std::string_view doing) const;
  // Waits for the end that was marked. Faults of the work in between come back here, as failures at `doing`.
  outcome<double> read(std::string_view doing) const;
  outcome<double> stop(cudaStream_t stream, std::string_view doing) const;  // both

 private:
  struct destroy {
    void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
  };
  std::unique_ptr<CUevent_st, destroy> begin_, end_;
};

// Copies in pieces, so that progress is seen and a cancelled job ends soon. Wait for the end.
status upload(void* to, const void* from, u64 bytes, cudaStream_t stream, std::string_view stage,
              const job_control& control);
status download(void* to, const void* from, u64 bytes, cudaStream_t stream, std::string_view stage,
                const job_control& control);

}  // namespace pivotscope
