// Mixed batches for so many seconds, in one process, with the oracle: finds, inserts and erases, 30 of a hundred each, and
// ranges and successors, five each (finds, where a family has none). An index is built of 2^K keys and takes 64
// batches of keys from twice as many; then another begins. A batch is checked before
// the next one, and every eighth time all entries are compared. An operation of 64 is on 1024 keys that lie beside each
// other, so that operations meet. After each index it prints the bytes that it came to and those of the process: neither
// may grow from one index to the next.
//
//   soak cpu|cuda SECONDS log2-of-keys log2-of-a-batch "config" [seed]
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/machine.hpp"
#include "core/run/entry_count.hpp"
#include "core/run/script_steps.hpp"
#include "tests/benchmarks/benchmark_support.hpp"

namespace {

using namespace pivotscope;
using seconds = std::chrono::duration<double>;

constexpr u64 batches_of_an_index = 64, compared_each = 8, hot_keys = 1024;

u64 next_of(u64& state) {  // splitmix64
  u64 z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

// What the program holds, and what the system counts for it once the allocator has given back what is free.
std::string memory_words() {
  malloc_trim(0);
  u64 all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  const struct mallinfo2 held = mallinfo2();
  constexpr double mebi = 1 << 20;
  return fmt::format("{:.0f} MiB in use, the process has {:.0f} MiB",
                     static_cast<double>(held.uordblks + held.hblkhd) / mebi,
                     static_cast<double>(resident) * 4096 / mebi);
}

operation drawn_operation(const index_config& config, u64 of_hundred) {
  if (of_hundred < 30) return operation::find;
  if (of_hundred < 60) return operation::insert;
  if (of_hundred < 90) return operation::erase;
  const operation last = of_hundred < 95 ? operation::range : operation::successor;
  return family_of(config).serves(last) ? last : operation::find;
}

script drawn_script(const index_config& config, u64 keys, u64 batch, u64& state) {
  const key_width width = config.keys;
  const u64 operations = batches_of_an_index * batch, hot = static_cast<u32>(next_of(state));
  const u64 width_of_range = 8 * ((u64{1} << 32) / keys);
  script_columns columns{.verbs = {}, .keys = key_array(width, operations), .highs = key_array(width, operations)};
  columns.verbs.reserve(operations);
  std::vector<script_batch> mixed;
  for (u64 i = 0; i < operations; i += batch) mixed.push_back({.begin = i, .end = i + batch, .mixed = true});
  columns.keys.visit([&](auto& lows) {
    using Key = std::decay_t<decltype(lows[0])>;
    for (u64 i = 0; i < operations; ++i) {
      const u64 drawn = next_of(state);
      columns.verbs.push_back(drawn_operation(config, (drawn >> 8) % 100));
      const bool is_hot = drawn % 64 == 0;
      lows[i] = is_hot ? static_cast<Key>(hot + (drawn >> 40) % hot_keys) : key_of((drawn >> 32) % (2 * keys));
    }
  });
  columns.highs.visit([&](auto& highs) {
    using Key = std::decay_t<decltype(highs[0])>;
    for (u64 i = 0; i < operations; ++i)
      highs[i] = static_cast<Key>(std::min<u64>(columns.keys[i] + width_of_range, ~u32{0}));
  });
  return script(std::move(columns), mixed);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) stop("soak cpu|cuda SECONDS log2-of-keys log2-of-a-batch \"config\" [seed]");
  const std::unique_ptr<machine> on =
      expect(open_machine(std::string_view(argv[1]) == "cuda" ? machine_kind::cuda : machine_kind::cpu));
  const double least_seconds = std::atof(argv[2]);
  const u64 keys = u64{1} << std::atoi(argv[3]), batch = u64{1} << std::atoi(argv[4]);
  const index_config config = expect(config_from_line(argv[5]));
  u64 state = argc > 6 ? static_cast<u64>(std::atoll(argv[6])) : 1;
  fmt::print("{}, {}, 2^{} keys, batches of 2^{}, seed {}\n", on->info().name, to_line(config), argv[3], argv[4],
             state);

  const auto begin = std::chrono::steady_clock::now();
  const auto taken = [&] { return seconds(std::chrono::steady_clock::now() - begin).count(); };
  u64 batches = 0, operations = 0, checked = 0, compared = 0;
  std::vector<script_answer> answers(batch);
  for (u64 number = 1; taken() < least_seconds; ++number) {
    key_array input(config.keys, keys);
    input.visit([&](auto& all) {
      for (u64 i = 0; i < keys; ++i) all[i] = key_of(i);
    });
    const script s = drawn_script(config, keys, batch, state);
    const std::shared_ptr<const key_set> set = expect(key_set::load(*on, std::move(input), {}));
    std::shared_ptr<const built_index> built = expect(on->build(config, set->resident(), {}));
    const u64 bytes_before = built->bytes();
    u64 most_bytes = bytes_before;
    script_steps steps(std::move(built), *set);
    const auto expect_right = [&](std::string_view words, u64 at) {
      if (words.empty()) return;
      fmt::print("WRONG in index {}, batch {}: {}\n", number, at, words);
      std::exit(1);
    };
    u64 b = 0;
    for (; b < batches_of_an_index && taken() < least_seconds; ++b) {
      const script_batch_record done = expect(steps.next(*on, s, {}, answers, {}));
      expect_right(done.check.wrong > 0 ? done.check.first_wrong : "", b);
      ++batches, operations += batch, checked += done.check.checked;
      most_bytes = std::max(most_bytes, steps.index()->bytes());
      if (b % compared_each != compared_each - 1) continue;
      expect_right(expect(steps.compare({})), b);
      ++compared;
    }
    expect_right(expect(steps.compare({})), b);
    ++compared;
    fmt::print("{:6.0f} s: index {}: {} batches, {} bytes at first, {} at most, {} entries; {}\n", taken(), number, b,
               bytes_before, most_bytes, entry_count(*steps.index()), memory_words());
    std::fflush(stdout);
  }
  fmt::print("{:.0f} s, {} batches, {} operations, {} answers checked, all entries compared {} times: all right\n",
             taken(), batches, operations, checked, compared);
}
