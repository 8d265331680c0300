#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <regex>
#include <set>

#include "core/common/timing_turns.hpp"
#include "core/index/check.hpp"
#include "core/index/family.hpp"
#include "core/machine/cpu/radix_sort.hpp"
#include "core/machine/machine.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/file_tree.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/small_configs.hpp"

namespace pivotscope {
namespace {

using testing::check_answers;
using testing::config_of;
using ::testing::HasSubstr;
using testing::look_up;
using testing::ranges_of;

template <class Key>
void expect_stable_sort(u64 n, Key mask) {
  std::mt19937_64 random(n);
  auto keys = make_host_array<Key>(n);
  auto rows = make_host_array<u32>(n);
  std::vector<std::pair<Key, u32>> expected(n);
  for (u64 i = 0; i < n; ++i) {
    keys[i] = static_cast<Key>(random()) & mask;
    rows[i] = static_cast<u32>(i);
    expected[i] = {keys[i], rows[i]};
  }
  std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ASSERT_TRUE(radix_sort_pairs(keys, rows, n, job_control{}));
  for (u64 i = 0; i < n; ++i)
    ASSERT_TRUE(keys[i] == expected[i].first && rows[i] == expected[i].second) << i << " of " << n;
}

TEST(RadixSort, IsAStableSortAtEverySmallSizeAndSomeLargeOnes) {
  for (u64 n = 0; n <= 70; ++n) {
    expect_stable_sort<u32>(n, ~0u);
    expect_stable_sort<u64>(n, ~0ull);
    expect_stable_sort<u32>(n, 3);
  }
  for (const u64 n : {16383ull, 16384ull, 16385ull, 131071ull, 300001ull}) {
    expect_stable_sort<u32>(n, ~0u);
    expect_stable_sort<u64>(n, ~0ull);
    expect_stable_sort<u64>(n, 0xFF00);
  }
}

TEST(RadixSort, StopsWhenCancelled) {
  const u64 n = 100000;
  auto keys = make_host_array<u32>(n);
  auto rows = make_host_array<u32>(n);
  job_control control;
  control.cancel();
  EXPECT_FALSE(radix_sort_pairs(keys, rows, n, control));
}

// A million keys: many tiles, the last one ragged, on every order.
TEST(CpuMachine, AnswersAMillionLookupsRight) {
  const u64 n = 1'000'003;
  std::vector<u32> keys(n);
  for (u64 i = 0; i < n; ++i) keys[i] = static_cast<u32>(i) * 2654435761u;
  std::vector<u32> lookups(n);
  for (u64 i = 0; i < n; ++i) lookups[i] = static_cast<u32>(i) * 2654435761u + (i % 3 == 0);
  auto cpu = open_machine(machine_kind::cpu);
  const key_array key_set(keys), wanted(lookups);
  const auto resident = (*cpu)->load(key_set, job_control{});
  ASSERT_TRUE(resident);
  for (const char* line :
       {"AO+BS", "EO+BS per_thread=3", "AO+PB+BS layout=soa", "EO+KS lanes=3", "AO+PB+KS fanout=17 lanes=4"}) {
    const auto index = (*cpu)->build(config_of(line), *resident, job_control{});
    ASSERT_TRUE(index);
    const auto result = look_up(**cpu, **index, wanted, {.repeats = 2, .warm_ups = 1});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->time.samples_ms.size(), 2u);
    const check_report report = check_answers(key_set, wanted, result->answers.found);
    EXPECT_EQ(report.checked, n);
    EXPECT_EQ(report.wrong, 0u) << line << ": " << report.first_wrong;
    EXPECT_GE(report.found, n * 2 / 3);
  }
}

TEST(CpuMachine, CancelEndsEveryStage) {
  auto cpu = open_machine(machine_kind::cpu);
  const key_array keys(std::vector<u32>(200'000, 5));
  const auto resident = (*cpu)->load(keys, job_control{});
  const auto index = (*cpu)->build(config_of("EO+BS"), *resident, job_control{});
  job_control cancelled;
  cancelled.cancel();
  EXPECT_TRUE((*cpu)->load(keys, cancelled).error().cancelled);
  EXPECT_TRUE((*cpu)->build(config_of("EO+BS"), *resident, cancelled).error().cancelled);
  EXPECT_TRUE(look_up(**cpu, **index, keys, {}, cancelled).error().cancelled);
}

TEST(CpuMachine, CancelInTheMiddleOfASort) {
  auto cpu = open_machine(machine_kind::cpu);
  std::unique_ptr<job_control> control;
  control = std::make_unique<job_control>([&](std::string_view stage, double fraction) {
    if (stage == "sorting" && fraction > 0.4) control->cancel();
  });
  const auto resident = *(*cpu)->load(key_array(std::vector<u32>(200'000, 5)), job_control{});
  const auto index = (*cpu)->build(config_of("AO+BS"), resident, *control);
  ASSERT_FALSE(index);
  EXPECT_TRUE(index.error().cancelled);
}

// Keys lie on the machine as they came until a family wants them sorted; whatever becomes of that sort, both kinds of family
// build from them as ever.
template <class Key>
class cpu_keys_as_they_came : public ::testing::Test {
 protected:
  void SetUp() override {
    for (u64 i = 0; i < n; ++i) came.push_back(static_cast<Key>((i * 2654435761u) % 50'000 + 7));  // with duplicates
    came[n - 2] = 3, came[n - 1] = 60'000;  // the ends of the keys stand at their end
    wide = sizeof(Key) == 8 ? " keys=u64" : "";
    resident = *on->load(key_array(came), job_control{});
  }
  std::shared_ptr<const built_index> built(const std::string& line, const job_control& control = job_control{}) {
    auto index = on->build(config_of((line + wide).c_str()), resident, control);
    return index ? *index : nullptr;
  }
  static std::vector<std::byte> bytes_of(const built_index& index) {
    std::vector<std::byte> bytes(index.bytes(main_region));
    EXPECT_TRUE(index.read(main_region, 0, bytes));
    return bytes;
  }
  bool sorted() const { return !resident->sort_time().samples_ms.empty(); }

  static constexpr u64 n = 100'000;
  std::vector<Key> came;
  std::string wide;
  std::unique_ptr<machine> on = detail::open_cpu();
  std::shared_ptr<const resident_keys> resident;
};
using both_widths = ::testing::Types<u32, u64>;
TYPED_TEST_SUITE(cpu_keys_as_they_came, both_widths);

TYPED_TEST(cpu_keys_as_they_came, are_sorted_by_the_first_who_wants_them_so) {
  const auto plain = this->built("PLAIN reorder=lookup");
  EXPECT_FALSE(this->sorted()) << "PLAIN wants no sort";
  std::atomic<u32> sorting{0};  // workers report
  const job_control seen([&](std::string_view stage, double) { sorting += stage == "sorting"; });
  const auto ascending = this->built("AO+BS", seen);
  EXPECT_GT(sorting.load(), 0u);
  ASSERT_TRUE(this->sorted());
  const std::vector<double> took = this->resident->sort_time().samples_ms;
  EXPECT_EQ(took.size(), 1u);
  sorting = 0;
  this->built("EO+BS", seen);
  EXPECT_EQ(sorting.load(), 0u) << "once";
  EXPECT_EQ(this->resident->sort_time().samples_ms, took);
  const auto again = this->built("PLAIN reorder=lookup");
  EXPECT_EQ(this->bytes_of(*plain), this->bytes_of(*again)) << "of the sorted pairs the same";
  const auto [least, greatest] = std::minmax_element(this->came.begin(), this->came.end());
  for (const auto& index : {plain, ascending, again}) {
    EXPECT_EQ(index->key_range(), (std::pair<u64, u64>{*least, *greatest}));
    EXPECT_EQ(index->sort_bits(), sort_bits_for(index->config().launch, *least, *greatest));
  }
}

TYPED_TEST(cpu_keys_as_they_came, outlive_a_sort_that_is_cancelled) {
  const auto plain = this->built("PLAIN");
  const auto fresh = *this->on->load(key_array(this->came), job_control{});
  const auto ascending = *this->on->build(config_of(("AO+BS" + this->wide).c_str()), fresh, job_control{});
  for (const double until : {-1.0, 0.1, 0.3, 0.55, 0.8, 1.0}) {
    std::unique_ptr<job_control> control;
    control = std::make_unique<job_control>([&](std::string_view stage, double done) {
      if (stage == (until < 0 ? "numbering rows" : "sorting") && done >= until) control->cancel();
    });
    EXPECT_EQ(this->built("AO+BS", *control), nullptr);
    EXPECT_FALSE(this->sorted());
    EXPECT_EQ(this->bytes_of(*this->built("PLAIN")), this->bytes_of(*plain)) << until;
  }
  EXPECT_EQ(this->bytes_of(*this->built("AO+BS")), this->bytes_of(*ascending)) << "stable all the same";
}

TEST(CpuMachine, KeysWithoutAnyHaveNoRange) {
  auto cpu = open_machine(machine_kind::cpu);
  const auto none = *(*cpu)->load(key_array(key_width::u32, 0), job_control{});
  for (const char* line : {"PLAIN", "EO+BS"})
    EXPECT_EQ((*(*cpu)->build(config_of(line), none, job_control{}))->key_range(), (std::pair<u64, u64>{0, 0}));
}

TEST(check_keys, says_how_many_a_method_holds) {
  EXPECT_EQ(check_keys(config_of("EO+BS"), max_keys), std::nullopt);
  EXPECT_EQ(check_keys(config_of("EO+BS"), max_keys + 1),
            "EO+BS holds at most 4294967294 keys, and these are 4294967295: use fewer keys or another method");
}

TEST(CpuMachine, RefusesWhatDoesNotFitTogether) {
  auto cpu = open_machine(machine_kind::cpu);
  const auto narrow = (*cpu)->load(key_array(std::vector<u32>{1, 2}), job_control{});
  EXPECT_THAT((*cpu)->build(config_of("EO+BS keys=u64"), *narrow, job_control{}).error().words,
              "the config's key width is not that of the keys on the machine");
  EXPECT_THAT((*cpu)->build(ordered_config{.fanout = 50}, *narrow, job_control{}).error().words,
              HasSubstr("fanout=50"));
  const auto index = (*cpu)->build(config_of("EO+BS"), *narrow, job_control{});
  EXPECT_THAT(look_up(**cpu, **index, key_array(std::vector<u64>{1})).error().words,
              "the lookups' key width is not that of the index");
  const key_array four(std::vector<u32>{1}), eight(std::vector<u64>{1}), two(std::vector<u32>{1, 2});
  const auto words = [&](const batch& asked) { return (*cpu)->run(**index, asked, {}, job_control{}).error().words; };
  EXPECT_EQ(words(ranges_of(eight, eight)), "the ranges' key width is not that of the index");
  EXPECT_EQ(words(ranges_of(four, eight)), "the ranges' key width is not that of the index");
  EXPECT_EQ(words(ranges_of(four, two)), "the ranges have more ends of one kind than of the other");
  std::byte byte;
  EXPECT_THAT((*index)->read(ordered_region::entries, (*index)->bytes(), {&byte, 1}).error().words,
              HasSubstr("outside"));
  EXPECT_TRUE((*index)->read(ordered_region::entries, (*index)->bytes() - 1, {&byte, 1}));
}

// Nothing is stored beyond what the order says: the minimal footprints of lightweight, Figure 21(b).
TEST(CpuMachine, FootprintIsTheEntriesAndThePivots) {
  const u64 n = 1 << 16;
  auto cpu = open_machine(machine_kind::cpu);
  const auto resident = (*cpu)->load(key_array(std::vector<u32>(n, 1)), job_control{});
  const auto bytes = [&](const char* line) {
    return (*(*cpu)->build(config_of(line), *resident, job_control{}))->bytes();
  };
  EXPECT_EQ(bytes("AO+BS"), 8 * n);
  EXPECT_EQ(bytes("AO+BS layout=soa"), 8 * n);
  EXPECT_EQ(bytes("EO+BS"), 8 * (n + 1));
  EXPECT_EQ(bytes("EO+KS fanout=9"), 8 * n);
  EXPECT_EQ(bytes("AO+PB+BS"), 8 * n + 4 * (n / 2 - 1));
  EXPECT_LT(bytes("AO+PB+KS fanout=9"), 8 * n + 4 * (n / 8) + 4 * 8 * 8);
}

// What a build, a lookup and a range say of themselves.
TEST(CpuMachine, NamesItsStagesAndTakesEveryTimeAsked) {
  auto cpu = open_machine(machine_kind::cpu);
  EXPECT_EQ((*cpu)->info().kind, machine_kind::cpu);
  EXPECT_EQ((*cpu)->info().detail, "lanes are loops, blocks are tasks; times are the CPU's");
  EXPECT_EQ((*cpu)->info().max_threads_per_block, 1024u);
  EXPECT_EQ((*cpu)->info().compute_capability, 0u);
  const key_array keys(std::vector<u32>{5, 3, 5, 1});
  const auto resident = *(*cpu)->load(keys, job_control{});
  EXPECT_EQ(resident->size(), 4u);
  EXPECT_EQ(resident->width(), key_width::u32);
  EXPECT_EQ(resident->sort_time().name, "sort");
  EXPECT_TRUE(resident->sort_time().samples_ms.empty()) << "nobody has asked for it yet";
  EXPECT_EQ((*(*cpu)->load(key_array(std::vector<u64>{5}), job_control{}))->width(), key_width::u64);

  const auto stages = [&](const char* line) {
    const auto index = *(*cpu)->build(config_of(line), resident, job_control{});
    EXPECT_EQ(index->kind(), machine_kind::cpu);
    EXPECT_TRUE(index->kernels().empty());
    std::vector<std::string> names;
    for (const stage_time& stage : index->build_times()) {
      names.push_back(stage.name);
      EXPECT_EQ(stage.samples_ms.size(), 1u);
      EXPECT_GE(stage.samples_ms[0], 0);
    }
    return names;
  };
  EXPECT_EQ(stages("EO+BS"), std::vector<std::string>{"build entries"});
  EXPECT_EQ(stages("AO+PB+BS"), (std::vector<std::string>{"build entries", "empty pivots"}));
  EXPECT_EQ(stages("AO+PB+KS fanout=5"), std::vector<std::string>{"build entries"}) << "one leaf has no pivots";

  EXPECT_EQ((*cpu)->prepare(config_of("EO+BS"), operation::find, job_control{})->name, "lookup");
  EXPECT_EQ((*cpu)->prepare(config_of("EO+BS"), operation::range, job_control{})->name, "ranges");
  EXPECT_THAT((*cpu)->prepare(ordered_config{.fanout = 50}, operation::find, job_control{}).error().words,
              HasSubstr("fanout=50"));
  const auto index = *(*cpu)->build(config_of("EO+BS"), resident, job_control{});
  for (const u32 repeats : {0u, 1u, 3u}) {
    for (const u32 warm_ups : {0u, 2u}) {
      const auto result = look_up(**cpu, *index, keys, {.repeats = repeats, .warm_ups = warm_ups});
      EXPECT_EQ(result->time.samples_ms.size(), std::max(1u, repeats));
      EXPECT_EQ(result->time.name, "lookup");
      EXPECT_EQ(result->kernel.name, "lookup");
      const batch ranges = ranges_of(keys, keys);
      for (const bool rows : {false, true}) {
        const auto found =
            (*cpu)->run(*index, ranges, {.repeats = repeats, .warm_ups = warm_ups, .rows = rows}, job_control{});
        EXPECT_EQ(found->time.samples_ms.size(), std::max(1u, repeats));
        EXPECT_EQ(found->time.name, "ranges");
        EXPECT_EQ(found->kernel.name, "ranges");
        ASSERT_EQ(found->row_times.size(), rows ? 2u : 0u);
        EXPECT_EQ(found->answers.begins, rows ? (std::vector<u64>{0, 2, 3, 5, 6}) : std::vector<u64>{});
        EXPECT_EQ(found->answers.rows.size(), rows ? 6u : 0u);
        timing_turns room;
        EXPECT_TRUE((*cpu)->run(*index, ranges, {.repeats = repeats, .warm_ups = warm_ups}, job_control({}, &room)));
        EXPECT_EQ(room.timed(), warm_ups + std::max(1u, repeats));
        if (!rows) continue;
        EXPECT_EQ(found->row_times[0].name, "scan counts");
        EXPECT_EQ(found->row_times[1].name, "write rows");
        EXPECT_EQ(found->row_times[0].samples_ms.size() + found->row_times[1].samples_ms.size(), 2u);
      }
    }
  }
}

// 2^12 ranges of all 2^12 keys: their counts take little, their row ids 64 MiB.
TEST(CpuMachine, TooLittleMemoryForTheRowsOfRangesIsAProblemInWords) {
  constexpr u64 n = 1 << 12;
  std::vector<u32> keys(n);
  for (u64 i = 0; i < n; ++i) keys[i] = static_cast<u32>(i * 2654435761u);
  const auto cpu = detail::open_cpu();
  const auto index = testing::build_on_cpu(config_of("AO+BS"), key_array(keys));
  const batch all = ranges_of(key_array(std::vector<u32>(n, 0)), key_array(std::vector<u32>(n, ~0u)));
  const free_memory free(48u << 20);
  const auto refused = cpu->run(*index, all, {.rows = true}, job_control{});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().words,
            "not enough memory: 64 MiB are needed for the ranges' row ids, 48 MiB are free; use fewer");
  EXPECT_FALSE(refused.error().cancelled || refused.error().wrong || refused.error().ends_machine);
  EXPECT_TRUE(cpu->run(*index, all, {}, job_control{})) << "their counts are there";
  free.set(64u << 20);
  const auto listed = cpu->run(*index, all, {.rows = true}, job_control{});
  ASSERT_TRUE(listed) << listed.error().words;
  EXPECT_EQ(listed->answers.rows.size(), n * n);
  EXPECT_EQ(listed->answers.begins.back(), n * n);
}

TEST(CpuMachine, SaysWhichBytesAreOutside) {
  const auto index = testing::build_on_cpu(config_of("EO+BS layout=soa"), key_array(std::vector<u32>{5, 3, 1}));
  EXPECT_EQ(index->bytes(ordered_region::entries), 16u);
  EXPECT_EQ(index->bytes(ordered_region::rows), 16u);
  EXPECT_EQ(index->bytes(ordered_region::pivots), 0u);
  EXPECT_EQ(index->bytes(), 32u);
  std::byte bytes[20];
  EXPECT_TRUE(index->read(ordered_region::entries, 0, {bytes, 16}));
  EXPECT_TRUE(index->read(ordered_region::entries, 16, {bytes, 0}));
  EXPECT_EQ(index->read(ordered_region::entries, 0, {bytes, 17}).error().words,
            "bytes 0 to 17 are outside an array of 16");
  EXPECT_EQ(index->read(ordered_region::rows, 4, {bytes, 13}).error().words,
            "bytes 4 to 17 are outside an array of 16");
  EXPECT_EQ(index->read(ordered_region::entries, 17, {bytes, 0}).error().words,
            "bytes 17 to 17 are outside an array of 16");
  EXPECT_EQ(index->read(ordered_region::pivots, 0, {bytes, 1}).error().words, "bytes 0 to 1 are outside an array of 0");
  EXPECT_FALSE(index->read(ordered_region::entries, ~0ull, {bytes, 2})) << "the sum would wrap";
}

TEST(CpuMachine, RefusesAnIndexOfAnotherMachine) {
  class foreign final : public built_index {
   public:
    const index_config& config() const override { return config_; }
    u64 keys() const override { return 0; }
    std::span<const index_region> regions() const override { return {}; }
    std::span<const std::byte> state() const override { return {}; }
    std::pair<u64, u64> key_range() const override { return {0, 0}; }
    machine_kind kind() const override { return machine_kind::cuda; }
    status read(region_id, u64, std::span<std::byte>) const override { return fine(); }
    std::span<const stage_time> build_times() const override { return {}; }
    std::span<const kernel_info> kernels() const override { return {}; }

   private:
    index_config config_ = default_config();
  };
  auto cpu = open_machine(machine_kind::cpu);
  const key_array keys(std::vector<u32>{1});
  EXPECT_EQ(look_up(**cpu, foreign(), keys).error().words, "the index was built on another machine");
  EXPECT_EQ((*cpu)->run(foreign(), ranges_of(keys, keys), {}, job_control{}).error().words,
            "the index was built on another machine");
}

// Work is shared out in chunks, and each says how far it is; the last says all.
TEST(CpuMachine, ReportsEveryStageToItsEnd) {
  std::mutex mutex;
  std::map<std::string, std::multiset<double>> stages;
  const job_control control([&](std::string_view stage, double fraction) {
    const std::scoped_lock lock(mutex);
    stages[std::string(stage)].insert(fraction);
  });
  auto cpu = open_machine(machine_kind::cpu);
  const key_array keys(std::vector<u32>(200'000, 7));
  const auto resident = *(*cpu)->load(keys, control);
  const auto index = *(*cpu)->build(config_of("AO+PB+BS"), resident, control);
  ASSERT_TRUE(look_up(**cpu, *index, keys, {}, control));
  const auto chunks = [&](const std::string& stage) {
    EXPECT_FALSE(stages[stage].empty()) << stage;
    EXPECT_EQ(*stages[stage].rbegin(), 1) << stage;
    EXPECT_GT(*stages[stage].begin(), 0) << stage;
    return stages[stage].size();
  };
  EXPECT_EQ(chunks("copying keys"), 4u) << "200,000 keys, 65,536 at a time";
  EXPECT_EQ(chunks("building entries"), 4u);
  EXPECT_EQ(chunks("filling empty pivots"), 1u) << "a few";
  chunks("sorting");
  EXPECT_EQ(stages["looking up"].size(), 13u) << "782 tiles of 256; every 64th is said";
  EXPECT_EQ(*stages["looking up"].begin(), 0);
  EXPECT_EQ(*stages["looking up"].rbegin(), 768.0 / 782);
}

TEST(CpuMachine, IsThisProcessor) {
  const machine_info info = detail::report_cpu().info;
  std::ifstream file("/proc/cpuinfo");
  std::string line, name = "processor";
  while (std::getline(file, line)) {
    std::smatch found;
    if (!std::regex_match(line, found, std::regex("model name\\s*: (.*)"))) continue;
    name = found[1];
    break;
  }
  EXPECT_EQ(info.name, name + ", " + std::to_string(info.processors) + (info.processors == 1 ? " thread" : " threads"));
  EXPECT_EQ(info.kind, machine_kind::cpu);
  EXPECT_GE(info.processors, 1u);
  const u64 mebibytes = info.memory_bytes >> 20;
  std::ifstream memory("/proc/meminfo");
  u64 kibibytes = 0;
  memory >> line >> kibibytes;  // MemTotal: N kB
  EXPECT_EQ(mebibytes, kibibytes >> 10);
  EXPECT_EQ(info.max_threads_per_block, 1024u);
  EXPECT_EQ(info.compute_capability, 0u);
}

}  // namespace
}  // namespace pivotscope
