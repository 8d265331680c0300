// Searches of the cpu machine beside std::lower_bound over the same entries of 8 bytes, on as many threads: 2^22 uniform
// hits, the median of five runs after one, by the host's clock. Every answer is checked, those of std::lower_bound too.
//
//   cpu_benchmark [log2 of the number of keys...]     20 24 26 by default
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/run/run.hpp"
#include "core/run/standard_search.hpp"

namespace {

using namespace pivotscope;

constexpr u64 lookups = 1 << 22;
constexpr u32 runs = 5;
constexpr const char* lines[] = {
    "AO+BS", "EO+BS", "EO+KS fanout=9", "EO+KS fanout=17", "AO+PB+KS fanout=9", "AO+PB+KS fanout=17"};

template <class T>
T expect(outcome<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().words);
  std::exit(2);
}

void measure(machine& on, u32 lg) {
  const workload load{.keys = 1ull << lg, .dist = distribution::uniform, .lookups = lookups};
  const key_array keys = expect(make_keys(load, key_width::u32));
  const batch asked = expect(make_batch(load, key_width::u32));
  const std::shared_ptr<const key_set> set = expect(key_set::load(on, keys, {}));
  const run_record alone = expect(run_standard_search(set->checker(), asked, {.repeats = runs, .warm_ups = 1}, {}));
  if (alone.check.wrong > 0) {
    fmt::print(stderr, "{} is wrong\n", standard_search_name);
    std::exit(1);
  }
  const double standard = alone.operations_per_second();
  fmt::print("2^{} keys  {:<20} {:>7.1f} M/s\n", lg, standard_search_name, standard / 1e6);
  for (const char* line : lines) {
    const run_record record = expect(
        run_config(on, expect(config_from_line(line)), *set, asked, {.batch = {.repeats = runs, .warm_ups = 1}}, {}));
    if (record.check.wrong > 0) {
      fmt::print(stderr, "{}: {}\n", line, record.check.first_wrong);
      std::exit(1);
    }
    fmt::print("2^{} keys  {:<20} {:>7.1f} M/s  {:>5.1f}x\n", lg, line, record.operations_per_second() / 1e6,
               record.operations_per_second() / standard);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::unique_ptr<machine> on = detail::open_cpu();
  fmt::print("{}\n", on->info().name);
  std::vector<u32> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(static_cast<u32>(std::atoi(argv[i])));
  if (sizes.empty()) sizes = {20, 24, 26};
  for (const u32 lg : sizes) {
    if (lg < 1 || lg > 31) return fmt::print(stderr, "2^{} keys: give numbers from 1 to 31\n", lg), 2;
    measure(*on, lg);
  }
}
