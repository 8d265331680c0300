#include "core/memory_benchmark/device_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory_benchmark/memory_benchmark_store.hpp"

namespace pivotscope {
namespace {

// Of a table by bytes: the rate of its first or last size beyond it, 0 of an empty one.
template <class Row, class Rate>
double between(const std::vector<Row>& table, u64 bytes, const Rate& rate) {
  if (table.empty()) return 0;
  const double size = static_cast<double>(bytes);
  if (size <= table.front().bytes) return rate(table.front());
  for (std::size_t i = 1; i < table.size(); ++i) {
    const Row &a = table[i - 1], &b = table[i];
    if (size > b.bytes) continue;
    const double part = std::log(size / a.bytes) / std::log(b.bytes / a.bytes);
    return rate(a) + part * (rate(b) - rate(a));
  }
  return rate(table.back());
}

constexpr u64 most_in_l1 = 128 * 1024;  // of an array of which latency is measured

}  // namespace

// The built-in rates: docs/traffic.md. Of L1, one line a clock and multiprocessor, 132 of
// them at 1.98 GHz: reckoned, not measured.

double device_rates::gathers_per_second(u64 bytes, u32 atoms) const {
  return between(dram, bytes, [&](const past_l2& r) { return atoms == 1 ? r.atom : r.two_atoms; });
}

std::optional<double> device_rates::scattered_per_second(u64 bytes) const {
  if (scattered.empty()) return std::nullopt;
  return between(scattered, bytes, [](const scattered_rate& r) { return r.requests; });
}

std::string device_rates::words() const {
  return built_in ? fmt::format("the rates of an {}, which are built in", device)
                  : fmt::format("the rates that `pivotscope floor` measured of {}", device);
}

std::optional<device_rates> rates_of(const memory_benchmark& measured) {
  device_rates out{.device = measured.name,
                   .built_in = false,
                   .l1_lines = 0,
                   .l2 = {},
                   .dram = {},
                   .stream_bytes = 0,
                   .latency = {}};
  for (const benchmark_point& point : measured.points) {
    const double rate = point.per_second();
    if (rate <= 0) continue;
    if (point.kind == benchmark_kind::lines) out.l1_lines = rate;
    if (point.kind == benchmark_kind::scattered)
      out.scattered.push_back({static_cast<double>(point.asked.bytes), rate});
    if (point.kind == benchmark_kind::copy) out.stream_bytes = rate;
    if (point.kind == benchmark_kind::latency) {
      const bool in_l1 = point.asked.bytes <= most_in_l1, in_l2 = point.asked.bytes <= measured.l2_bytes / 2;
      (in_l1 ? out.latency.l1 : in_l2 ? out.latency.l2 : out.latency.dram) = point.step_ns() * 1e-9;
    }
    if (point.kind != benchmark_kind::gather) continue;
    const u32 sectors = point.asked.request_bytes() / 32;
    // The largest array that half of L2 has room for, since not all of it is the array's; of smaller ones L1 has a part.
    if (point.asked.bytes <= measured.l2_bytes / 2) {
      out.l2[sectors] = rate;
      continue;
    }
    const auto bytes = static_cast<double>(point.asked.bytes);
    if (out.dram.empty() || out.dram.back().bytes != bytes) out.dram.push_back({bytes, 0, 0});
    if (sectors <= 2) out.dram.back().atom = std::max(out.dram.back().atom, rate);
    if (sectors == 4) out.dram.back().two_atoms = rate;
  }
  std::erase_if(out.dram, [](const device_rates::past_l2& r) { return r.atom <= 0 || r.two_atoms <= 0; });
  const bool all_of_l2 = std::all_of(out.l2.begin() + 1, out.l2.end(), [](double rate) { return rate > 0; });
  if (!all_of_l2 || out.dram.empty() || out.l1_lines <= 0 || out.stream_bytes <= 0) return std::nullopt;
  return out;
}

found_rates find_rates(const std::string& cache_folder, const machine_info& on) {
  const bool gpu = on.kind == machine_kind::cuda;
  const kept_memory_benchmark kept =
      load_memory_benchmark(memory_benchmark_path(cache_folder), machine_kind::cuda,
                            gpu ? on.name : device_rates().device, gpu ? std::optional(on.driver) : std::nullopt);
  found_rates found{.note = kept.note};
  if (!kept.found) return found;
  if (auto rates = rates_of(*kept.found)) found.rates = std::move(*rates);
  return found;
}

}  // namespace pivotscope
