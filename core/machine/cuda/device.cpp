#include "core/machine/cuda/device.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdlib>

#include "core/machine/clocks.hpp"
#include "core/machine/cuda/runtime.hpp"

namespace pivotscope {
namespace {

constexpr const char* cpu_instead = "The CPU machine (--machine cpu) works without.";

// Why cudaGetDeviceCount() found nothing.
problem no_device(cudaError_t error, int driver, int runtime) {
  if (driver == 0) {
    return {fmt::format("There is no NVIDIA driver on this machine. Install one for CUDA {} or newer. {}",
                        cuda_version_text(runtime), cpu_instead)};
  }
  if (error == cudaErrorInsufficientDriver || driver / 1000 < runtime / 1000) {
    return {
        fmt::format("The NVIDIA driver is too old: it is for CUDA {}, and this build needs CUDA {}. Install a newer "
                    "driver, or build "
                    "with a CUDA toolkit that the driver knows (-DPIVOTSCOPE_CUDA_ROOT=FOLDER). {}",
                    cuda_version_text(driver), cuda_version_text(runtime), cpu_instead)};
  }
  if (error == cudaSuccess || error == cudaErrorNoDevice) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return {fmt::format("The NVIDIA driver (CUDA {}) sees no GPU{}. {}", cuda_version_text(driver),
                        visible == nullptr ? "" : fmt::format("; CUDA_VISIBLE_DEVICES is \"{}\"", visible),
                        cpu_instead)};
  }
  return cuda_problem(error, "looking for GPUs");
}

}  // namespace

std::string cuda_version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

outcome<cuda_device> find_cuda_device() {
  cuda_device device;
  // Both can be asked for without a driver; its version is then 0.
  if (const cudaError_t e = cudaDriverGetVersion(&device.driver_version); e != cudaSuccess) device.driver_version = 0;
  if (auto s = checked(cudaRuntimeGetVersion(&device.runtime_version), "asking the runtime's version"); !s) {
    return s.error();
  }
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted != cudaSuccess || count == 0) {
    cudaGetLastError();
    return no_device(counted, device.driver_version, device.runtime_version);
  }
  cudaDeviceProp properties{};
  if (auto s = checked(cudaGetDeviceProperties(&properties, device.ordinal), "asking the GPU's properties"); !s) {
    return s.error();
  }
  machine_info& info = device.info;
  info.kind = machine_kind::cuda;
  info.name = properties.name;
  info.driver = detail::cuda_driver_version();
  if (info.driver.empty()) info.driver = "CUDA " + cuda_version_text(device.driver_version);
  info.processors = static_cast<u32>(properties.multiProcessorCount);
  info.memory_bytes = properties.totalGlobalMem;
  info.l2_bytes = static_cast<u64>(properties.l2CacheSize);
  info.compute_capability = static_cast<u32>(10 * properties.major + properties.minor);
  info.max_threads_per_block = static_cast<u32>(properties.maxThreadsPerBlock);
  device.threads_a_processor = static_cast<u32>(properties.maxThreadsPerMultiProcessor);
  device.shared_bytes_a_block = static_cast<u32>(properties.sharedMemPerBlockOptin);
  if (info.compute_capability < PIVOTSCOPE_LEAST_CAPABILITY) {
    return problem{
        fmt::format("{} has compute capability {}.{}, and this build is for {}.{} and newer. Build with "
                    "-DCMAKE_CUDA_ARCHITECTURES={} and a toolkit that knows it. {}",
                    info.name, properties.major, properties.minor, PIVOTSCOPE_LEAST_CAPABILITY / 10,
                    PIVOTSCOPE_LEAST_CAPABILITY % 10, info.compute_capability, cpu_instead)};
  }
  return device;
}

}  // namespace pivotscope
