#include <gtest/gtest.h>

#include <limits>

#include "core/workload/field_needs.hpp"
#include "core/workload/generate/seeded_bijection.hpp"
#include "core/workload/own_numbers.hpp"
#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

workload parsed(std::string_view line) {
  const outcome<workload> w = workload_from_line(line);
  EXPECT_TRUE(w.ok()) << line << ": " << (w.ok() ? "" : w.error().words);
  return w.ok() ? *w : workload{};
}

std::string words(std::string_view line) {
  const outcome<workload> w = workload_from_line(line);
  EXPECT_FALSE(w.ok()) << line;
  return w.ok() ? "" : w.error().words;
}

TEST(workload_line, is_what_the_design_shows) {
  workload w{.keys = 1ull << 26, .dist = distribution::uniform, .seed = 1, .lookups = 1ull << 27};
  EXPECT_EQ(to_line(w), "keys=2^26 distribution=uniform seed=1 lookups=2^27 hits=1");
  w.dist = distribution::mix;
  w.uniformity = 0.25;
  w.hits = 0.9;
  EXPECT_EQ(to_line(w), "keys=2^26 distribution=mix uniformity=0.25 seed=1 lookups=2^27 hits=0.9");
  w = {.keys = 100, .dist = distribution::duplicates, .repeat = 7};
  EXPECT_EQ(to_line(w), "keys=100 distribution=duplicates repeat=7 seed=1 lookups=64 hits=1");
  w = {.keys = 100, .dist = distribution::dense, .lookups = 0, .ranges = 1 << 16};
  EXPECT_EQ(to_line(w), "keys=100 distribution=dense seed=1 lookups=0 hits=1 ranges=2^16 range_hits=64");
  w = {.keys = 100, .dist = distribution::dense, .lookups = 0, .successors = 1 << 16};
  EXPECT_EQ(to_line(w), "keys=100 distribution=dense seed=1 lookups=0 hits=1 successors=2^16");
  w = {.keys = 100,
       .dist = distribution::half,
       .hits = 0.5,
       .misses = miss_place::outside,
       .order = lookup_order::sorted};
  EXPECT_EQ(to_line(w), "keys=100 distribution=half seed=1 lookups=64 hits=0.5 misses=outside order=sorted");
  w = {.keys = 100, .dist = distribution::dense, .order = lookup_order::nearly};
  EXPECT_EQ(to_line(w),
            "keys=100 distribution=dense seed=1 lookups=64 hits=1 order=nearly displaced=0.1 distance=2^10");
  w = {.keys = 100, .dist = distribution::dense, .popular = popularity::zipf, .exponent = 1.25};
  EXPECT_EQ(to_line(w), "keys=100 distribution=dense seed=1 lookups=64 hits=1 popularity=zipf exponent=1.25");
  w = {.keys = 100, .dist = distribution::dense, .popular = popularity::hot};
  EXPECT_EQ(to_line(w),
            "keys=100 distribution=dense seed=1 lookups=64 hits=1 popularity=hot hot_keys=0.01 hot_lookups=0.9");
}

// One exponent for both: it stands in the line once, with the keys if they are drawn by it.
TEST(workload_line, has_one_exponent_of_keys_and_of_lookups) {
  workload w{.keys = 100, .dist = distribution::zipf, .exponent = 2};
  EXPECT_EQ(to_line(w), "keys=100 distribution=zipf exponent=2 seed=1 lookups=64 hits=1");
  EXPECT_EQ(parsed(to_line(w)), w);
  w.popular = popularity::zipf;
  EXPECT_EQ(to_line(w), "keys=100 distribution=zipf exponent=2 seed=1 lookups=64 hits=1 popularity=zipf");
  EXPECT_EQ(parsed(to_line(w)), w);
  const workload own = parsed("keys=100 distribution=zipf exponent=2 lookup_list=1,2");
  EXPECT_EQ(own.exponent, 2);
  EXPECT_EQ(parsed(to_line(own)), own);
  EXPECT_EQ(with_batch(w, own.own_batch).exponent, 2) << "it is the keys' too";
  EXPECT_EQ(words("keys=100 distribution=dense exponent=2 lookup_list=1,2"),
            "a file or a list brings the lookups: how many, and how they are drawn, does not go with it");
  EXPECT_EQ(parsed("key_list=1,2 exponent=2").exponent, 1) << "without effect";
}

TEST(workload_line, refuses_what_no_popularity_and_no_order_is) {
  EXPECT_EQ(words("popularity=zipp"), "'zipp' is not a popularity of keys; did you mean 'zipf'?");
  EXPECT_EQ(words("order=neary"), "'neary' is not an order of lookups; did you mean 'nearly'?");
  EXPECT_EQ(words("exponent=5.1"), "exponent=5.1 is not between 0 and 5");
  EXPECT_EQ(words("exponent=-0.1"), "exponent=-0.1 is not between 0 and 5");
  EXPECT_EQ(words("exponent=nan"), "exponent=nan is not between 0 and 5");
  EXPECT_EQ(words("exponent=two"), "exponent 'two' is not a number from 0 to 5");
  EXPECT_EQ(words("hot_keys=1.5"), "hot_keys=1.5 is not between 0 and 1");
  EXPECT_EQ(words("hot_lookups=x"), "hot_lookups 'x' is not a number from 0 to 1");
  EXPECT_EQ(words("displaced=2"), "displaced=2 is not between 0 and 1");
  EXPECT_EQ(words("distance=1"), "distance 1 is below the least, 2");
  EXPECT_EQ(words("lookup_list=1 popularity=zipf"),
            "a file or a list brings the lookups: how many, and how they are drawn, does not go with it");
  const auto refused = [](const workload& w) { return check(w, key_width::u32).value_or(""); };
  EXPECT_EQ(refused({.popular = static_cast<popularity>(3)}), "this popularity of keys is unknown");
  EXPECT_EQ(refused({.exponent = 6}), "exponent=6 is not between 0 and 5");
  EXPECT_EQ(refused({.hot_keys = -1}), "hot_keys=-1 is not between 0 and 1");
  EXPECT_EQ(refused({.hot_lookups = 2}), "hot_lookups=2 is not between 0 and 1");
  EXPECT_EQ(refused({.displaced = 2}), "displaced=2 is not between 0 and 1");
  EXPECT_EQ(refused({.distance = 1}), "distance=1 is not between 2 and 4294967296");
}

TEST(workload_line, round_trips) {
  u64 draw = 0;
  const auto next = [&draw](u64 greatest) { return scale_to(random_bits(5, draw++), greatest); };
  for (int i = 0; i < 2000; ++i) {
    workload w;
    w.dist = static_cast<distribution>(next(distribution_names().size() - 1));
    w.keys = w.dist == distribution::paper ? 14 : (next(1) != 0 ? next(max_keys) : 1ull << next(31));
    w.uniformity = static_cast<double>(next(1ull << 53)) * 0x1p-53;
    w.repeat = static_cast<u32>(1 + next(0xFFFFFFFEu));
    w.seed = next(~0ull);
    w.lookups = next(max_lookups);
    w.hits = next(3) == 0 ? 1.0 : static_cast<double>(next(1ull << 53)) * 0x1p-53;
    if (next(1) != 0)
      w.ranges = 1 + next(max_lookups - 1), w.range_hits = next(max_keys);
    else if (next(1) != 0)
      w.successors = 1 + next(max_lookups - 1);
    w.misses = static_cast<miss_place>(next(2)), w.order = static_cast<lookup_order>(next(2));
    w.popular = static_cast<popularity>(next(2));
    if (next(1) != 0)
      w.displaced = static_cast<double>(next(1ull << 53)) * 0x1p-53, w.distance = 2 + next(max_lookups - 2);
    if (next(1) != 0) w.exponent = static_cast<double>(next(1ull << 53)) * 0x5p-53;
    if (next(1) != 0) w.hot_keys = static_cast<double>(next(1ull << 53)) * 0x1p-53, w.hot_lookups = 1 - w.hot_keys;
    EXPECT_EQ(parsed(to_line(w)), without_idle(w)) << to_line(w);
  }
  EXPECT_EQ(parsed(to_line(workload{})), workload{});
}

TEST(workload_line, fills_in_what_is_not_given) {
  EXPECT_EQ(parsed(""), workload{});
  EXPECT_EQ(parsed("seed=3").dist, distribution::paper);
  EXPECT_EQ(parsed("keys=100").dist, distribution::uniform);
  EXPECT_EQ(parsed("distribution=paper").keys, 14u);
  EXPECT_EQ(parsed("  keys=5\tdistribution=dense \n").keys, 5u);
}

TEST(workload_line, prints_what_differs_or_matters) {
  EXPECT_EQ(to_line(workload{}), "keys=14 distribution=paper seed=1 lookups=64 hits=1");
  const workload dense{.keys = 9, .dist = distribution::dense};
  const auto with = [&](auto change) {
    workload w = dense;
    change(w);
    return to_line(w);
  };
  EXPECT_EQ(to_line(dense), "keys=9 distribution=dense seed=1 lookups=64 hits=1");
  EXPECT_EQ(with([](workload& w) { w.uniformity = 0.25; }), "keys=9 distribution=dense seed=1 lookups=64 hits=1");
  EXPECT_EQ(with([](workload& w) { w.repeat = 5; }), "keys=9 distribution=dense seed=1 lookups=64 hits=1");
  EXPECT_EQ(with([](workload& w) { w.dist = distribution::mix; }),
            "keys=9 distribution=mix uniformity=0.5 seed=1 lookups=64 hits=1");
  EXPECT_EQ(with([](workload& w) { w.dist = distribution::ends; }),
            "keys=9 distribution=ends repeat=4 seed=1 lookups=64 hits=1");
  EXPECT_EQ(with([](workload& w) { w.dist = distribution::duplicates; }),
            "keys=9 distribution=duplicates repeat=4 seed=1 lookups=64 hits=1");
  EXPECT_EQ(with([](workload& w) { w.ranges = 1, w.range_hits = 1024; }),
            "keys=9 distribution=dense seed=1 lookups=64 hits=1 ranges=1 range_hits=2^10");
}

TEST(workload_line, sets_each_field) {
  const workload w =
      parsed("keys=100 distribution=mix uniformity=0.125 seed=7 lookups=11 hits=0.75 ranges=12 range_hits=13");
  EXPECT_EQ(w, (workload{.keys = 100,
                         .dist = distribution::mix,
                         .uniformity = 0.125,
                         .seed = 7,
                         .lookups = 11,
                         .hits = 0.75,
                         .ranges = 12,
                         .range_hits = 13}));
  // The greatest and the least of each.
  EXPECT_EQ(parsed("keys=4294967294").keys, max_keys);
  EXPECT_EQ(parsed("keys=0").keys, 0u);
  EXPECT_EQ(parsed("keys=9 distribution=ends repeat=4294967295").repeat, 0xFFFFFFFFu);
  EXPECT_EQ(parsed("keys=9 distribution=ends repeat=1").repeat, 1u);
  EXPECT_EQ(parsed("seed=18446744073709551615").seed, ~0ull);
  EXPECT_EQ(parsed("seed=0").seed, 0u);
  EXPECT_EQ(parsed("lookups=2^32").lookups, max_lookups);
  EXPECT_EQ(parsed("lookups=0").lookups, 0u);
  EXPECT_EQ(parsed("ranges=2^32").ranges, max_lookups);
  EXPECT_EQ(parsed("ranges=1 range_hits=4294967294").range_hits, max_keys);
  EXPECT_EQ(parsed("ranges=1 range_hits=0").range_hits, 0u);
  EXPECT_EQ(parsed("successors=2^32").successors, max_lookups);
  EXPECT_EQ(parsed("successors=0").successors, 0u);
  EXPECT_EQ(parsed("hits=0").hits, 0);
  EXPECT_EQ(parsed("hits=1").hits, 1);
  EXPECT_EQ(parsed("keys=9 distribution=mix uniformity=0").uniformity, 0);
  EXPECT_EQ(parsed("keys=9 distribution=mix uniformity=1").uniformity, 1);
}

TEST(workload_line, says_which_part_is_given_twice) {
  for (const char* part : {"keys=5", "distribution=dense", "uniformity=1", "repeat=2", "seed=3", "lookups=4", "hits=1",
                           "ranges=5", "range_hits=6"}) {
    const std::string name(part, std::string_view(part).find('='));
    EXPECT_EQ(words(std::string(part) + " " + part), "the workload gives " + name + " twice");
  }
}

TEST(workload_line, names_what_is_wrong) {
  const std::string number = "; write it like 1000000, 2^20, 64Ki or 1e6";
  EXPECT_EQ(words("kesy=5"), "'kesy' is not a part of a workload; did you mean 'keys'?");
  EXPECT_EQ(words("rages=5"), "'rages' is not a part of a workload; did you mean 'ranges'?");
  EXPECT_EQ(words("range_hit=5"), "'range_hit' is not a part of a workload; did you mean 'range_hits'?");
  EXPECT_EQ(
      words("=5"),
      "'' is not a part of a workload; there are keys, distribution, uniformity, repeat, seed, hits, range_hits, "
      "keys_from, keys_column, key_list, lookups_column, inserts, erases, mix, batch, script_from, script, misses, "
      "order, displaced, distance, popularity, exponent, hot_keys, hot_lookups, lookups, lookups_from, lookup_list, "
      "ranges, ranges_from, range_list, successors, successors_from, successor_list, matches, matches_from, "
      "match_list, "
      "lower_bounds, lower_bounds_from and lower_bound_list");
  EXPECT_EQ(words("distribution=unifrom"), "'unifrom' is not a distribution; did you mean 'uniform'?");
  EXPECT_EQ(words("distribution=pareto"),
            "'pareto' is not a distribution; there are uniform, dense, mix, duplicates, ends, narrow, gaps, clusters, "
            "nested, crowds, span, half, paper and zipf");
  EXPECT_EQ(words("keys"), "'keys' in the workload: each part is name=value, such as keys=2^20");
  EXPECT_EQ(words("keys=5 seed"), "'seed' in the workload: each part is name=value, such as keys=2^20");
  EXPECT_EQ(words("keys=x"), "keys 'x': it is not a whole number" + number);
  EXPECT_EQ(words("repeat=x"), "repeat 'x': it is not a whole number" + number);
  EXPECT_EQ(words("seed=x"), "seed 'x': it is not a whole number" + number);
  EXPECT_EQ(words("lookups=x"), "lookups 'x': it is not a whole number" + number);
  EXPECT_EQ(words("ranges=x"), "ranges 'x': it is not a whole number" + number);
  EXPECT_EQ(words("range_hits=x"), "range_hits 'x': it is not a whole number" + number);
  EXPECT_EQ(words("keys=5000000000"),
            "keys 5000000000 is above the limit, 4294967294 = 2^32 - 2: row ids are 32 bits wide and one of them means "
            "'not found'");
  EXPECT_EQ(words("hits=1.5"), "hits=1.5 is not between 0 and 1");
  EXPECT_EQ(words("hits=-0.1"), "hits=-0.1 is not between 0 and 1");
  EXPECT_EQ(words("hits=nan"), "hits=nan is not between 0 and 1");
  EXPECT_EQ(words("hits=most"), "hits 'most' is not a number from 0 to 1");
  EXPECT_EQ(words("hits=0.5x"), "hits '0.5x' is not a number from 0 to 1");
  EXPECT_EQ(words("hits="), "hits '' is not a number from 0 to 1");
  EXPECT_EQ(words("hits=1e999"), "hits '1e999' is not a number from 0 to 1");
  EXPECT_EQ(words("keys=9 distribution=mix uniformity=2"), "uniformity=2 is not between 0 and 1");
  EXPECT_EQ(words("repeat=0"), "repeat 0 is below the least, 1");
  EXPECT_EQ(words("repeat=2^32"), "repeat 2^32 is above the limit, 4294967295");
  EXPECT_EQ(words("keys=15 distribution=paper"),
            "distribution=paper has exactly 14 keys, not 15; for another number take distribution=uniform");
  EXPECT_EQ(words("ranges=2^33"), "ranges 2^33 is above the limit, 4294967296");
  EXPECT_EQ(words("range_hits=2^32"),
            "range_hits 2^32 is above the limit, 4294967294 = 2^32 - 2: row ids are 32 bits wide and one of them means "
            "'not found'");
  EXPECT_EQ(words("lookups=2^33"), "lookups 2^33 is above the limit, 4294967296");
}

TEST(workload_line, carries_a_script) {
  for (const char* line : {"keys=100 distribution=dense seed=1 lookups=64 hits=1 inserts=2^20 erases=100 mix=0.2",
                           "keys=100 distribution=dense seed=1 range_list=1..5 inserts=1 erases=0 mix=0.5 batch=7",
                           "keys=0 distribution=uniform seed=1 lookups=0 hits=1 script=+5,+7/-5/(+3,?3,0..9)/>4",
                           "key_list=1 seed=1 lookups=0 hits=1 script_from=/a%20b"})
    EXPECT_EQ(to_line(parsed(line)), line);
  EXPECT_EQ(parsed("keys=9 script=+5").lookups, 0u) << "a script of one's own is all that is asked";
  EXPECT_EQ(parsed("keys=9 script=+5 lookups=3").lookups, 3u);
  EXPECT_EQ(parsed("keys=9 script=+5 lookup_list=3,4").lookups, 2u);
  EXPECT_EQ(parsed("keys=9 inserts=5").lookups, 64u);
  EXPECT_TRUE(has_script(parsed("erases=5")) && has_script(parsed("script=?5")) && has_script(parsed("script_from=a")));
  EXPECT_FALSE(has_script(parsed("keys=5 mix=0.5")));
  EXPECT_TRUE(is_whole_line(parsed("script=?5")));
  EXPECT_FALSE(is_whole_line(parsed("script_from=a")));
  EXPECT_EQ(words("inserts=5 script=+5"),
            "script_from and script bring the operations; inserts, erases, mix and batch do not go with them");
  EXPECT_EQ(words("script=+5 script_from=a"), "script_from and script do not go together: leave one of them out");
  EXPECT_EQ(words("script=+x"), "script: 'x' is not an unsigned integer");
  EXPECT_EQ(words("mix=2"), "mix=2 is not between 0 and 1");
  EXPECT_EQ(
      words("keys=2^31 inserts=2^31"),
      "2147483648 keys and 2147483648 inserts are more than 4294967293 = 2^32 - 3 rows: row ids are 32 bits wide; "
      "insert fewer");
}

TEST(check_workload, refuses_in_words) {
  const auto refused = [](workload w) { return check(w, key_width::u32).value_or(""); };
  EXPECT_EQ(refused(workload{}), "");
  EXPECT_EQ(refused({.keys = max_keys, .dist = distribution::uniform}), "");
  EXPECT_EQ(refused({.keys = max_keys + 1, .dist = distribution::uniform}),
            "keys=4294967295 is above the limit, 4294967294 = 2^32 - 2: row ids are 32 bits wide and one of them means "
            "'not found'");
  EXPECT_EQ(refused({.keys = 13}),
            "distribution=paper has exactly 14 keys, not 13; for another number take distribution=uniform");
  EXPECT_EQ(refused({.repeat = 0}), "repeat=0 would leave no value to repeat; the least is 1");
  EXPECT_EQ(refused({.hits = std::numeric_limits<double>::quiet_NaN()}), "hits=nan is not between 0 and 1");
  EXPECT_EQ(refused({.hits = 1.25}), "hits=1.25 is not between 0 and 1");
  EXPECT_EQ(refused({.hits = -0.25}), "hits=-0.25 is not between 0 and 1");
  EXPECT_EQ(refused({.uniformity = -1}), "uniformity=-1 is not between 0 and 1");
  EXPECT_EQ(refused({.uniformity = 0, .hits = 0}), "");
  EXPECT_EQ(refused({.uniformity = 1, .lookups = max_lookups, .ranges = max_lookups, .range_hits = max_keys}), "");
  EXPECT_EQ(refused({.lookups = max_lookups + 1}), "lookups=4294967297 is above the limit, 4294967296");
  EXPECT_EQ(refused({.ranges = max_lookups + 1}), "ranges=4294967297 is above the limit, 4294967296");
  EXPECT_EQ(refused({.successors = max_lookups + 1}), "successors=4294967297 is above the limit, 4294967296");
  EXPECT_EQ(refused({.ranges = 1, .successors = 1}), "a batch is of ranges or of successors, and not of both");
  EXPECT_EQ(refused({.range_hits = max_keys + 1}), "range_hits=4294967295 is above the limit, 4294967294");
  EXPECT_EQ(refused({.dist = static_cast<distribution>(14)}), "this distribution is unknown");
  EXPECT_EQ(refused({.misses = static_cast<miss_place>(3)}), "this place of misses is unknown");
  EXPECT_EQ(refused({.order = static_cast<lookup_order>(3)}), "this order of lookups is unknown");
}

TEST(distributions, each_have_a_name_and_a_sentence) {
  const std::pair<distribution, std::pair<const char*, const char*>> all[] = {
      {distribution::uniform, {"uniform", "Unique keys, spread evenly"}},
      {distribution::dense, {"dense", "The keys 0 to n - 1"}},
      {distribution::mix, {"mix", "Dense keys from 0 on and uniform ones"}},
      {distribution::duplicates, {"duplicates", "Each key is drawn from n / repeat"}},
      {distribution::ends, {"ends", "The least and the greatest values"}},
      {distribution::narrow, {"narrow", "Each key is drawn from one range"}},
      {distribution::gaps, {"gaps", "Each key is drawn so that its logarithm"}},
      {distribution::clusters, {"clusters", "Each key is drawn from one of 1,000 runs"}},
      {distribution::nested, {"nested", "Each key is drawn from one of n / 384 stretches"}},
      {distribution::crowds, {"crowds", "Each key is drawn from one of up to 24 crowds"}},
      {distribution::span, {"span", "Each key is drawn from one range of values, of any width"}},
      {distribution::half, {"half", "Half of the keys are equal"}},
      {distribution::paper, {"paper", "The 14 keys of the papers'"}},
      {distribution::zipf, {"zipf", "Each key is drawn from n values by Zipf's law"}},
  };
  EXPECT_EQ(distribution_names().size(), std::size(all));
  for (const auto& [dist, words] : all) {
    EXPECT_EQ(distribution_name(dist), words.first);
    EXPECT_EQ(*parse_distribution(words.first), dist);
    EXPECT_TRUE(distribution_sentence(dist).starts_with(words.second)) << words.first;
  }
  EXPECT_EQ(distribution_sentence(static_cast<distribution>(14)), "");
}

}  // namespace
}  // namespace pivotscope
