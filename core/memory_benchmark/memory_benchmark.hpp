// A device's own floor: what its memory gives at most, by gathers of no index, run once a device and kept
// (memory_benchmark_store.hpp). The traffic model takes its rates from here (device_rates.hpp). docs/measuring.md, "The floor".
#pragma once

#include <string>
#include <vector>

#include "core/common/measured_by.hpp"
#include "core/machine/gather.hpp"

namespace pivotscope {

enum class benchmark_kind : u8 {
  gather,     // requests of 32 to 128 adjacent bytes, at multiples of 32, 64 or 128, from arrays of many sizes
  scattered,  // requests of 32 bytes that L2 keeps, spread over arrays that it does not: what finding their pages takes
  lines,      // requests of which each is to another line of L1
  latency,    // one after another: a warp's step, or a load of the CPU's
  copy,       // bytes that are read and written
  coalescing,  // lightweight, Figure 7: 2^28 entries of 32 bits, groups of 1 to 1024 threads load adjacent ones
};
std::string_view floor_name(benchmark_kind kind);

struct benchmark_point {
  benchmark_kind kind = benchmark_kind::gather;
  gather_question asked = {};
  u64 requests = 0, threads = 0;  // of a run
  u64 runs = 0;
  double ms = 0, lower_quartile_ms = 0, upper_quartile_ms = 0;  // median, and the middle half

  bool measured() const { return runs > 0; }  // else there was no room for its array
  // Requests a second; of a copy bytes, read and written.
  double per_second() const;
  double step_ns() const;  // of what a thread does one after another
};

struct memory_benchmark {
  measured_by by = {};  // whose measurement it is: set by who keeps it
  machine_kind kind = machine_kind::cpu;
  std::string name = {}, driver = {};  // of the device
  u32 processors = 0;
  u64 l2_bytes = 0;
  std::string clocks = {};  // right after it; empty: not known
  double seconds = 0;       // that it took
  std::vector<benchmark_point> points = {};
};

// What is asked of a device: points without figures. A CPU gets as many points, of fewer requests.
std::vector<benchmark_point> benchmark_points(machine_kind kind);

// Each for 0.4 s at most, on a GPU some 20 s in all. Problem: cancelled, a wrong sum, or what the machine says.
outcome<memory_benchmark> run_memory_benchmark(machine& on, const job_control& control,
                                               time_source now = std::chrono::steady_clock::now);

}  // namespace pivotscope
