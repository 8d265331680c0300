#include "core/machine/clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

namespace pivotscope {
namespace {

// The fastest of the processors: the others may rest.
std::string cpu_clocks_now() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  double most = 0;
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with("cpu MHz") || colon == line.npos) continue;
    double mhz = 0;
    const char* end = line.data() + line.size();
    if (std::from_chars(line.data() + colon + 2, end, mhz).ec == std::errc{}) most = std::max(most, mhz);
  }
  return most > 0 ? fmt::format("{:.0f} MHz", most) : std::string();
}

}  // namespace

std::string clocks_now(machine_kind kind) {
  return kind == machine_kind::cuda ? detail::cuda_clocks_now() : cpu_clocks_now();
}

}  // namespace pivotscope
