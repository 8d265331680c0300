#include "core/memory_benchmark/memory_benchmark.hpp"

#include <algorithm>
#include <utility>

#include "core/common/expect.hpp"
#include "core/machine/clocks.hpp"

namespace pivotscope {
namespace {

constexpr u64 KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

// Of a device's kind: how much is asked, so that a run takes a millisecond or some.
struct amounts {
  u64 gathers, lines, steps_waited, copied, l1_bytes;
  u32 waiting_threads;  // that wait side by side: those of a warp
  u32 figure_steps;     // of Figure 7's groups; the paper's are 1024
  double seconds;       // that a point may take
};
constexpr amounts of_gpu{.gathers = 1u << 26,
                         .lines = 1u << 28,
                         .steps_waited = 1u << 12,
                         .copied = GiB,
                         .l1_bytes = 64 * KiB,
                         .waiting_threads = 32,
                         .figure_steps = 1024,
                         .seconds = 0.4};
constexpr amounts of_cpu{.gathers = 1u << 18,
                         .lines = 1u << 20,
                         .steps_waited = 1u << 14,
                         .copied = 256 * MiB,
                         .l1_bytes = 16 * KiB,
                         .waiting_threads = 1,
                         .figure_steps = 16,
                         .seconds = 0.2};
const amounts& amounts_of(machine_kind kind) { return kind == machine_kind::cuda ? of_gpu : of_cpu; }

// Entries of 16 bytes, by as many threads of a group as it takes.
gather_question gather_of(u64 array, u32 bytes, u64 requests) {
  const u32 loading = bytes / 16, lanes = ceil_pow2(loading);
  return {.bytes = array, .lanes = lanes, .loading = loading, .align_bytes = lanes * 16, .requests = requests};
}

}  // namespace

std::string_view floor_name(benchmark_kind kind) {
  switch (kind) {
    case benchmark_kind::gather:
      return "gather";
    case benchmark_kind::scattered:
      return "scattered";
    case benchmark_kind::lines:
      return "lines";
    case benchmark_kind::latency:
      return "latency";
    case benchmark_kind::copy:
      return "copy";
    case benchmark_kind::coalescing:
      return "coalescing";
  }
  return "";
}

double benchmark_point::per_second() const {
  if (ms <= 0) return 0;
  const u64 each = asked.copy ? 2 * asked.bytes : requests;
  return static_cast<double>(each) * 1e3 / ms;
}

double benchmark_point::step_ns() const {
  return requests == 0 ? 0 : ms * 1e6 * static_cast<double>(threads) / static_cast<double>(requests);
}

std::vector<benchmark_point> benchmark_points(machine_kind kind) {
  const amounts& much = amounts_of(kind);
  std::vector<benchmark_point> points;
  const auto add = [&](benchmark_kind of, const gather_question& asked) {
    points.push_back({.kind = of, .asked = asked});
  };
  for (u64 array = MiB; array <= 4 * GiB; array *= 2) {
    for (const u32 bytes : {32u, 64u, 96u, 128u}) {
      if (bytes == 96 && array > 32 * MiB) continue;  // of L2 alone it is asked
      add(benchmark_kind::gather, gather_of(array, bytes, much.gathers));
    }
  }
  for (u64 array = 64 * MiB; array <= 4 * GiB; array *= 2) {
    constexpr u64 places = 1u << 16;  // lines of 128 bytes, or some more: 8 MiB of them
    gather_question asked = gather_of(array, 32, much.gathers);
    asked.align_bytes = static_cast<u32>(array / places) - 128;  // no power of two, which might be one set of the cache
    add(benchmark_kind::scattered, asked);
  }
  add(benchmark_kind::lines, {.bytes = much.l1_bytes, .align_bytes = 128, .requests = much.lines});
  for (const u64 array : {much.l1_bytes, 16 * MiB, GiB}) {
    add(benchmark_kind::latency, {.bytes = array,
                                  .align_bytes = 128,
                                  .threads = much.waiting_threads,
                                  .requests = much.waiting_threads * much.steps_waited,
                                  .dependent = true});
  }
  add(benchmark_kind::copy, {.bytes = much.copied, .copy = true});
  constexpr u32 figure_threads = 1u << 16;
  for (u32 lanes = 1; lanes <= 1024; lanes *= 2) {
    add(benchmark_kind::coalescing, {.bytes = (u64{1} << 28) * sizeof(u32),
                                     .entry_bytes = sizeof(u32),
                                     .lanes = lanes,
                                     .loading = lanes,
                                     .align_bytes = sizeof(u32),
                                     .threads = figure_threads,
                                     .requests = u64{figure_threads / lanes} * much.figure_steps});
  }
  return points;
}

outcome<memory_benchmark> run_memory_benchmark(machine& on, const job_control& control, time_source now) {
  const auto began = now();
  const machine_info& info = on.info();
  memory_benchmark told{.kind = info.kind,
                        .name = info.name,
                        .driver = info.driver,
                        .processors = info.processors,
                        .l2_bytes = info.l2_bytes,
                        .points = benchmark_points(info.kind)};
  std::vector<gather_question> asked;
  for (const benchmark_point& point : told.points) asked.push_back(point.asked);
  const batch_options options{
      .warm_ups = 2, .until = stopping_options{.seconds = amounts_of(info.kind).seconds}, .now = std::move(now)};
  const auto times = on.gather(asked, options, control);
  if (!times) return times.error();
  PIVOTSCOPE_EXPECT(times->size() == told.points.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const gather_times& one = (*times)[i];
    const sample_summary of = one.time.summary();
    benchmark_point& point = told.points[i];
    point.requests = one.requests, point.threads = one.threads, point.runs = of.count;
    point.ms = of.median, point.lower_quartile_ms = of.lower_quartile, point.upper_quartile_ms = of.upper_quartile;
  }
  told.clocks = clocks_now(info.kind);
  told.seconds = seconds_between(began, options.now());
  return told;
}

}  // namespace pivotscope
