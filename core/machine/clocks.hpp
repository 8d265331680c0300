// At which clocks a machine runs, as far as it says so.
#pragma once

#include <string>

#include "core/config/machine_kind.hpp"
#include "core/statistics/clock_watch.hpp"

namespace pivotscope {

// "SM 1980 of 1980 MHz, memory 3201 of 3201 MHz, not throttled"; "2450 MHz"; empty where nothing is known. Of this
// moment: asked for right after work it tells of that work.
std::string clocks_now(machine_kind kind);

namespace detail {
// By NVML, the driver's library, of the calling thread's GPU.
std::string cuda_clocks_now();
clock_reading cuda_clock_now();
// The driver's version, "580.159.04"; empty where nobody says.
std::string cuda_driver_version();
}  // namespace detail

}  // namespace pivotscope
