// What batches of LSM take beside what they cannot do without: the sort of the batch, and the runs that are merged, each read
// and written once a merge at the rate of a copy (`pivotscope floor`). Each batch is done so many times on the same index;
// the best time counts. The batches are of as many writes as level 0 has room for, one in `erases` of them erases, so that
// carries reach all levels.
//
//   carry_benchmark cpu|cuda copied-gb-per-s repeats "config" batches erases
//   carry_benchmark cuda 2810 5 "LSM level0=2^16" 64 8
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "core/families/lsm/config.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/workload/script.hpp"
#include "tests/benchmarks/benchmark_support.hpp"

namespace {

using namespace pivotscope;

script writes_of(key_width width, operation kind, u64 first, u64 count) {
  script_columns columns;
  columns.verbs.assign(count, kind);
  columns.keys = key_array(width, count);
  columns.keys.visit([&](auto& all) {
    for (u64 i = 0; i < count; ++i) all[i] = key_of(first + i);
  });
  return script(std::move(columns), {});
}

// Cells that the merges of a batch read.
u64 cells_merged(const lsm_view& before, u64 writes) {
  u64 run = writes, cells = 0;
  u32 into = 0;
  for (u64 entries = writes + before.counts[0]; entries > before.room(into);) entries += before.counts[++into];
  for (u32 level = 0; level <= into; ++level)
    if (before.counts[level] > 0) cells += run += before.counts[level];
  return cells;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) stop("carry_benchmark cpu|cuda copied-gb-per-s repeats \"config\" batches erases");
  const std::unique_ptr<machine> on =
      expect(open_machine(std::string_view(argv[1]) == "cuda" ? machine_kind::cuda : machine_kind::cpu));
  const double copied = std::atof(argv[2]);
  const auto repeats = static_cast<u32>(std::atoi(argv[3])), batches = static_cast<u32>(std::atoi(argv[5]));
  const index_config config = expect(config_from_line(argv[4]));
  const auto erases = static_cast<u32>(std::atoi(argv[6]));
  const u64 writes = lsm_config::of(config).level0;
  fmt::print("{}, {}\n", on->info().name, to_line(config));
  std::shared_ptr<const built_index> index =
      expect(on->build(config, expect(on->load(key_array(config.keys, 0), {})), {}));
  double all_ms = 0, all_least = 0;
  for (u32 b = 1; b <= batches; ++b) {
    const bool erase = erases > 0 && b % erases == 0;
    const script batch = writes_of(config.keys, erase ? operation::erase : operation::insert,
                                   erase ? u64{b / 2} * writes : u64{b} * writes, writes);
    double best_ms = 0, sort_ms = 0;
    std::shared_ptr<const built_index> next;
    std::string stages;
    for (u32 r = 0; r < repeats; ++r) {
      update_result done = expect(on->update(*index, batch, 0, {.repeats = 1, .warm_ups = 0}, {}));
      if (done.counts.added + done.counts.noted != writes) stop("writes did not go through");
      next = std::move(done.index);
      if (best_ms != 0 && done.time.median() >= best_ms) continue;
      best_ms = done.time.median(), stages.clear();
      for (const stage_time& stage : done.stages) {
        stages += fmt::format(" {} {:.3f}", stage.name, stage.median());
        if (stage.name == "sort batch") sort_ms = stage.median();
      }
    }
    const u64 cells = cells_merged(index->state_as<lsm_view>(), writes);
    const double least = sort_ms + 2.0 * static_cast<double>(cells * 2 * key_bytes(config.keys)) / (copied * 1e6);
    all_ms += best_ms, all_least += least;
    fmt::print("batch {}, {}: {:.3f} ms, sort and merged runs {:.3f}: {:.2f};{}\n", b, erase ? "erases" : "inserts",
               best_ms, least, least / best_ms, stages);
    index = std::move(next);
  }
  fmt::print("{} batches: {:.3f} ms, {:.1f} M/s; sort and merged runs {:.3f}: {:.2f}\n", batches, all_ms,
             static_cast<double>(batches * writes) / all_ms / 1e3, all_least, all_least / all_ms);
}
