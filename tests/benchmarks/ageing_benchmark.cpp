// Does a table age? It is built of so many keys; then each round erases the oldest slice and inserts as many new keys.
// Prints the rates of the first and of the last tenth of the rounds (medians), without and with what making room took,
// and the index's bytes. In every tenth round what went in and what went out is looked up, all of it; at the end the
// entries are counted.
//
//   ageing_benchmark cpu|cuda log2-of-keys log2-of-a-slice rounds "config" ...
//   ageing_benchmark cuda 22 16 1000 "HT+OA load=85" "HT+BUCKET load=85"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/index/config_text.hpp"
#include "core/machine/machine.hpp"
#include "core/run/entry_count.hpp"
#include "core/workload/script.hpp"
#include "tests/benchmarks/benchmark_support.hpp"

namespace {

using namespace pivotscope;

key_array keys_from(u64 first, u64 count) {
  std::vector<u32> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = key_of(first + i);
  return key_array(std::move(keys));
}

// Batch 2r erases the slice of round r, and batch 2r + 1 inserts as many keys.
script all_rounds(u64 keys, u64 slice, u64 rounds) {
  script_columns columns;
  std::vector<u32> list;
  list.reserve(2 * slice * rounds);
  for (u64 r = 0; r < rounds; ++r) {
    for (u64 i = 0; i < slice; ++i) list.push_back(key_of(r * slice + i));
    for (u64 i = 0; i < slice; ++i) list.push_back(key_of(keys + r * slice + i));
    columns.verbs.insert(columns.verbs.end(), slice, operation::erase);
    columns.verbs.insert(columns.verbs.end(), slice, operation::insert);
  }
  columns.keys = key_array(std::move(list));
  return script(std::move(columns), {});
}

double ms_of(const std::vector<stage_time>& stages) {
  double sum = 0;
  for (const stage_time& stage : stages) sum += stage.samples_ms.empty() ? 0 : stage.median();
  return sum;
}
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}
double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void expect_rows(machine& on, const built_index& index, u64 first, u64 count, bool there) {
  const batch asked{.kind = operation::find, .keys = keys_from(first, count)};
  const batch_result got = expect(on.run(index, asked, {}, {}));
  for (u64 i = 0; i < count; ++i) {
    if (got.answers.found[i] != (there ? static_cast<u32>(first + i) : not_found))
      stop(fmt::format("key {} has row {}", key_of(first + i), got.answers.found[i]));
  }
}

// Times of one kind of batch, round by round.
struct times_ms {
  std::vector<double> alone, with_room;
  void add(const update_result& done) {
    alone.push_back(done.time.median());
    with_room.push_back(done.time.median() + ms_of(done.room));
  }
  void print(std::string_view what, u64 slice) const {
    const u64 part = std::max<u64>(1, alone.size() / 10);
    const auto rate = [&](double ms) { return static_cast<double>(slice) / ms / 1e3; };
    const auto cut = [&](const std::vector<double>& all, bool last) {
      return last ? std::vector<double>(all.end() - static_cast<std::ptrdiff_t>(part), all.end())
                  : std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(part));
    };
    const double first = rate(median(cut(alone, false))), last = rate(median(cut(alone, true)));
    fmt::print("  {:<8} first {:>8.1f} M/s, last {:>8.1f} M/s: {:.3f}; with room for them {:.1f} and {:.1f} M/s\n",
               what, first, last, last / first, rate(mean(cut(with_room, false))), rate(mean(cut(with_room, true))));
  }
};

void age(machine& on, const index_config& config, u64 keys, u64 slice, u64 rounds) {
  const script s = all_rounds(keys, slice, rounds);
  if (s.batches().size() != 2 * rounds) stop("a round is not two batches");
  std::shared_ptr<const built_index> index = expect(on.build(config, expect(on.load(keys_from(0, keys), {})), {}));
  const u64 bytes_before = index->bytes();
  times_ms erases, inserts;
  u64 most_bytes = bytes_before, cleaned = 0, grown = 0;
  for (u64 r = 0; r < rounds; ++r) {
    for (const bool insert : {false, true}) {
      update_result done = expect(on.update(*index, s, 2 * r + insert, {}, {}));
      if ((insert ? done.counts.added + done.counts.revived : done.counts.erased + done.counts.noted) != slice)
        stop(fmt::format("round {}: {} of {} went through", r, insert ? done.counts.added : done.counts.erased, slice));
      for (const stage_time& stage : done.room) cleaned += stage.name == "clean up", grown += stage.name == "grow";
      (insert ? inserts : erases).add(done);
      index = std::move(done.index);
      most_bytes = std::max(most_bytes, index->bytes());
    }
    if (r % 10 != 9) continue;
    expect_rows(on, *index, keys + r * slice, slice, true);
    expect_rows(on, *index, r * slice, slice, false);
  }
  if (entry_count(*index) != keys) stop("entries were lost or came twice");
  fmt::print("{}, 2^{:.0f} keys, {} rounds of {}: {} bytes at first, {} at most, {} at last; cleaned up {}, grown {}\n",
             to_line(config), std::log2(keys), rounds, slice, bytes_before, most_bytes, index->bytes(), cleaned, grown);
  erases.print("erases", slice);
  inserts.print("inserts", slice);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) stop("ageing_benchmark cpu|cuda log2-of-keys log2-of-a-slice rounds \"config\" ...");
  const u64 keys = 1ull << std::atoi(argv[2]), slice = 1ull << std::atoi(argv[3]);
  const u64 rounds = static_cast<u64>(std::atoi(argv[4]));
  const std::unique_ptr<machine> on =
      expect(open_machine(std::string_view(argv[1]) == "cuda" ? machine_kind::cuda : machine_kind::cpu));
  fmt::print("{}\n", on->info().name);
  for (int i = 5; i < argc; ++i) age(*on, expect(config_from_line(argv[i])), keys, slice, rounds);
}
