// verify asks what it says it asks, and has a case as a line.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/index/axes.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/verify/cases.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

TEST(check_case, counts_what_it_asked) {
  const auto cpu = detail::open_cpu();
  const auto counts_of = [&](const workload& load) {
    case_counts counts;
    const auto failure = check_case(*cpu, {*config_from_line("AO+PB+KS"), load, true}, counts);
    EXPECT_TRUE(failure.ok() && !failure->has_value());
    return counts;
  };
  const workload none{.keys = 0, .dist = distribution::dense, .seed = 3, .lookups = 10};
  const workload some{.keys = 200, .dist = distribution::dense, .seed = 3, .lookups = 10};
  EXPECT_EQ(counts_of(none).keys, 0u);
  EXPECT_EQ(counts_of(none).of(operation::find), 10u + 4) << "and the ends of the width with their neighbours";
  EXPECT_EQ(counts_of(some).keys, 200u);
  EXPECT_EQ(counts_of(some).of(operation::find), 10u + 4 + 15 + 128)
      << "and five keys with theirs, and what is a power of two away";
  for (const operation kind : {operation::successor, operation::matches, operation::lower_bound}) {
    EXPECT_EQ(counts_of(some).of(kind), 10u + 4 + 15 + 128) << "of the lookups' keys";
  }
  EXPECT_EQ(counts_of(some).traces, 4u + 2 + 3 * 2);
  const key_array keys = *make_keys(some, key_width::u32);
  EXPECT_EQ(counts_of(some).of(operation::range),
            case_ranges({*config_from_line("AO+PB+KS"), some, true}, keys)->size());
}

// A family is asked for what it has, and for nothing else.
TEST(check_case, leaves_out_what_a_family_lacks) {
  const auto cpu = detail::open_cpu();
  u64 lacking = 0;
  for (const family* f : families()) {
    SCOPED_TRACE(f->name());
    const workload load{.keys = 20, .dist = distribution::dense, .seed = 3, .lookups = 10};
    case_counts counts;
    const auto failure = check_case(*cpu, {f->standard(), load, false}, counts);
    ASSERT_TRUE(failure.ok()) << failure.error().words;
    EXPECT_FALSE(failure->has_value());
    for (const operation kind : read_operations) {
      EXPECT_EQ(counts.of(kind) != 0, f->serves(kind)) << operation_noun(kind);
    }
    lacking += !f->serves(operation::successor);
  }
  EXPECT_GE(lacking, 1u);
}

TEST(case_lookups, end_with_the_neighbours_of_keys) {
  const verify_case c{default_config(), {.keys = 3, .dist = distribution::dense, .seed = 1, .lookups = 0}};
  const key_array keys(std::vector<u32>{20, 10, 30}), lookups = case_lookups(c, keys)->keys;
  const std::vector<u32> wanted = {0, 1, ~0u, ~0u - 1, 10, 9, 11, 30, 29, 31, 20, 19, 21, 30, 29, 31, 10, 9, 11};
  ASSERT_EQ(lookups.size(), wanted.size() + 2 * 64);
  EXPECT_TRUE(std::ranges::equal(lookups.as<u32>().subspan(0, wanted.size()), wanted));
  // Then from keys all over the set as far as each power of two.
  std::set<u32> from;
  for (u32 i = 0; i < 64; ++i) {
    const u32 far = 1u << i * 5 % 32, above = lookups.as<u32>()[wanted.size() + 2 * i];
    EXPECT_EQ(lookups.as<u32>()[wanted.size() + 2 * i + 1], above - 2 * far);
    from.insert(above - far);
  }
  EXPECT_EQ(from, (std::set<u32>{10, 20, 30}));
}

TEST(case_ranges, end_with_the_corners) {
  const verify_case c{default_config(), {.keys = 3, .dist = distribution::dense, .seed = 1}};
  const key_array keys(std::vector<u32>{20, 10, 30});
  const batch ranges = *case_ranges(c, keys);
  std::vector<std::pair<u64, u64>> last;
  for (u64 i = ranges.size() - 54; i < ranges.size(); ++i) last.emplace_back(ranges.keys[i], ranges.highs[i]);
  const u64 top = ~0u;
  std::vector<std::pair<u64, u64>> wanted = {{0, top},       {top, 0}, {0, 0},   {top, top}, {1, 0},
                                             {top - 1, top}, {10, 30}, {30, 10}, {11, 29}};
  for (const u64 key : {10, 30, 20, 30, 10}) {
    const std::pair<u64, u64> around[] = {{key, key},     {key, top},     {0, key},  {key + 1, top}, {0, key - 1},
                                          {key, key + 1}, {key + 1, key}, {key, 30}, {10, key}};
    wanted.insert(wanted.end(), std::begin(around), std::end(around));
  }
  EXPECT_EQ(last, wanted);
  EXPECT_EQ(
      case_ranges(c, key_array(key_width::u32, 0))->keys[case_ranges(c, key_array(key_width::u32, 0))->size() - 1],
      top - 1)
      << "without keys the ends of the width are the last";
}

TEST(trace_command_line, says_what_differs) {
  const auto line = [](const char* config, const workload& load, const question& asked) {
    return trace_command_line({*config_from_line(config), load}, asked, machine_kind::cuda);
  };
  EXPECT_EQ(line("EO+KS fanout=5 keys=u64", {.keys = 6, .dist = distribution::dense, .seed = 9}, 5),
            "pivotscope trace --config \"EO+KS fanout=5 keys=u64\" --keys 6 --distribution dense --seed 9 --machine "
            "cuda --lookup 5");
  EXPECT_EQ(line("EO+BS", {.keys = 6, .dist = distribution::mix, .uniformity = 0.25}, {operation::range, 5, 7}),
            "pivotscope trace --config \"EO+BS\" --keys 6 --distribution mix --uniformity 0.25 --seed 1 --machine cuda "
            "--lookup 5 --range-to 7");
  EXPECT_EQ(line("EO+BS", {.keys = 6, .dist = distribution::ends, .repeat = 3}, {operation::range, 0, 0}),
            "pivotscope trace --config \"EO+BS\" --keys 6 --distribution ends --repeat-keys 3 --seed 1 --machine cuda "
            "--lookup 0 --range-to 0");
  EXPECT_EQ(line("EO+BS", {.keys = 6, .dist = distribution::dense}, question(operation::successor, 5)),
            "pivotscope trace --config \"EO+BS\" --keys 6 --distribution dense --seed 1 --machine cuda --successor 5");
}

// Wrong wherever there are at least so many keys: what is smallest is known.
struct wrong_from final : honest_machine {
  explicit wrong_from(u64 keys) : least(keys) {}
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    auto result = honest_machine::run(index, asked, options, control);
    if (shape_of(index).keys >= least && asked.kind == operation::find) result->answers.found[0] ^= 1;
    return result;
  }
  u64 least;
};

u64 smallest_of(u64 least_wrong, u64 keys, distribution dist = distribution::dense) {
  wrong_from liar(least_wrong);
  const verify_case c{default_config(), {.keys = keys, .dist = dist, .lookups = 5}};
  case_counts counts;
  const auto failure = check_case(liar, c, counts);
  EXPECT_TRUE(failure.ok() && failure->has_value());
  return shrink_case(liar, c, **failure)->first.load.keys;
}

TEST(shrink_case, tries_small_sizes_then_powers_of_two) {
  EXPECT_EQ(smallest_of(0, 500), 0u);
  EXPECT_EQ(smallest_of(1, 500), 1u);
  EXPECT_EQ(smallest_of(39, 500), 39u);
  EXPECT_EQ(smallest_of(40, 500), 64u);
  EXPECT_EQ(smallest_of(65, 500), 128u);
  EXPECT_EQ(smallest_of(257, 500), 500u);
  EXPECT_EQ(smallest_of(20, 25), 20u);
  EXPECT_EQ(smallest_of(25, 25), 25u);
  EXPECT_EQ(smallest_of(3, 14, distribution::paper), 14u) << "there are always 14 of these";
}

}  // namespace
}  // namespace pivotscope
