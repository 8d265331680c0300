#include "core/machine/cuda/compile/kernel_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/machine/cuda/runtime.hpp"

namespace pivotscope {
namespace {

// The constant in which a program says how much dynamic shared memory its kernel wants.
outcome<u32> read_shared_bytes(cudaLibrary_t library, const kernel_program& program, const cuda_device& device) {
  if (program.shared_bytes.empty()) return 0u;
  void* symbol = nullptr;
  std::size_t size = 0;
  const cudaError_t found = cudaLibraryGetGlobal(&symbol, &size, library, program.shared_bytes.c_str());
  if (auto s = checked(found, "finding a constant of " + program.what); !s) return s.error();
  u32 bytes = 0;
  const cudaError_t copied = cudaMemcpy(&bytes, symbol, sizeof(bytes), cudaMemcpyDeviceToHost);
  if (auto s = checked(copied, "reading a constant of " + program.what); !s) return s.error();
  if (bytes > device.shared_bytes_a_block) {
    return problem{fmt::format(
        "A block of {} needs {} bytes of scratch, and {} has {} a block. Take fewer threads or lookups a thread, or "
        "less scratch for pinning.",
        program.what, bytes, device.info.name, device.shared_bytes_a_block)};
  }
  return bytes;
}

outcome<kernel_info> describe(const void* function, std::string name, u32 threads, u32 shared,
                              const cuda_device& device) {
  // Past 48 KiB a kernel has to ask.
  const cudaError_t allowed =
      cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  if (auto s = checked(allowed, "asking for a block's scratch"); !s) return s.error();
  cudaFuncAttributes attributes{};
  if (auto s = checked(cudaFuncGetAttributes(&attributes, function), "asking what a kernel takes"); !s)
    return s.error();
  // A kernel that wants no scratch is told so: the whole of L1 is then cache (8% at 2^28, docs/performance.md).
  if (shared == 0 && attributes.sharedSizeBytes == 0) {
    const cudaError_t preferred =
        cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1);
    if (auto s = checked(preferred, "giving a kernel all of L1"); !s) return s.error();
  }
  int blocks = 0;
  const cudaError_t counted =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, static_cast<int>(threads), shared);
  if (auto s = checked(counted, "asking a kernel's occupancy"); !s) return s.error();

  kernel_info info;
  std::replace(name.begin(), name.end(), '_', ' ');
  info.name = std::move(name);
  info.registers = static_cast<u32>(attributes.numRegs);
  info.shared_bytes = static_cast<u32>(attributes.sharedSizeBytes) + shared;
  info.local_bytes = static_cast<u32>(attributes.localSizeBytes);
  info.blocks_per_sm = static_cast<u32>(blocks);
  info.occupancy = static_cast<double>(info.blocks_per_sm) * threads / std::max(1u, device.threads_a_processor);
  return info;
}

}  // namespace

kernel_store::kernel_store(kernel_compiler compiler, const cuda_device& device)
    : compiler_(std::move(compiler)), device_(device) {}

outcome<std::vector<loaded_kernel>> kernel_store::get(const kernel_program& program, u32 threads,
                                                      const job_control& control) {
  const auto begin = std::chrono::steady_clock::now();
  const cache_key key = compiler_.key(program);
  kernel_info::source origin = kernel_info::source::memory_cache;
  auto found = loaded_.find(key);
  if (found == loaded_.end()) {
    control.progress("compiling", -1);
    auto compiled = compiler_.get(program);
    if (!compiled) return compiled.error();
    origin = compiled->origin;
    auto loaded = load(program, compiled->code, threads);
    if (!loaded) return loaded.error();
    found = loaded_.emplace(key, std::move(*loaded)).first;
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  std::vector<loaded_kernel> kernels = found->second.kernels;
  for (loaded_kernel& kernel : kernels) {
    kernel.info.origin = origin;
    kernel.info.compile_ms = taken.count();
  }
  return kernels;
}

outcome<kernel_store::entry> kernel_store::load(const kernel_program& program, const std::string& code,
                                                u32 threads) const {
  cudaLibrary_t library = nullptr;
  const cudaError_t taken = cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (taken != cudaSuccess) {
    problem p = cuda_problem(taken, "loading " + program.what);
    p.words += fmt::format(" It was made by {}; the driver is for CUDA {}.", compiler_.library().text(),
                           cuda_version_text(device_.driver_version));
    return p;
  }
  entry made;
  made.library.reset(library);
  const auto shared = read_shared_bytes(library, program, device_);
  if (!shared) return shared.error();
  for (const std::string& name : program.kernels) {
    cudaKernel_t kernel = nullptr;
    if (auto s = checked(cudaLibraryGetKernel(&kernel, library, name.c_str()), "finding a kernel of " + program.what);
        !s) {
      return s.error();
    }
    auto info = describe(kernel, name, threads, *shared, device_);
    if (!info) return info.error();
    made.kernels.push_back({kernel, std::move(*info), *shared});
  }
  return made;
}

}  // namespace pivotscope
