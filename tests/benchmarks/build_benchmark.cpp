// What a build takes with the sort of its keys, beside what cub::DeviceRadixSort takes for as many pairs alone: all bits of
// the same keys, whose row ids are 0, 1, ... Each is done so many times; the median counts.
//
//   build_benchmark repeats log2-of-keys "config" ...
//   build_benchmark 7 26 AO+BS BTREE
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/machine/cuda/sort.hpp"
#include "core/machine/cuda/stage_timer.hpp"
#include "core/machine/machine.hpp"
#include "core/workload/workload.hpp"
#include "tests/benchmarks/benchmark_support.hpp"

namespace {

using namespace pivotscope;

void must(const status& s) {
  if (!s) stop(s.error().words);
}
double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  return samples[samples.size() / 2];
}

template <class Key>
double cub_ms(const std::vector<Key>& keys, u32 repeats) {
  const u64 n = keys.size();
  const auto buffer = [](u64 bytes) -> device_buffer {
    return expect(device_buffer::allocate(bytes, "pairs for a sort"));
  };
  const device_buffer drawn = buffer(n * sizeof(Key));
  const device_buffer key_buffers[2] = {buffer(n * sizeof(Key)), buffer(n * sizeof(Key))};
  const device_buffer row_buffers[2] = {buffer(n * sizeof(u32)), buffer(n * sizeof(u32))};
  std::size_t bytes = 0;
  must(checked(sort_space<Key>(n, bytes), "asking what a sort needs"));
  const device_buffer space = buffer(bytes);
  const device_stream stream = expect(device_stream::make());
  must(upload(drawn.data(), keys.data(), n * sizeof(Key), stream.get(), "copying keys", {}));
  stage_timer timer = expect(stage_timer::make());
  std::vector<double> samples;
  for (u32 r = 0; r <= repeats; ++r) {
    ping_pong<Key> sorted{{key_buffers[0].as<Key>(), key_buffers[1].as<Key>()}};
    ping_pong<u32> rows{{row_buffers[0].as<u32>(), row_buffers[1].as<u32>()}};
    must(checked(
        cudaMemcpyAsync(sorted.buffers[0], drawn.data(), n * sizeof(Key), cudaMemcpyDeviceToDevice, stream.get()),
        "copying keys"));
    must(checked(fill_counting(rows.buffers[0], n, stream.get()), "numbering keys"));
    must(checked(cudaStreamSynchronize(stream.get()), "waiting"));
    const double ms = expect(timer.time(stream.get(), "sorting", [&] {
      return sort_pairs(sorted, rows, n, 0, u32{8 * sizeof(Key)}, space.data(), bytes, stream.get());
    }));
    if (r > 0) samples.push_back(ms);  // the first one loads the kernels
  }
  return median(samples);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) stop("build_benchmark repeats log2-of-keys \"config\" ...");
  const auto repeats = static_cast<u32>(std::atoi(argv[1]));
  const u64 n = u64{1} << std::atoi(argv[2]);
  const std::unique_ptr<machine> on = expect(open_machine(machine_kind::cuda));
  for (int i = 3; i < argc; ++i) {
    const index_config config = expect(config_from_line(argv[i]));
    const auto made = expect(make_keys({.keys = n, .dist = distribution::uniform}, config.keys, {}));
    double alone = 0;
    made.visit([&](const auto& keys) { alone = cub_ms(keys, repeats); });
    std::vector<double> sums;
    std::string stages;
    for (u32 r = 0; r <= repeats; ++r) {
      const auto loaded = expect(on->load(key_array(made), {}));
      const auto index = expect(on->build(config, loaded, {}));
      double sum = loaded->sort_time().median();
      stages = fmt::format(" sort {:.3f}", sum);
      for (const stage_time& stage : index->build_times()) {
        if (stage.samples_ms.empty()) continue;
        sum += stage.median();
        stages += fmt::format(" {} {:.3f}", stage.name, stage.median());
      }
      if (r > 0) sums.push_back(sum);
    }
    fmt::print("{}, 2^{} keys, {}: {:.3f} ms,{}; cub::DeviceRadixSort alone {:.3f}: {:.2f}\n", on->info().name, argv[2],
               to_line(config), median(sums), stages, alone, median(sums) / alone);
  }
}
