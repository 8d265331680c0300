// Kernels in the driver's hands, ready to launch: each program is compiled or read, and loaded, once a machine.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <vector>

#include "core/common/job_control.hpp"
#include "core/machine/cuda/compile/compiler.hpp"
#include "core/machine/cuda/device.hpp"

namespace pivotscope {

struct loaded_kernel {
  const void* function = nullptr;  // a cudaKernel_t, as cudaLaunchKernel() takes it
  kernel_info info;
  u32 shared_bytes = 0;  // dynamic, a block
};

// `rows` times `columns` blocks, blockIdx.x and .y. Arguments by value, as the kernel's parameters in order and type. Queues
// the launch, nothing more.
template <class... Arguments>
cudaError_t launch_columns(const loaded_kernel& kernel, u64 rows, u32 columns, u32 threads, cudaStream_t stream,
                           Arguments... arguments) {
  void* pointers[] = {&arguments...};
  return cudaLaunchKernel(kernel.function, dim3(static_cast<unsigned>(rows), columns), dim3(threads), pointers,
                          kernel.shared_bytes, stream);
}
template <class... Arguments>
cudaError_t launch(const loaded_kernel& kernel, u64 blocks, u32 threads, cudaStream_t stream, Arguments... arguments) {
  return launch_columns(kernel, blocks, 1, threads, stream, arguments...);
}

class kernel_store {
 public:
  kernel_store(kernel_compiler compiler, const cuda_device& device);

  // The program's kernels in its order. `threads` a block: for the occupancy. The info says where it came from this
  // time, and the milliseconds that took.
  outcome<std::vector<loaded_kernel>> get(const kernel_program& program, u32 threads, const job_control& control);

  const kernel_compiler& compiler() const { return compiler_; }

 private:
  struct unload {
    void operator()(cudaLibrary_t library) const { cudaLibraryUnload(library); }
  };
  struct entry {
    std::unique_ptr<CUlib_st, unload> library;
    std::vector<loaded_kernel> kernels;
  };
  outcome<entry> load(const kernel_program& program, const std::string& code, u32 threads) const;

  kernel_compiler compiler_;
  cuda_device device_;
  std::map<cache_key, entry> loaded_;
};

}  // namespace pivotscope
