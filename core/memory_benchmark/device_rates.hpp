// At which rates a GPU's memory answers, for the traffic model: measured ones of the device that is modelled, or those
// of one H200, which are built in.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/memory_benchmark/memory_benchmark.hpp"

namespace pivotscope {

// What an H200 copies: bytes that are read and those that are written, a second.
inline constexpr double h200_stream_bytes_per_second = 4.27e12;

// Requests a second, of the whole device.
struct device_rates {
  std::string device = "NVIDIA H200";
  bool built_in = true;                                     // nobody measured it here
  double l1_lines = 261e9;                                  // passes of L1, each over one line
  std::array<double, 5> l2 = {0, 150e9, 79e9, 73e9, 73e9};  // of one line, by the sectors that they bring, 1 to 4
  struct past_l2 {
    double bytes;  // of the array
    double atom, two_atoms;
    bool operator==(const past_l2&) const = default;
  };
  std::vector<past_l2> dram = {  // ascending by bytes
      {32e6, 119e9, 73e9},
      {64e6, 67e9, 53e9},
      {128e6, 48e9, 42e9},
      {512e6, 38e9, 33e9},
      {2e9, 36e9, 30e9}};
  // Requests past L1 of what lies scattered over an array, whether L2 has it or not. None built in: a model without.
  struct scattered_rate {
    double bytes;  // of the array
    double requests;
    bool operator==(const scattered_rate&) const = default;
  };
  std::vector<scattered_rate> scattered = {};  // ascending by bytes
  double stream_bytes = h200_stream_bytes_per_second;
  // A load that waits for the one before, seconds: of what L1 has, L2, and neither. 0: not known.
  struct latencies {
    double l1, l2, dram;
    bool operator==(const latencies&) const = default;
  } latency = {97e-9, 226e-9, 615e-9};

  bool operator==(const device_rates&) const = default;

  // Random requests of one atom or of two of one line, from an array of so many bytes: between the sizes by the
  // logarithm.
  double gathers_per_second(u64 bytes, u32 atoms) const;
  std::optional<double> scattered_per_second(u64 bytes) const;  // so too; nothing where it was not measured
  // "an NVIDIA H200's rates, which are built in", "the rates that were measured of NVIDIA A100"
  std::string words() const;
};

// Nothing of a device whose L2 is not known, or where a point that it takes was not measured.
std::optional<device_rates> rates_of(const memory_benchmark& measured);

// Those that are kept of a device, or built in where none are; of a CPU those of the H200 that is modelled in its
// place. The note says why what is kept cannot be used.
struct found_rates {
  device_rates rates = {};
  std::string note = {};
};
found_rates find_rates(const std::string& cache_folder, const machine_info& on);

}  // namespace pivotscope
