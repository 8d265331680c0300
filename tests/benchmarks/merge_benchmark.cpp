// What a batch of SA takes beside what it cannot do without: the sort of the batch, and the array read and written at the
// rate of a copy (`pivotscope floor`). Each batch is done so many times on the same array; the best time counts. What went
// in and what went out is looked up, and the entries are counted.
//
//   merge_benchmark cpu|cuda copied-gb-per-s repeats "config" log2-of-keys,log2-of-writes ...
//   merge_benchmark cuda 2810 7 SA 24,16 24,22 27,22
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/run/entry_count.hpp"
#include "core/workload/script.hpp"
#include "tests/benchmarks/benchmark_support.hpp"

namespace {

using namespace pivotscope;

// The keys of an index are the first ones.
template <class F>
key_array keys_of(key_width width, u64 count, F&& number) {
  key_array keys(width, count);
  keys.visit([&](auto& all) {
    for (u64 i = 0; i < count; ++i) all[i] = key_of(number(i));
  });
  return keys;
}

void expect_rows(machine& on, const built_index& index, key_array keys, std::string_view what, bool there) {
  const u64 count = keys.size();
  const batch asked{.kind = operation::find, .keys = std::move(keys)};
  const batch_result got = expect(on.run(index, asked, {}, {}));
  for (u64 i = 0; i < count; ++i)
    if ((got.answers.found[i] != not_found) != there)
      stop(fmt::format("{} of {}: row {}", what, i, got.answers.found[i]));
}

void measure(machine& on, const index_config& config, double copied, u32 repeats, u32 log_keys, u32 log_writes) {
  const u64 keys = 1ull << log_keys, writes = 1ull << log_writes;
  const auto spread = [&](u64 i) { return i * 40503 % keys; };  // an odd number: another one for each i
  const auto index =
      expect(on.build(config, expect(on.load(keys_of(config.keys, keys, [](u64 i) { return i; }), {})), {}));
  for (const bool erase : {false, true}) {
    const auto number = [&](u64 i) { return erase ? spread(i) : keys + i; };
    script_columns columns;
    columns.verbs.assign(writes, erase ? operation::erase : operation::insert);
    columns.keys = keys_of(config.keys, writes, number);
    const script batch(std::move(columns), {});
    std::map<std::string, double> best;
    double best_ms = 0;
    for (u32 r = 0; r < repeats; ++r) {
      const update_result done = expect(on.update(*index, batch, 0, {.repeats = 1, .warm_ups = 0}, {}));
      if ((erase ? done.counts.erased : done.counts.added) != writes) stop("writes did not go through");
      const double ms = done.time.median();
      if (best_ms == 0 || ms < best_ms) {
        best_ms = ms;
        for (const stage_time& stage : done.stages) best[stage.name] = stage.median();
      }
      if (r + 1 < repeats) continue;
      if (entry_count(*done.index) != (erase ? keys - writes : keys + writes)) stop("entries were lost or came twice");
      expect_rows(on, *done.index, keys_of(config.keys, writes, number), "writes", !erase);
      if (!erase) expect_rows(on, *done.index, keys_of(config.keys, keys, [](u64 i) { return i; }), "keys", true);
    }
    const double copy_ms = 2.0 * static_cast<double>(keys * 2 * key_bytes(config.keys)) / (copied * 1e6);
    const double least_ms = best["sort batch"] + copy_ms;
    fmt::print("2^{} keys, 2^{} {}: {:.3f} ms, sort and copy {:.3f}: {:.2f};", log_keys, log_writes,
               erase ? "erases" : "inserts", best_ms, least_ms, least_ms / best_ms);
    for (const auto& [name, ms] : best) fmt::print(" {} {:.3f}", name, ms);
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) stop("merge_benchmark cpu|cuda copied-gb-per-s repeats \"config\" log2-of-keys,log2-of-writes ...");
  const std::unique_ptr<machine> on =
      expect(open_machine(std::string_view(argv[1]) == "cuda" ? machine_kind::cuda : machine_kind::cpu));
  fmt::print("{}\n", on->info().name);
  for (int i = 5; i < argc; ++i) {
    char* rest = nullptr;
    const auto log_keys = static_cast<u32>(std::strtoul(argv[i], &rest, 10));
    if (*rest != ',') stop("sizes are log2-of-keys,log2-of-writes");
    const auto log_writes = static_cast<u32>(std::strtoul(rest + 1, nullptr, 10));
    if (log_keys > 31 || log_writes > log_keys) stop("sizes: writes are no more than keys, up to 2^31");
    measure(*on, expect(config_from_line(argv[4])), std::atof(argv[2]), static_cast<u32>(std::atoi(argv[3])), log_keys,
            log_writes);
  }
}
