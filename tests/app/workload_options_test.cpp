// What the options of a workload come to: single ones, the line, files, and what does not go together.
#include "app/cli/options/workload_options.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/app/given_machine.hpp"
#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

const workload standard{.keys = 1 << 20, .dist = distribution::uniform, .lookups = 1 << 20};

std::string read(const workload_options& options) {
  const outcome<workload> w = options.read(standard);
  return w ? to_line(*w) : w.error().words;
}

TEST(workload_options, are_the_standard_but_for_what_is_given) {
  EXPECT_EQ(read({}), "keys=2^20 distribution=uniform seed=1 lookups=2^20 hits=1");
  EXPECT_EQ(read({.keys = "5", .distribution = "dense", .seed = "7", .lookups = "9", .hits = "0.25"}),
            "keys=5 distribution=dense seed=7 lookups=9 hits=0.25");
  EXPECT_EQ(read({.distribution = "mix", .uniformity = "0.75"}),
            "keys=2^20 distribution=mix uniformity=0.75 seed=1 lookups=2^20 hits=1");
  EXPECT_EQ(read({.distribution = "ends", .repeat = "3"}),
            "keys=2^20 distribution=ends repeat=3 seed=1 lookups=2^20 hits=1");
  EXPECT_EQ(read({.distribution = "paper"}), "keys=14 distribution=paper seed=1 lookups=2^20 hits=1");
  EXPECT_EQ(read({.keys = "0", .lookups = "0"}), "keys=0 distribution=uniform seed=1 lookups=0 hits=1");
  EXPECT_EQ(read({.keys = "4294967294", .lookups = "2^32"}),
            "keys=4294967294 distribution=uniform seed=1 lookups=2^32 hits=1");
}

TEST(workload_options, go_before_the_line) {
  const std::string line = "keys=100 distribution=dense seed=3 lookups=50 hits=0.5";
  EXPECT_EQ(read({.line = line}), line);
  EXPECT_EQ(read({.line = line, .keys = "7", .lookups = "2"}), "keys=7 distribution=dense seed=3 lookups=2 hits=0.5");
  EXPECT_EQ(read({.line = "lookups=3"}), "keys=14 distribution=paper seed=1 lookups=3 hits=1");
  EXPECT_EQ(read({.line = "keyz=3"}), "--workload: 'keyz' is not a part of a workload; did you mean 'keys'?");
}

// The papers' keys are 14: another number means uniform ones.
TEST(workload_options, of_a_trace_are_the_papers_keys) {
  const auto read_for_trace = [](const workload_options& options) {
    const outcome<workload> w = options.read(workload{});
    return w ? to_line(*w) : w.error().words;
  };
  EXPECT_EQ(read_for_trace({}), "keys=14 distribution=paper seed=1 lookups=64 hits=1");
  EXPECT_EQ(read_for_trace({.keys = "20"}), "keys=20 distribution=uniform seed=1 lookups=64 hits=1");
  EXPECT_EQ(read_for_trace({.keys = "20", .distribution = "paper"}),
            "distribution=paper has exactly 14 keys, not 20; for another number take distribution=uniform");
  EXPECT_EQ(read_for_trace({.line = "lookups=1", .keys = "20"}),
            "distribution=paper has exactly 14 keys, not 20; for another number take distribution=uniform");
}

TEST(workload_options, of_ranges_stand_in_place_of_lookups) {
  EXPECT_EQ(read({.ranges = "5"}), "keys=2^20 distribution=uniform seed=1 lookups=0 hits=1 ranges=5 range_hits=64");
  EXPECT_EQ(read({.hits = "0", .ranges = "5"}),
            "keys=2^20 distribution=uniform seed=1 lookups=0 hits=1 ranges=5 range_hits=0");
  EXPECT_EQ(read({.hits = "4294967294", .ranges = "2^32"}),
            "keys=2^20 distribution=uniform seed=1 lookups=0 hits=1 ranges=2^32 range_hits=4294967294");
  const std::string line = "keys=10 hits=0.5 ranges=6 range_hits=3";
  EXPECT_EQ(read({.line = line}), "keys=10 distribution=uniform seed=1 lookups=0 hits=0.5 ranges=6 range_hits=3");
  EXPECT_EQ(read({.line = line, .hits = "2"}),
            "keys=10 distribution=uniform seed=1 lookups=0 hits=0.5 ranges=6 range_hits=2");
  EXPECT_EQ(read({.line = line, .lookups = "8"}), "keys=10 distribution=uniform seed=1 lookups=8 hits=0.5");
  EXPECT_EQ(read({.line = line, .lookups = "8", .hits = "0.75"}),
            "keys=10 distribution=uniform seed=1 lookups=8 hits=0.75");
  EXPECT_EQ(read({.hits = "0.5", .ranges = "5"}),
            "--hits '0.5': it has a fraction; write it like 1000000, 2^20, 64Ki or 1e6; with ranges, --hits is the "
            "number of entries of each");
  EXPECT_EQ((workload_options{.ranges_from = "x"}.asked({})), operation::range);
  EXPECT_EQ(workload_options{}.asked({.ranges = 1}), operation::range);
  EXPECT_EQ(workload_options{}.asked({}), operation::find);
  EXPECT_EQ((workload_options{.lookups_from = "x"}.asked({.ranges = 1})), operation::find);
}

TEST(workload_options, of_successors_stand_in_place_of_lookups) {
  EXPECT_EQ(read({.successors = "5"}), "keys=2^20 distribution=uniform seed=1 lookups=0 hits=1 successors=5");
  EXPECT_EQ(read({.hits = "0.5", .successors = "5"}),
            "keys=2^20 distribution=uniform seed=1 lookups=0 hits=0.5 successors=5");
  const std::string line = "keys=10 hits=0.5 successors=6";
  EXPECT_EQ(read({.line = line}), "keys=10 distribution=uniform seed=1 lookups=0 hits=0.5 successors=6");
  EXPECT_EQ(read({.line = line, .lookups = "8"}), "keys=10 distribution=uniform seed=1 lookups=8 hits=0.5");
  EXPECT_EQ(read({.line = line, .ranges = "8"}),
            "keys=10 distribution=uniform seed=1 lookups=0 hits=0.5 ranges=8 range_hits=64");
  EXPECT_EQ(read({.line = "keys=10 ranges=4", .successors = "8"}),
            "keys=10 distribution=uniform seed=1 lookups=0 hits=1 successors=8");
  EXPECT_EQ(read({.keys = "10", .hits = "0.5", .misses = "outside", .order = "sorted"}),
            "keys=10 distribution=uniform seed=1 lookups=2^20 hits=0.5 misses=outside order=sorted");
  EXPECT_EQ(read({.keys = "10", .popular = "zipf", .exponent = "0.5"}),
            "keys=10 distribution=uniform seed=1 lookups=2^20 hits=1 popularity=zipf exponent=0.5");
  EXPECT_EQ(read({.successors = "0"}), "--successors 0 is below the least, 1");
  EXPECT_EQ((workload_options{.successors_from = "x"}.asked({})), operation::successor);
  EXPECT_EQ(workload_options{}.asked({.successors = 1}), operation::successor);
}

TEST(workload_options, are_refused_by_their_own_names) {
  EXPECT_EQ(read({.keys = "4294967295"}),
            "--keys 4294967295 is above the limit, 4294967294 = 2^32 - 2: row ids are 32 bits wide and one of them "
            "means 'not found'");
  EXPECT_EQ(read({.repeat = "0"}), "--repeat-keys 0 is below the least, 1");
  EXPECT_EQ(read({.repeat = "4294967296"}), "--repeat-keys 4294967296 is above the limit, 4294967295");
  EXPECT_EQ(read({.seed = "18446744073709551616"}),
            "--seed 18446744073709551616 is above the limit, 18446744073709551615");
  EXPECT_EQ(read({.lookups = "4294967297"}), "--lookups 4294967297 is above the limit, 4294967296");
  EXPECT_EQ(read({.ranges = "4294967297"}), "--ranges 4294967297 is above the limit, 4294967296");
  EXPECT_EQ(read({.ranges = "0"}), "--ranges 0 is below the least, 1");
  EXPECT_EQ(read({.hits = "1.01"}), "--hits=1.01 is not between 0 and 1");
  EXPECT_EQ(read({.uniformity = "-0.5"}), "--uniformity=-0.5 is not between 0 and 1");
  EXPECT_EQ(read({.misses = "insde"}), "--misses: 'insde' is not a place of misses; did you mean 'inside'?");
  EXPECT_EQ(read({.order = "sort"}), "--order: 'sort' is not an order of lookups; did you mean 'sorted'?");
  EXPECT_EQ(read({.popular = "hat"}), "--popularity: 'hat' is not a popularity of keys; did you mean 'hot'?");
  EXPECT_EQ(read({.exponent = "9"}), "--exponent=9 is not between 0 and 5");
  EXPECT_EQ(read({.distribution = "uniorm"}),
            "--distribution: 'uniorm' is not a distribution; did you mean 'uniform'?");
}

TEST(workload_options, that_do_not_go_together_are_refused) {
  const std::string alone = "a run asks one thing; leave one of them out";
  const auto brought = [](const std::string& what, const std::string& option) {
    return fmt::format("--{0}-from brings the {0}, so that none are drawn: leave {1} out", what, option);
  };
  EXPECT_EQ(read({.lookups = "1", .ranges_from = "x"}), brought("ranges", "--lookups"));
  EXPECT_EQ(read({.ranges = "1", .ranges_from = "x"}), brought("ranges", "--ranges"));
  EXPECT_EQ(read({.hits = "1", .ranges_from = "x"}), brought("ranges", "--hits"));
  EXPECT_EQ(read({.matches = "1", .lookups_from = "x"}), brought("lookups", "--matches"));
  EXPECT_EQ(read({.lookups = "1", .lookups_from = "x"}), brought("lookups", "--lookups"));
  EXPECT_EQ(read({.hits = "1", .lookups_from = "x"}), brought("lookups", "--hits"));
  EXPECT_EQ(read({.misses = "inside", .lookups_from = "x"}), brought("lookups", "--misses"));
  EXPECT_EQ(read({.order = "sorted", .lookups_from = "x"}), brought("lookups", "--order"));
  EXPECT_EQ(read({.popular = "zipf", .lookups_from = "x"}), brought("lookups", "--popularity"));
  EXPECT_EQ(read({.exponent = "1", .lookups_from = "x"}), brought("lookups", "--exponent"));
  const std::string keys =
      "--keys-from brings the keys; --keys, --distribution, --uniformity, --repeat-keys and --workload do not go with "
      "it";
  EXPECT_EQ(read({.line = "keys=1", .keys_from = "x"}), keys);
  EXPECT_EQ(read({.keys = "1", .keys_from = "x"}), keys);
  EXPECT_EQ(read({.distribution = "dense", .keys_from = "x"}), keys);
  EXPECT_EQ(read({.uniformity = "1", .keys_from = "x"}), keys);
  EXPECT_EQ(read({.repeat = "1", .keys_from = "x"}), keys);
  EXPECT_EQ(read({.lookups = "1", .ranges = "1"}), "--lookups and --ranges do not go together: " + alone);
  EXPECT_EQ(read({.ranges = "1", .successors = "1"}), "--ranges and --successors do not go together: " + alone);
  EXPECT_EQ(read({.ranges_from = "x", .successors_from = "y"}),
            "--ranges-from and --successors-from do not go together: " + alone);
  EXPECT_EQ(read({.hits = "1", .successors_from = "x"}), brought("successors", "--hits"));
  EXPECT_EQ(read({.lookups_from = "x", .ranges_from = "x"}),
            "--lookups-from and --ranges-from do not go together: " + alone);
  EXPECT_EQ(read({.ranges = "1", .lookups_from = "x"}), brought("lookups", "--ranges"));
  EXPECT_EQ(read({.matches = "1", .lower_bounds = "1"}), "--matches and --lower-bounds do not go together: " + alone);
}

TEST(workload_options, are_named_in_reports) {
  const workload points{.keys = 10, .dist = distribution::dense, .seed = 3, .lookups = 1024, .hits = 0.5};
  const workload ranges{
      .keys = 10, .dist = distribution::dense, .seed = 3, .hits = 0.5, .ranges = 1024, .range_hits = 8};
  EXPECT_EQ(workload_options{}.words(points), to_line(points));
  EXPECT_EQ((workload_options{.lookups_from = "l"}.words(points)), to_line(points) + ", lookups of l");
  EXPECT_EQ((workload_options{.ranges_from = "r"}.words(points)), to_line(points) + ", ranges of r");
  EXPECT_EQ((workload_options{.keys_from = "k", .lookups_from = "l"}.words(points)), "keys of k, lookups of l");
  EXPECT_EQ((workload_options{.keys_from = "k", .ranges_from = "r"}.words(points)), "keys of k, ranges of r");
  EXPECT_EQ((workload_options{.keys_from = "k", .keys_column = "c", .lookups_from = "l"}.words(points)),
            "keys of k, column c, lookups of l");
  EXPECT_EQ((workload_options{.keys_from = "k"}.words(points)),
            "keys of k, 2^10 lookups drawn from them, seed=3 hits=0.5");
  EXPECT_EQ((workload_options{.keys_from = "k"}.words(ranges)),
            "keys of k, 2^10 ranges of 8 entries drawn from them, seed=3 hits=0.5");
  workload placed = points;
  placed.misses = miss_place::inside, placed.order = lookup_order::sorted;
  EXPECT_EQ((workload_options{.keys_from = "k"}.words(placed)),
            "keys of k, 2^10 lookups drawn from them, seed=3 hits=0.5 misses=inside order=sorted");
  placed.popular = popularity::zipf;
  EXPECT_EQ((workload_options{.keys_from = "k"}.words(placed)),
            "keys of k, 2^10 lookups drawn from them, seed=3 hits=0.5 misses=inside order=sorted popularity=zipf "
            "exponent=1");
}

std::vector<u64> values_of(const key_array& keys) {
  std::vector<u64> values;
  for (u64 i = 0; i < keys.size(); ++i) values.push_back(keys[i]);
  return values;
}

TEST(load_workload, makes_or_reads_keys_and_lookups) {
  const scratch_folder folder;
  const std::string keys = folder.write("keys", "5\n6\n9\n"), lookups = folder.write("lookups", "6\n7\n");
  const std::string ranges = folder.write("ranges", "5 6\n");
  const auto cpu = detail::open_cpu();
  const workload w{.keys = 4, .dist = distribution::dense, .lookups = 30, .hits = 1};
  const auto load = [&](const workload_options& options, const workload& asked) {
    outcome<loaded_workload> loaded = load_workload(options, asked, key_width::u64, *cpu, {});
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().words);
    EXPECT_EQ(loaded->keys->resident()->size(), loaded->keys->size());
    EXPECT_GE(loaded->keys_ms, 0);
    EXPECT_GE(loaded->batch_ms, 0);
    EXPECT_LT(loaded->keys_ms + loaded->batch_ms, 60'000) << "spans, not moments";
    return std::move(*loaded);
  };
  const loaded_workload made = load({}, w);
  EXPECT_EQ(values_of(made.keys->keys()), values_of(*make_keys(w, key_width::u64)));
  EXPECT_EQ(values_of(made.asked.keys), values_of(*make_lookups(w, key_width::u64)));
  EXPECT_EQ(made.asked.kind, operation::find);

  const loaded_workload read = load({.keys_from = keys, .lookups_from = lookups}, w);
  EXPECT_EQ(values_of(read.keys->keys()), (std::vector<u64>{5, 6, 9}));
  EXPECT_EQ(values_of(read.asked.keys), (std::vector<u64>{6, 7}));

  const loaded_workload drawn = load({.keys_from = keys}, w);
  EXPECT_EQ(values_of(drawn.asked.keys), values_of(*draw_lookups(drawn.keys->keys(), w)));

  const loaded_workload ranged = load({.keys_from = keys, .ranges_from = ranges}, w);
  EXPECT_EQ(ranged.asked.kind, operation::range);
  EXPECT_EQ(values_of(ranged.asked.keys), (std::vector<u64>{5}));
  EXPECT_EQ(values_of(ranged.asked.highs), (std::vector<u64>{6}));
  EXPECT_EQ(ranged.asked.width(), key_width::u64);

  const workload of_ranges{.keys = 4, .dist = distribution::dense, .lookups = 0, .ranges = 3, .range_hits = 2};
  const loaded_workload both = load({}, of_ranges);
  EXPECT_EQ(both.asked.kind, operation::range);
  EXPECT_EQ(values_of(both.asked.keys), values_of(draw_ranges(both.keys->keys(), of_ranges)->keys));
}

TEST(load_workload, a_line_brings_keys_and_lookups_of_one_s_own) {
  const auto cpu = detail::open_cpu();
  const outcome<workload> w = workload_options{.line = "key_list=5,6,9 lookup_list=6,7"}.read({});
  ASSERT_TRUE(w) << w.error().words;
  const auto loaded = load_workload({}, *w, key_width::u32, *cpu, {});
  ASSERT_TRUE(loaded);
  EXPECT_EQ(values_of(loaded->keys->keys()), (std::vector<u64>{5, 6, 9}));
  EXPECT_EQ(values_of(loaded->asked.keys), (std::vector<u64>{6, 7}));
  EXPECT_EQ((workload_options{}.asked(*workload_options{.line = "ranges_from=r"}.read({}))), operation::range);
  for (const workload_options& two : {workload_options{.line = "key_list=5", .keys = "3"},
                                      workload_options{.line = "key_list=5", .distribution = "dense"},
                                      workload_options{.line = "lookup_list=5", .lookups = "3"},
                                      workload_options{.line = "lookup_list=5", .hits = "0.5"},
                                      workload_options{.line = "lookup_list=5", .lookups_from = "l"}})
    EXPECT_FALSE(two.read({}));
}

// By the sizes of what is held at once, added up by hand for 1000 keys and 100 lookups or ranges.
TEST(host_bytes, are_those_of_what_is_held_at_the_peak) {
  const workload hits{.keys = 1000, .lookups = 100, .hits = 1}, misses{.keys = 1000, .lookups = 100, .hits = 0.5};
  const workload ranges{.keys = 1000, .lookups = 0, .hits = 0.5, .ranges = 100};
  const auto bytes = [](const workload& w, key_width width, machine_kind kind, const workload_options& options = {}) {
    return host_bytes_for(options.in_full(w), width, kind);
  };
  constexpr auto cpu = machine_kind::cpu, cuda = machine_kind::cuda;
  constexpr auto u32s = key_width::u32, u64s = key_width::u64;
  // Keys, lookups with answers; sorted keys with row ids; an index, or a copy while sorting, whichever is more.
  EXPECT_EQ(bytes(hits, u32s, cpu), 4000u + 100 * 8 + 8000 + 10000);
  EXPECT_EQ(bytes(hits, u64s, cpu), 8000u + 100 * 12 + 12000 + 20000);
  EXPECT_EQ(bytes(misses, u32s, cpu), 4000u + 100 * 8 + 8000 + 10000 + 4000) << "a sorted copy";
  EXPECT_EQ(bytes(misses, u64s, cpu), 8000u + 100 * 12 + 12000 + 20000 + 8000);
  EXPECT_EQ(host_bytes_for(misses, u32s, cpu, false), 4000u + 100 * 8 + 4000 + 10000 + 4000) << "not sorted";
  EXPECT_EQ(bytes(hits, u32s, cuda), 4000u + 100 * 8);
  EXPECT_EQ(bytes(misses, u64s, cuda), 8000u + 100 * 12 + 8000);
  // Ranges: two ends and 16 bytes of answer each; of every key three more copies and a sum.
  EXPECT_EQ(bytes(ranges, u32s, cpu), 4000u + 8000 + 10000 + 100 * (8 + 16) + 1000 * (12 + 8));
  EXPECT_EQ(bytes(ranges, u64s, cuda), 8000u + 100 * (16 + 16) + 1000 * (24 + 8));
  EXPECT_EQ(bytes(hits, u32s, cpu, {.lookups_from = "x"}), 4000u + 8000 + 10000) << "not known yet";
  EXPECT_EQ(bytes(hits, u32s, cpu, {.ranges_from = "x"}), 4000u + 8000 + 10000 + 1000 * (12 + 8)) << "to check them";
  EXPECT_EQ(bytes(hits, u32s, cpu, {.keys_from = "x"}), 0u);
}

}  // namespace
}  // namespace pivotscope
