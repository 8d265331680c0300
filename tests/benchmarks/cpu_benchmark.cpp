// Searches of the cpu machine beside those that a program has without any index, on as many threads: 2^22 uniform hits,
// the median of five runs after one, by the host's clock. std::lower_bound over the same entries of 8 bytes; for the hash
// tables the maps absl::flat_hash_map and std::unordered_map, both with room for all keys from the start. What a build
// takes is told as well, a sort of its keys included, and of the maps that of one thread, since neither takes more. Every
// answer is checked, those of the others too.
//
//   cpu_benchmark [log2 of the number of keys...]     20 24 26 by default; 2^26 keys take 6 GiB
#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "core/common/parallel.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/timed_runs.hpp"
#include "core/run/run.hpp"
#include "core/run/standard_search.hpp"
#include "core/tuning/name_alone.hpp"
#include "tests/benchmarks/benchmark_support.hpp"

namespace {

using namespace pivotscope;

constexpr u64 lookups = 1 << 22;
constexpr u32 runs = 5;
constexpr const char* lines[] = {
    "AO+BS", "EO+BS", "EO+KS fanout=9", "EO+KS fanout=17", "AO+PB+KS fanout=9", "AO+PB+KS fanout=17"};
constexpr const char* tables[] = {"HT+OA", "HT+BUCKET", "HT+BUCKET slab=8 lanes=1 load=80"};

const batch_options five_runs{.repeats = runs, .warm_ups = 1};

void expect_right(std::string_view name, const check_report& check) {
  if (check.wrong == 0) return;
  fmt::print(stderr, "{}: {}\n", name, check.first_wrong);
  std::exit(1);
}
void print_row(u32 lg, std::string_view name, double build_ms, double rate, double standard) {
  fmt::print("2^{} keys  {:<38} build {:>7.0f} ms {:>7.1f} M/s  {:>5.2f}x\n", lg, name, build_ms, rate / 1e6,
             rate / standard);
}

// Returns how many finds a second a map does.
template <class Map>
double measure_map(u32 lg, const char* name, const answer_checker& checker, const batch& asked, double standard) {
  const std::span<const u32> keys = checker.keys().as<u32>(), lookups = asked.keys.as<u32>();
  const auto began = std::chrono::steady_clock::now();
  Map map;
  map.reserve(keys.size());
  for (u64 i = 0; i < keys.size(); ++i) map.emplace(keys[i], static_cast<u32>(i));
  const std::chrono::duration<double, std::milli> build = std::chrono::steady_clock::now() - began;
  batch_answers answers;
  answers.found.assign(lookups.size(), unanswered);
  const timed_runs timed = expect(time_runs(five_runs, "", {}, [&](u64) -> outcome<timed_run> {
    const auto start = std::chrono::steady_clock::now();
    parallel_parts(lookups.size(), 1 << 12, [&](const index_part& part) {
      for (u64 i = part.begin(); i < part.end(); ++i) {
        const auto at = map.find(lookups[i]);
        answers.found[i] = at == map.end() ? not_found : at->second;
      }
    });
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return timed_run{took.count()};
  }));
  expect_right(name, checker.check(asked, answers));
  std::vector<double> ms = timed.samples_ms;
  std::nth_element(ms.begin(), ms.begin() + ms.size() / 2, ms.end());
  const double rate = static_cast<double>(lookups.size()) / ms[ms.size() / 2] * 1e3;
  print_row(lg, name, build.count(), rate, standard);
  return rate;
}

void measure(machine& on, u32 lg) {
  const workload load{.keys = 1ull << lg, .dist = distribution::uniform, .lookups = lookups};
  const key_array keys = expect(make_keys(load, key_width::u32));
  const batch asked = expect(make_batch(load, key_width::u32));
  const std::shared_ptr<const key_set> set = expect(key_set::load(on, keys, {}));
  const run_record alone = expect(run_standard_search(set->checker(), asked, five_runs, {}));
  expect_right(standard_search_name, alone.check);
  const double standard = alone.operations_per_second();
  fmt::print("2^{} keys  {:<38} {:>16} {:>7.1f} M/s\n", lg, standard_search_name, "", standard / 1e6);
  const auto measure_line = [&](const char* line, double against) {
    const index_config config = config_for(expect(typed_config_from_line(line)), keys.size(), on.info());
    const run_record record = expect(run_config(on, config, *set, asked, {.batch = five_runs}, {}));
    expect_right(line, record.check);
    print_row(lg, to_line(config), (record.sort.samples_ms.empty() ? 0 : record.sort.median()) + record.build_ms(),
              record.operations_per_second(), against);
  };
  for (const char* line : lines) measure_line(line, standard);
  const double flat_map =
      measure_map<absl::flat_hash_map<u32, u32>>(lg, "absl::flat_hash_map", set->checker(), asked, standard);
  fmt::print("beside absl::flat_hash_map:\n");
  for (const char* line : tables) measure_line(line, flat_map);
  // Last: its nodes leave the process's memory in pieces, where a table gets fewer huge pages.
  measure_map<std::unordered_map<u32, u32>>(lg, "std::unordered_map", set->checker(), asked, flat_map);
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
