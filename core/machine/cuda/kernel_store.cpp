#include "core/machine/cuda/kernel_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/machine/cuda/runtime.hpp"

namespace pivotscope {
namespace {

outcome<kernel_info> describe(const void* function, std::string name, u32 threads, const cuda_device& device) {
  cudaFuncAttributes attributes{};
  if (auto s = checked(cudaFuncGetAttributes(&attributes, function), "asking what a kernel takes"); !s)
    return s.error();
  int blocks = 0;
  const cudaError_t counted =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, static_cast<int>(threads), 0);
  if (auto s = checked(counted, "asking a kernel's occupancy"); !s) return s.error();

  kernel_info info;
  std::replace(name.begin(), name.end(), '_', ' ');
  info.name = std::move(name);
  info.registers = static_cast<u32>(attributes.numRegs);
  info.shared_bytes = static_cast<u32>(attributes.sharedSizeBytes);
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
  for (const std::string& name : program.kernels) {
    cudaKernel_t kernel = nullptr;
    if (auto s = checked(cudaLibraryGetKernel(&kernel, library, name.c_str()), "finding a kernel of " + program.what);
        !s) {
      return s.error();
    }
    auto info = describe(kernel, name, threads, device_);
    if (!info) return info.error();
    made.kernels.push_back({kernel, std::move(*info)});
  }
  return made;
}

}  // namespace pivotscope
