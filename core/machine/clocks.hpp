// The clock rates of a machine, as far as it tells them.
#pragma once

#include <string>

#include "core/config/machine_kind.hpp"
#include "core/statistics/clock_watch.hpp"

namespace pivotscope {

// Returns "SM 1980 of 1980 MHz, memory 3201 of 3201 MHz, not throttled" or "2450 MHz"; empty if nothing is known. The
// rates are those of this moment: ask right after work to know those of the work.
std::string clocks_now(machine_kind kind);

namespace detail {
// Asks NVML, the driver's library, about the calling thread's GPU.
std::string cuda_clocks_now();
clock_reading cuda_clock_now();
// Returns the driver's version, "580.159.04"; empty if it is not known.
std::string cuda_driver_version();
}  // namespace detail

}  // namespace pivotscope
