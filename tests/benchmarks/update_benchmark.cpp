// What the passes of a build take, and those of batches that are done as a whole: inserts of keys that are not there, then
// erases of as many that are, and a mixed batch of finds, inserts and erases, a third each. Each batch is done so many times
// on the same index; the best time counts.
//
//   update_benchmark cpu|cuda repeats "config" log2-of-keys,log2-of-writes ...
//   update_benchmark cuda 5 "BTREE writes=combined" 26,22 28,22
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/workload/script.hpp"
#include "tests/benchmarks/benchmark_support.hpp"

namespace {

using namespace pivotscope;

// key_of()'s numbers lie evenly, as no keys do: nodes would get the same share of a batch.
u32 drawn(u64 i) {
  u32 key = key_of(i);
  for (const u32 by : {0x85ebca6bu, 0xc2b2ae35u}) key = (key ^ key >> 15) * by;
  return key ^ key >> 16;
}

key_array keys_from(key_width width, u64 first, u64 count) {
  key_array keys(width, count);
  keys.visit([&](auto& all) {
    for (u64 i = 0; i < count; ++i) all[i] = drawn(first + i);
  });
  return keys;
}

std::string words_of(std::span<const stage_time> stages) {
  std::string words;
  for (const stage_time& stage : stages)
    if (!stage.samples_ms.empty()) words += fmt::format(" {} {:.3f}", stage.name, stage.median());
  return words;
}

// The best of some runs, each on the same index. Returns the index after it.
std::shared_ptr<const built_index> best_of(machine& on, const built_index& index, std::string_view what,
                                           const script& batch, u32 repeats) {
  double best_ms = 0;
  std::string stages;
  std::shared_ptr<const built_index> after;
  u64 writes = 0;
  for (u64 i = 0; i < batch.size(); ++i) writes += is_write(batch.verb_of(i));
  for (u32 r = 0; r < repeats; ++r) {
    update_result done = expect(on.update(index, batch, 0, {.repeats = 1, .warm_ups = 0}, {}));
    if (done.counts.added + done.counts.erased + done.counts.noted != writes) stop("writes did not go through");
    after = std::move(done.index);
    if (best_ms != 0 && done.time.median() >= best_ms) continue;
    best_ms = done.time.median(), stages = words_of(done.stages);
  }
  fmt::print("{}: {:.3f} ms, {:.2f} G/s;{}\n", what, best_ms, static_cast<double>(batch.size()) / best_ms / 1e6,
             stages);
  return after;
}

script of_one_kind(operation kind, key_array keys) {
  script_columns columns;
  columns.verbs.assign(keys.size(), kind);
  columns.keys = std::move(keys);
  return script(std::move(columns), {});
}
// Finds and erases are of keys from `there` on, no key twice, inserts from `next` on.
script of_thirds(key_width width, u64 count, u64 there, u64 next) {
  script_columns columns;
  columns.keys = keys_from(width, there, count);
  columns.keys.visit([&](auto& keys) {
    for (u64 i = 0; i < count; ++i) {
      const u32 third = drawn(next + i) % 3;
      columns.verbs.push_back(third == 0 ? operation::find : third == 1 ? operation::insert : operation::erase);
      if (third == 1) keys[i] = drawn(next + i);
    }
  });
  const script_batch all{.begin = 0, .end = count, .mixed = true};
  return script(std::move(columns), {&all, 1});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) stop("update_benchmark cpu|cuda repeats \"config\" log2-of-keys,log2-of-writes ...");
  const std::unique_ptr<machine> on =
      expect(open_machine(std::string_view(argv[1]) == "cuda" ? machine_kind::cuda : machine_kind::cpu));
  const auto repeats = static_cast<u32>(std::atoi(argv[2]));
  const index_config config = expect(config_from_line(argv[3]));
  fmt::print("{}, {}\n", on->info().name, to_line(config));
  for (int i = 4; i < argc; ++i) {
    const std::string_view sizes = argv[i];
    const std::size_t comma = sizes.find(',');
    if (comma == std::string_view::npos) stop("sizes are two numbers, like 26,22");
    const u64 n = u64{1} << std::atoi(argv[i]), writes = u64{1} << std::atoi(argv[i] + comma + 1);
    std::shared_ptr<const built_index> index;
    std::string stages;
    for (u32 r = 0; r < 2; ++r) {  // the first one is a warm-up
      const auto loaded = expect(on->load(keys_from(config.keys, 0, n), {}));
      index = expect(on->build(config, loaded, {}));
      stages = words_of({&loaded->sort_time(), 1}) + words_of(index->build_times());
    }
    fmt::print("{} keys:{}\n", n, stages);
    index = best_of(*on, *index, "inserts", of_one_kind(operation::insert, keys_from(config.keys, n, writes)), repeats);
    best_of(*on, *index, "erases", of_one_kind(operation::erase, keys_from(config.keys, n / 2, writes)), repeats);
    best_of(*on, *index, "thirds", of_thirds(config.keys, writes, n / 2, n + writes), repeats);
  }
}
