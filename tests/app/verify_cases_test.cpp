#include "core/verify/cases.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/families/ordered/config.hpp"
#include "core/index/axes.hpp"
#include "core/index/check.hpp"
#include "core/index/config_text.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/app/lying_machine.hpp"
#include "tests/app/program.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/golden_families.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

// FNV-1a.
u64 hash_of(std::string_view text) {
  u64 hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

TEST(case_generator, draws_only_what_is_accepted_and_fits_one_line) {
  const case_generator generator({.seed = 3, .most_keys = 5000});
  for (u64 i = 0; i < 3000; ++i) {
    const verify_case c = generator.draw(i);
    EXPECT_EQ(check(c.config), std::nullopt) << to_line(c.config);
    EXPECT_EQ(check(c.load, c.config.keys), std::nullopt) << to_line(c.load);
    EXPECT_LE(c.load.keys, 5000u);
    EXPECT_EQ(*config_from_line(to_line(c.config)), c.config);
    EXPECT_EQ(*workload_from_line(to_line(c.load)), c.load);
  }
}

TEST(case_generator, gives_the_same_case_for_the_same_number) {
  const case_generator a({.seed = 3}), b({.seed = 3}), other({.seed = 4});
  u32 differing = 0;
  for (u64 i = 0; i < 100; ++i) {
    EXPECT_EQ(a.draw(i).config, b.draw(i).config);
    EXPECT_EQ(a.draw(i).load, b.draw(i).load);
    differing += !(a.draw(i).load == other.draw(i).load);
  }
  EXPECT_GT(differing, 90u);
}

// "Case 57 of seed 3" means the same tomorrow, as long as no family comes: the first of three seeds as lines, 3,000 of
// each as a hash.
TEST(case_generator, draws_the_cases_it_always_drew) {
  std::string text;
  for (case_options options :
       {case_options{}, case_options{.seed = 3, .most_keys = 500}, case_options{.seed = 9, .configs = 7}}) {
    options.of = testing::golden_families();
    const case_generator generator(options);
    std::string all;
    for (u64 i = 0; i < 3000; ++i) {
      const verify_case c = generator.draw(i);
      const std::string line = to_line(c.config) + ", " + to_line(c.load) + (c.range_rows ? ", rows" : "") + "\n";
      if (i < 40) text += line;
      all += line;
    }
    text += "all: " + std::to_string(hash_of(all)) + "\n";
  }
  testing::expect_golden("tests/app/golden_cases/drawn.txt", text);
}

TEST(case_generator, reaches_the_corners) {
  // However many families the table has, of these there are as many cases.
  const case_generator generator({.seed = 1, .of = testing::golden_families()});
  std::set<u64> sizes;
  std::set<distribution> distributions;
  std::set<u32> lanes, fanouts;
  std::set<entry_layout> layouts;
  std::set<key_width> widths;
  bool all_equal = false, all_miss = false, all_hit = false, no_lookups = false;
  for (u64 i = 0; i < 4000; ++i) {
    const verify_case c = generator.draw(i);
    sizes.insert(c.load.keys);
    distributions.insert(c.load.dist);
    widths.insert(c.config.keys);
    if (c.config.family == ordered_id) {
      lanes.insert(knobs_of(c.config).lanes);
      fanouts.insert(knobs_of(c.config).fanout);
      layouts.insert(knobs_of(c.config).layout);
    }
    all_equal = all_equal || (c.load.keys > 100 && c.load.repeat == c.load.keys);
    all_miss = all_miss || c.load.hits == 0;
    all_hit = all_hit || c.load.hits == 1;
    no_lookups = no_lookups || c.load.lookups == 0;
  }
  EXPECT_EQ(distributions.size(), distribution_names().size());
  EXPECT_EQ(layouts.size(), 2u);
  EXPECT_EQ(widths.size(), 2u);
  EXPECT_EQ(fanouts.size(), 32u) << "2 to 33";
  EXPECT_GE(lanes.size(), 28u);
  for (const u64 n : {0u, 1u, 2u, 255u, 256u, 257u, 4096u, 16384u}) EXPECT_TRUE(sizes.contains(n)) << n;
  EXPECT_GT(sizes.size(), 500u);
  EXPECT_TRUE(all_equal && all_miss && all_hit && no_lookups);
}

TEST(case_generator, draws_every_method_over_keys_that_make_sense_for_it) {
  const case_generator generator({.seed = 1});
  std::set<std::string> methods;
  for (u64 i = 0; i < 4000; ++i) {
    const verify_case c = generator.draw(i);
    methods.insert(method_name(c.config));
    EXPECT_LE(c.load.keys, family_of(c.config).sensible_keys(c.config));
  }
  EXPECT_EQ(methods.size(), method_names().size());
}

TEST(case_generator, keeps_to_a_few_configs_when_told) {
  const case_generator generator({.seed = 1, .configs = 5});
  std::set<std::string> configs, loads;
  for (u64 i = 0; i < 200; ++i) {
    configs.insert(to_line(generator.draw(i).config));
    loads.insert(to_line(generator.draw(i).load));
  }
  EXPECT_LE(configs.size(), 5u);
  EXPECT_GT(loads.size(), 150u);
}

TEST(case_generator, keeps_to_the_most_keys_exactly) {
  for (const u64 most : {0u, 1u, 2u, 13u, 14u, 15u}) {
    const case_generator generator({.seed = 1, .most_keys = most});
    u64 greatest = 0;
    bool paper = false;
    for (u64 i = 0; i < 500; ++i) {
      const workload load = generator.draw(i).load;
      greatest = std::max(greatest, load.keys);
      paper = paper || load.dist == distribution::paper;
    }
    EXPECT_EQ(greatest, most);
    EXPECT_EQ(paper, most >= 14);
  }
}

TEST(case_lookups, always_ask_for_the_ends_of_the_width) {
  const verify_case c{*config_from_line("EO+BS keys=u64"), {.keys = 0, .dist = distribution::uniform, .lookups = 0}};
  const key_array lookups = case_lookups(c, key_array(key_width::u64, 0))->keys;
  std::set<u64> asked;
  for (u64 i = 0; i < lookups.size(); ++i) asked.insert(lookups[i]);
  EXPECT_TRUE(asked.contains(0) && asked.contains(~0ull));
}

TEST(check_case, finds_a_lie_and_makes_it_small) {
  lying_machine liar([](u64 key) { return key == 5; });
  const verify_case c{*config_from_line("EO+KS fanout=5"),
                      {.keys = 3000, .dist = distribution::dense, .seed = 9, .lookups = 20'000}};
  case_counts counts;
  const outcome<std::optional<case_failure>> failure = check_case(liar, c, counts);
  ASSERT_TRUE(failure.ok() && failure->has_value());
  EXPECT_EQ((*failure)->asked.key, 5u);
  EXPECT_NE((*failure)->words.find("of key 5 answered not found, right is row id "), std::string::npos);

  const auto smallest = shrink_case(liar, c, **failure);
  ASSERT_TRUE(smallest.ok());
  EXPECT_EQ(smallest->first.load.keys, 2u);  // 0 and 1, a power of two away from which 5 is asked for
  EXPECT_EQ(trace_command_line(smallest->first, smallest->second.asked, machine_kind::cpu),
            "pivotscope trace --config \"EO+KS fanout=5\" --keys 2 --distribution dense --seed 9 --machine cpu "
            "--successor 5");
}

// Right where all keys are equal, but not what the index says: always the next row.
class next_row final : public honest_machine {
 public:
  outcome<batch_result> run(const built_index& index, const batch& asked, const batch_options& options,
                            const job_control& control) override {
    outcome<batch_result> result = honest_machine::run(index, asked, options, control);
    for (u32& row : result->answers.found)
      if (row != not_found) row = (row + 1) % 20;
    return result;
  }
};

TEST(check_case, a_trace_must_answer_as_the_machine_did) {
  const verify_case c{*config_from_line("AO+BS"),
                      {.keys = 20, .dist = distribution::duplicates, .repeat = 20, .seed = 2, .lookups = 10}};
  const key_array keys = *make_keys(c.load, c.config.keys);  // one value
  next_row machine;
  case_counts counts;
  const auto failure = check_case(machine, c, counts);
  ASSERT_TRUE(failure.ok() && failure->has_value());
  const std::string key = std::to_string(keys[0]);
  EXPECT_EQ((*failure)->asked.key, keys[0]);
  const u32 row = trace_lookup(*testing::build_on_cpu(c.config, keys), keys[0])->row;
  EXPECT_EQ((*failure)->words, "lookup 0 of key " + key + " answered row id " + std::to_string((row + 1) % 20) +
                                   ", but its trace row id " + std::to_string(row));
  EXPECT_EQ(counts.traces, 1u);
}

// The line is for a shell to read, so a shell reads it here.
TEST(trace_command_line, is_accepted_by_the_program) {
  const case_generator generator({.seed = 8, .most_keys = 300});
  const scratch_folder folder;
  std::filesystem::create_symlink(testing::program_path(), folder / "pivotscope");
  std::string script = "set -e\nPATH=" + (folder / "").string() + ":$PATH\n";
  for (u64 i = 0; i < 30; ++i) {
    script +=
        trace_command_line(generator.draw(i), i % 2 == 0 ? 0 : 0xFFFFFFFFull, machine_kind::cpu) + " >/dev/null\n";
  }
  const std::string path = folder.write("script", script);
  EXPECT_EQ(std::system(("sh " + path).c_str()), 0) << script;
}

}  // namespace
}  // namespace pivotscope
