// Every branch of the decision tree, and its boundary.
#include "core/tuning/adviser.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/families/packed/config.hpp"
#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"
#include "tests/core/tuning/asked_machines.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

bool says(const std::vector<advice_reason>& reasons, std::string_view part) {
  for (const advice_reason& reason : reasons)
    if (reason.words.find(part) != std::string::npos) return true;
  return false;
}

std::string line(const workload_facts& facts) { return to_line(advise(facts, a_gpu()).config); }

TEST(adviser, order_is_free) {
  EXPECT_EQ(line({.keys = few}), "EO+BS");
  EXPECT_EQ(line({.keys = many}), "EO+KS");
  EXPECT_EQ(line({.keys = many, .width = key_width::u64}), "EO+KS keys=u64");
  EXPECT_EQ(knobs_of(advise({.keys = many}, a_gpu()).config).lanes, 8u);
}

TEST(adviser, ascending_order_takes_the_optimised_binary_search_and_then_pivots) {
  for (const workload_facts& facts :
       {workload_facts{.keys = few, .ascending = true}, workload_facts{.keys = few, .short_rebuild = true}}) {
    const advice given = advise(facts, a_gpu());
    EXPECT_EQ(method_name(given.config), "AO+BS");
    EXPECT_EQ(knobs_of(given.config).pin, pin_kind::full);
    EXPECT_EQ(given.config.launch.reorder, reorder_kind::both);
  }
  EXPECT_EQ(line({.keys = many, .ascending = true}), "AO+PB+KS");
  EXPECT_EQ(line({.keys = many, .short_rebuild = true}), "AO+PB+KS");
}

TEST(adviser, the_smallest_has_no_pivots) {
  EXPECT_EQ(line({.keys = few, .smallest = true}), "EO+BS");
  EXPECT_EQ(line({.keys = many, .smallest = true}), "EO+KS");
  EXPECT_EQ(line({.keys = many, .smallest = true, .short_rebuild = true}), "EO+KS");
  EXPECT_EQ(method_name(advise({.keys = many, .ascending = true, .smallest = true}, a_gpu()).config), "AO+BS");
}

TEST(adviser, many_small_ranges_want_ascending_order) {
  const advice small = advise({.keys = few, .range_share = 1, .range_entries = 64}, a_gpu());
  EXPECT_EQ(method_name(small.config), "AO+BS");
  EXPECT_EQ(knobs_of(small.config).scan, scan_kind::cooperative);
  EXPECT_EQ(knobs_of(small.config).layout, entry_layout::aos);
  EXPECT_TRUE(says(small.reasons, "100% of the lookups are small ranges of about 64 entries"));
  EXPECT_EQ(line({.keys = many, .range_share = 1, .range_entries = 64}), "AO+PB+KS");
  // Few of them, or large ones, leave the order free.
  EXPECT_EQ(line({.keys = many, .range_share = 0.49, .range_entries = 64}), "EO+KS");
  EXPECT_EQ(line({.keys = many, .range_share = 1, .range_entries = most_of_a_small_range + 1}), "EO+KS");
  EXPECT_EQ(line({.keys = many, .range_share = 1, .range_entries = most_of_a_small_range}), "AO+PB+KS");
}

TEST(adviser, a_workload_says_its_ranges) {
  workload load{.keys = few, .dist = distribution::uniform};
  EXPECT_EQ(facts_of(load, key_width::u64).range_share, 0);
  load.ranges = 100;
  load.range_hits = 7;
  EXPECT_EQ(facts_of(load, key_width::u64).range_share, 1);
  EXPECT_EQ(facts_of(load, key_width::u64).range_entries, 7u);
  EXPECT_EQ(facts_of(load, key_width::u64).keys, few);
  EXPECT_EQ(facts_of(load, key_width::u64).width, key_width::u64);
}

TEST(adviser, the_boundary_is_the_size_of_l2) {
  const u64 exact = (50ull << 20) / 8;
  EXPECT_EQ(input_bytes({.keys = exact}), 50ull << 20);
  EXPECT_EQ(line({.keys = exact - 1}), "EO+BS");
  EXPECT_EQ(line({.keys = exact}), "EO+BS");
  EXPECT_EQ(line({.keys = exact + 1}), "EO+KS");
  EXPECT_EQ(line({.keys = exact / 2, .width = key_width::u64}), "EO+BS keys=u64");
  EXPECT_EQ(line({.keys = exact / 2 + 1, .width = key_width::u64}), "EO+KS keys=u64");
  EXPECT_EQ(method_name(advise({.keys = exact, .ascending = true}, a_gpu()).config), "AO+BS");
  EXPECT_EQ(method_name(advise({.keys = exact + 1, .ascending = true}, a_gpu()).config), "AO+PB+KS");
}

TEST(adviser, reasons_have_their_numbers_and_sources) {
  const advice given = advise({.keys = many}, a_gpu());
  EXPECT_TRUE(says(given.reasons, "2^28 keys and their row ids take 2 GiB, more than the 50 MiB of L2, so K = 9"));
  EXPECT_EQ(given.reasons.front().source, "lightweight, Section 6.1");
}

TEST(adviser, what_we_measured_is_said_as_such) {
  const advice large = advise({.keys = many / 4, .ascending = true}, a_gpu());
  ASSERT_TRUE(large.measured);
  EXPECT_EQ(to_line(*large.measured), "AO+PB+KS lanes=2");
  EXPECT_EQ(large.measured_reasons.front().source, "docs/measurements.md");
  EXPECT_EQ(large.best(), *large.measured);
  EXPECT_EQ(to_line(*advise({.keys = many, .ascending = true}, a_gpu()).measured), "AO+PB+KS fanout=17 lanes=2");
  EXPECT_EQ(to_line(*advise({.keys = few, .ascending = true}, a_gpu()).measured), "AO+PB+KS fanout=5 lanes=1");
  EXPECT_EQ(to_line(*advise({.keys = many, .ascending = true, .smallest = true}, a_gpu()).measured),
            "AO+BS threads=512 per_thread=8 schedule=static blocks_per_sm=2 pin=steps reorder=double");

  machine_info cpu = a_gpu();
  cpu.kind = machine_kind::cpu;
  const advice guess = advise({.keys = many}, cpu);
  EXPECT_TRUE(says(guess.reasons, "this machine is a CPU"));
  EXPECT_EQ(to_line(guess.best()), "PACKED leaf=32 lanes=1");
  EXPECT_TRUE(says(guess.measured_reasons, "on the processor that we measured"));
  const auto on_cpu = [&](const workload_facts& facts) { return to_line(advise(facts, cpu).best()); };
  EXPECT_EQ(on_cpu({.keys = 1ull << 19}), "PACKED leaf=32 lanes=1");
  EXPECT_EQ(on_cpu({.keys = (1ull << 19) - 1}), "AO+PB+KS");
  EXPECT_FALSE(advise({.keys = many, .width = key_width::u64}, cpu).measured);
  EXPECT_FALSE(advise({.keys = many, .range_share = 0.5, .range_entries = 1 << 20}, cpu).measured);
  EXPECT_FALSE(advise({.keys = few, .short_rebuild = true}, cpu).measured);
  EXPECT_EQ(on_cpu({.keys = many, .ascending = true}), "AO+PB+KS");
  EXPECT_EQ(on_cpu({.keys = many, .range_share = 1, .range_entries = 64}), "AO+PB+KS");
  EXPECT_FALSE(advise({.keys = many, .smallest = true}, cpu).measured);
}

// Where a hash table was faster it says so, unless order or memory matters.
TEST(adviser, tells_where_a_hash_table_is_faster) {
  const machine_info h200 = a_gpu(60ull << 20);
  const auto says_hash = [&](const workload_facts& facts) {
    const advice given = advise(facts, h200);
    return std::any_of(given.measured_reasons.begin(), given.measured_reasons.end(),
                       [](const auto& reason) { return reason.words.find("HT+OA") != std::string::npos; });
  };
  EXPECT_TRUE(says_hash({.keys = 1 << 20}));
  EXPECT_FALSE(says_hash({.keys = 1 << 20, .smallest = true}));
  EXPECT_FALSE(says_hash({.keys = 1 << 20, .range_share = 1, .range_entries = 64}));
  EXPECT_FALSE(says_hash({.keys = 1 << 20, .ascending = true}));
  EXPECT_FALSE(says_hash({.keys = 1 << 24}));
}

// On an H200, at each n of docs/packed.md, the config that was best there, or within 5% of it.
TEST(adviser, without_ascending_order_it_is_the_packed_index) {
  const machine_info h200 = a_gpu(60ull << 20);
  const std::tuple<u32, const char*, const char*> best[] = {
      {16, "PACKED leaf=16 lanes=1 fill=80 flight=2 per_thread=2", "PACKED keys=u64 leaf=32 lanes=1 fill=80"},
      {20, "PACKED leaf=32 fill=121 scratch=226KiB flight=4 threads=1024 per_thread=8 schedule=static",
       "PACKED keys=u64 leaf=32 lanes=1"},
      {22, "PACKED leaf=32 fill=115 scratch=192KiB flight=4 threads=1024 per_thread=8 schedule=static",
       "PACKED keys=u64 leaf=32 lanes=1"},
      {24, "PACKED lanes=4 fill=105", "PACKED keys=u64 lanes=4 fill=105 reads=kept"},
      {26, "PACKED lanes=4 fill=105 reads=kept", "PACKED keys=u64 lanes=4 fill=105 reads=kept"},
      {28, "PACKED lanes=4 block=32 fill=400 reads=kept", "PACKED keys=u64 lanes=4 block=32 fill=300 reads=kept"}};
  for (const auto& [bits, line, wide] : best) {
    const advice given = advise({.keys = 1ull << bits}, h200);
    ASSERT_TRUE(given.measured);
    EXPECT_EQ(to_line(*given.measured), line) << bits;
    EXPECT_EQ(given.measured_reasons.front().source, "docs/packed.md");
    EXPECT_GE(given.measured_reasons.size(), 2u);
    EXPECT_EQ(to_line(advise({.keys = 1ull << bits, .width = key_width::u64}, h200).best()), wide) << bits;
  }
  for (const auto& [capability, scratch] :
       {std::pair{80u, true}, {86u, false}, {89u, false}, {90u, true}, {100u, true}, {120u, false}}) {
    machine_info other = h200;
    other.compute_capability = capability;
    EXPECT_EQ(to_line(advise({.keys = 1 << 20}, other).best()),
              scratch ? std::get<1>(best[1]) : "PACKED leaf=32 fill=105");
  }
  // By what fits into L2, so that a smaller one comes to them earlier.
  EXPECT_EQ(to_line(*advise({.keys = 1 << 22}, a_gpu(16ull << 20)).measured), "PACKED lanes=4 fill=105");
  EXPECT_EQ(to_line(*advise({.keys = 1 << 25}, a_gpu(16ull << 20)).measured), "PACKED lanes=4 fill=105 reads=kept");
  EXPECT_EQ(to_line(*advise({.keys = 1 << 26}, a_gpu(16ull << 20)).measured),
            "PACKED lanes=4 block=32 fill=400 reads=kept");
}

TEST(adviser, what_else_reads_the_array_is_not_packed) {
  const auto packed = [](const workload_facts& facts) { return advise(facts, a_gpu()).best().family == packed_id; };
  EXPECT_TRUE(packed({.keys = many}));
  EXPECT_TRUE(packed({.keys = many, .smallest = true}));
  EXPECT_TRUE(packed({.keys = many, .short_rebuild = true}));
  EXPECT_TRUE(packed({.keys = many, .range_share = 0.1, .range_entries = 64}));
  EXPECT_FALSE(packed({.keys = many, .ascending = true}));
  EXPECT_FALSE(packed({.keys = many, .ascending = true, .smallest = true}));
  EXPECT_TRUE(says(advise({.keys = many, .short_rebuild = true}, a_gpu()).measured_reasons, "Building it"));
  EXPECT_TRUE(
      says(advise({.keys = many, .range_share = 1, .range_entries = 64}, a_gpu()).measured_reasons, "Of a range"));
}

TEST(adviser, the_warp_scans_long_ranges_together_and_short_ones_not) {
  const auto scan_of = [](u64 entries) {
    const advice given = advise({.keys = many, .ascending = true, .range_share = 1, .range_entries = entries}, a_gpu());
    EXPECT_TRUE(says(given.measured_reasons, entries < 256 ? "own lanes: 2^16 of 2^6" : "together: 2^16 of 2^14"));
    return knobs_of(*given.measured).scan;
  };
  EXPECT_EQ(scan_of(255), scan_kind::alone);
  EXPECT_EQ(scan_of(256), scan_kind::cooperative);
}

TEST(adviser, a_cache_of_unknown_size_is_assumed_and_said) {
  const advice given = advise({.keys = many}, a_gpu(0));
  EXPECT_EQ(method_name(given.config), "EO+KS");
  EXPECT_TRUE(says(given.reasons, "does not say how large"));
}

}  // namespace
}  // namespace pivotscope
