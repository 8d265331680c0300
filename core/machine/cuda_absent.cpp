// What stands in for the CUDA machine in a build without a CUDA toolkit.
#include "core/machine/clocks.hpp"
#include "core/machine/cuda_rays.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope {
namespace {
const char* const words =
    "This build has no CUDA machine: no CUDA toolkit was found when it was configured, or it was configured with "
    "-DPIVOTSCOPE_CUDA=OFF. Use the CPU (--machine cpu), or build again with CUDA 12.8 or newer.";
}  // namespace

outcome<std::unique_ptr<ray_tracer>> make_cuda_tracer(const std::shared_ptr<const ray_scene>&) {
  return problem{words};
}

outcome<std::shared_ptr<gpu_sharer>> make_cuda_sharer() { return problem{"this build has no CUDA"}; }

namespace detail {

machine_report report_cuda() { return {machine_kind::cuda, false, {}, words}; }

outcome<std::unique_ptr<machine>> open_cuda(const machine_options&) { return problem{words}; }

std::string cuda_clocks_now() { return {}; }
clock_reading cuda_clock_now() { return {}; }
std::string cuda_driver_version() { return {}; }

}  // namespace detail
}  // namespace pivotscope
