// What stands in for the CUDA machine in a build without a CUDA toolkit.
#include "core/machine/clocks.hpp"
#include "core/machine/machine.hpp"

namespace pivotscope::detail {

namespace {
const char* const words =
    "This build has no CUDA machine: no CUDA toolkit was found when it was configured, or it was configured with "
    "-DPIVOTSCOPE_CUDA=OFF. Use the CPU (--machine cpu), or build again with CUDA 12.8 or newer.";
}

machine_report report_cuda() { return {machine_kind::cuda, false, {}, words}; }

outcome<std::unique_ptr<machine>> open_cuda(const machine_options&) { return problem{words}; }

std::string cuda_clocks_now() { return {}; }
clock_reading cuda_clock_now() { return {}; }
std::string cuda_driver_version() { return {}; }

}  // namespace pivotscope::detail
