// A scenario's line: each part there and back, and what is said of a line that is none.
#include "app/files/scenario_text.hpp"
#include "core/workload/question_text.hpp"

#include <gtest/gtest.h>

#include "core/index/config_text.hpp"
#include "core/index/family.hpp"

namespace pivotscope {
namespace {

const index_config config = *config_from_line("AO+PB+KS lanes=2 keys=u64");
const workload load = *workload_from_line("keys=2^20 distribution=mix uniformity=0.25 seed=3 lookups=77 hits=0.5");

std::string words_of(std::string_view line) {
  const outcome<scenario_text> parsed = scenario_from_line(line);
  EXPECT_FALSE(parsed.ok()) << line;
  return parsed.ok() ? "" : parsed.error().words;
}

TEST(scenario_text, is_a_line_of_its_three_parts) {
  EXPECT_EQ(
      to_line(config, load, question(42)),
      "AO+PB+KS lanes=2 keys=u64 keys=2^20 distribution=mix uniformity=0.25 seed=3 lookups=77 hits=0.5 lookup=42");
  EXPECT_EQ(to_line(default_config(), workload{}, std::nullopt),
            "EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1");
  EXPECT_EQ(to_line(default_config(), workload{}, question(operation::range, 4, 12)),
            "EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=4..12");
}

TEST(scenario_text, every_part_comes_back_alone_and_with_the_others) {
  for (const bool with_config : {false, true}) {
    for (const bool with_load : {false, true}) {
      for (const std::optional<question>& key :
           {std::optional<question>(), std::optional<question>(42), std::optional(question(operation::range, 4, 12)),
            std::optional(question(operation::successor, 9)), std::optional(question(operation::insert, 9)),
            std::optional(question(operation::erase, 9))}) {
        std::string line;
        if (key) line += "lookup=" + to_text(*key) + " ";
        if (with_load) line += to_line(load) + " ";
        if (with_config) line += to_line(config);
        if (line.empty()) continue;
        const outcome<scenario_text> parsed = scenario_from_line(line);
        ASSERT_TRUE(parsed.ok()) << line << ": " << parsed.error().words;
        EXPECT_EQ(parsed->config, with_config ? std::optional(config) : std::nullopt) << line;
        EXPECT_EQ(parsed->load, with_load ? std::optional(load) : std::nullopt) << line;
        EXPECT_EQ(parsed->key, key) << line;
      }
    }
  }
}

TEST(scenario_text, a_place_is_a_step_or_a_slot_of_the_build) {
  EXPECT_EQ(to_line(default_config(), workload{}, question(9), {.step = 3}),
            "EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9 step=3");
  EXPECT_EQ(to_line(default_config(), workload{}, question(9), {.build = build_slot{"pivots", 2}}),
            "EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9 build=pivots:2");
  EXPECT_EQ(scenario_from_line("step=3")->at, (view_position{.step = 3}));
  EXPECT_EQ(scenario_from_line("build=11 EO+BS")->at, (view_position{.build = build_slot{"", 11}}));
  EXPECT_EQ(scenario_from_line("EO+BS lookup=9")->at, view_position{}) << "a line from before";
  EXPECT_EQ(scenario_from_line("pivotscope picture --lookup 9 --step 2")->at, (view_position{.step = 2}));
  EXPECT_EQ(scenario_from_line("pivotscope picture --build pivots:2")->at,
            (view_position{.build = build_slot{"pivots", 2}}));
  EXPECT_TRUE(words_of("step=1 step=2").ends_with("it gives step twice"));
  EXPECT_TRUE(words_of("build=1 build=1").ends_with("it gives build twice"));
  EXPECT_TRUE(words_of("build=1 step=1").ends_with("a step of the lookup, or a slot of the build, and not both"));
  for (const char* refused : {"step=0", "step=", "step=x", "step=2^31", "build=", "build=:1", "build=A:1", "step",
                              "build", "panel=", "panel=layuot", "panel=Layout", "cells=5", "cells=5..5", "cells=9..5",
                              "cells=..5", "cells=1..", "cells=-1..5"})
    EXPECT_FALSE(scenario_from_line(refused).ok()) << refused;
}

TEST(scenario_text, a_sight_is_a_panel_and_the_cells_in_view) {
  EXPECT_EQ(to_line(default_config(), workload{}, question(9),
                    {.step = 3, .panel = "layout", .cells = shown_cells{120, 180}}),
            "EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9 step=3 panel=layout cells=120..180");
  EXPECT_EQ(scenario_from_line("panel=tree")->at, (view_position{.panel = "tree"}));
  EXPECT_EQ(scenario_from_line("cells=0..2^20")->at, (view_position{.cells = shown_cells{0, 1 << 20}}));
  EXPECT_EQ(scenario_from_line("pivotscope picture --panel warp --lookup 9")->at, (view_position{.panel = "warp"}));
  EXPECT_TRUE(words_of("panel=layuot").ends_with("there is no panel 'layuot'; did you mean 'layout'?"))
      << words_of("panel=layuot");
  EXPECT_TRUE(words_of("panel=tree panel=tree").ends_with("it gives panel twice"));
  EXPECT_TRUE(words_of("cells=9..5").ends_with("cells: 5 is not behind 9"));
}

TEST(scenario_text, keys_is_the_configs_width_or_the_workloads_number) {
  const outcome<scenario_text> both = scenario_from_line(" EO+BS\tkeys=u32\r\nkeys=100 \n");
  ASSERT_TRUE(both.ok()) << both.error().words;
  EXPECT_EQ(both->config->keys, key_width::u32);
  EXPECT_EQ(both->load->keys, 100u);
  EXPECT_EQ(both->load->dist, distribution::uniform);
  EXPECT_EQ(scenario_from_line("EO+BS keys=u64")->config->keys, key_width::u64);
  EXPECT_FALSE(scenario_from_line("EO+BS keys=u64")->load);
  EXPECT_EQ(
      words_of("keys=u16"),
      "\"keys=u16\" is no scenario: keys 'u16': it is not a whole number; write it like 1000000, 2^20, 64Ki or 1e6");
}

TEST(scenario_text, a_key_must_fit_the_configs_width_if_there_is_one) {
  EXPECT_EQ(scenario_from_line("lookup=4294967296")->key, question(4294967296));
  EXPECT_EQ(scenario_from_line("EO+BS keys=u64 lookup=4294967296")->key, question(4294967296));
  EXPECT_EQ(scenario_from_line("EO+BS lookup=4294967295")->key, question(4294967295));
  EXPECT_EQ(
      words_of("EO+BS lookup=4294967296"),
      "\"EO+BS lookup=4294967296\" is no scenario: 4294967296 is too large: the keys of this index are 32-bit, at "
      "most 4294967295.");
}

// As `verify` prints it of a failing case, and as one types it.
TEST(scenario_text, a_command_is_a_scenario_too) {
  const auto line_of = [](const char* command) {
    const outcome<scenario_text> got = scenario_from_line(command);
    EXPECT_TRUE(got.ok()) << command << ": " << (got.ok() ? "" : got.error().words);
    if (!got.ok() || !got->config || !got->load) return std::string("parts are missing");
    return to_line(*got->config, *got->load, got->key);
  };
  EXPECT_EQ(line_of("pivotscope trace --config \"EO+KS fanout=5 lanes=4\" --keys 31 --distribution dense --seed 3 "
                    "--machine cpu --lookup 7"),
            "EO+KS fanout=5 keys=31 distribution=dense seed=3 lookups=64 hits=1 lookup=7");
  EXPECT_EQ(line_of("pivotscope trace --config='AO+BS keys=u64' --keys 2^20 --lookup 4 --range-to 12"),
            "AO+BS keys=u64 keys=2^20 distribution=uniform seed=1 lookups=64 hits=1 lookup=4..12");
  EXPECT_EQ(line_of("pivotscope trace --lookup 9"),
            "EO+BS keys=14 distribution=paper seed=1 lookups=64 hits=1 lookup=9")
      << "what the command takes by itself";
  EXPECT_EQ(line_of("./pivotscope run --keys 2^16 --ranges 2^10 --hits 32 --config AO+BS"),
            "AO+BS keys=2^16 distribution=uniform seed=1 lookups=64 hits=1 ranges=2^10 range_hits=32");
  EXPECT_EQ(line_of("pivotscope run --workload \"keys=2^12 distribution=duplicates repeat=8\" --lookups 100"),
            "EO+BS keys=2^12 distribution=duplicates repeat=8 seed=1 lookups=100 hits=1");
  for (const char* refused : {"pivotscope run --answers rows.txt", "pivotscope trace --lookup", "trace --lookup nine",
                              "pivotscope trace --config \"EO+XX\" --lookup 9", "pivotscope run --json"}) {
    EXPECT_FALSE(scenario_from_line(refused).ok()) << refused;
  }
}

TEST(scenario_text, brings_keys_and_lookups_of_one_s_own) {
  const auto own = scenario_from_line("EO+BS key_list=1,5,9 seed=1 range_list=7..20 lookup=5");
  ASSERT_TRUE(own.ok()) << own.error().words;
  EXPECT_EQ(own->load->own_keys.list, (std::vector<u64>{1, 5, 9}));
  EXPECT_EQ(to_line(*own->config, *own->load, own->key), "EO+BS key_list=1,5,9 seed=1 range_list=7..20 lookup=5");
  const auto command = scenario_from_line("pivotscope trace --keys-from '/a b.csv' --keys-column key --lookup 5");
  ASSERT_TRUE(command.ok()) << command.error().words;
  EXPECT_EQ(command->load->own_keys, (own_numbers{.file = "/a b.csv", .column = "key"}));
  EXPECT_FALSE(scenario_from_line("EO+BS key_list=4294967296").ok()) << "the config says 32 bits";
  EXPECT_TRUE(scenario_from_line("EO+BS keys=u64 key_list=4294967296").ok());
}

TEST(scenario_text, what_is_none_is_said_with_its_words) {
  EXPECT_EQ(words_of(""), "There is no scenario in the clipboard: it is empty.");
  EXPECT_EQ(words_of(" \t\r\n"), "There is no scenario in the clipboard: it is empty.");
  EXPECT_EQ(words_of("lookup="), "\"lookup=\" is no scenario: Type a key: a whole number.");
  EXPECT_EQ(words_of("EO+BS lookup=x"),
            "\"EO+BS lookup=x\" is no scenario: \"x\" is not a whole number. Decimal digits, "
            "or 0x and hexadecimal ones.");
  EXPECT_EQ(words_of("lookup=1 lookup=2"), "\"lookup=1 lookup=2\" is no scenario: it gives lookup twice");
  EXPECT_EQ(words_of("seed=-1"),
            "\"seed=-1\" is no scenario: seed '-1': it is negative; write it like 1000000, 2^20, 64Ki or 1e6");
  EXPECT_EQ(
      words_of("distribution=paper keys=13"),
      "\"distribution=paper keys=13\" is no scenario: distribution=paper has exactly 14 keys, not 13; for another "
      "number take distribution=uniform");
  EXPECT_TRUE(words_of("hello").starts_with("\"hello\" is no scenario: unknown method 'hello'"));
  // A word without a value is the config's, wherever it stands.
  EXPECT_TRUE(words_of("keys=100 hello").starts_with("\"keys=100 hello\" is no scenario: unknown method 'hello'"));
  EXPECT_TRUE(words_of("lanes=2").starts_with("\"lanes=2\" is no scenario: unknown method 'lanes=2'"));
}

TEST(scenario_text, a_long_text_is_quoted_in_part_and_without_control_characters) {
  std::string words;
  for (int i = 0; i < 64; ++i) words += "x ";
  EXPECT_TRUE(words_of(words).starts_with('"' + words.substr(0, 60) + "...\" is no scenario: unknown method 'x'"));
  EXPECT_EQ(words_of(words + "x"), "That is no scenario line: \"" + words.substr(0, 60) + "...\".");
  const std::string sixty(60, 'y');
  EXPECT_TRUE(words_of(sixty).starts_with('"' + sixty + "\" is no"));
  EXPECT_TRUE(words_of(sixty + 'y').starts_with('"' + sixty + "...\" is no"));
  EXPECT_TRUE(words_of("a\x1b[1m\nb").starts_with("\"a [1m b\" is no scenario"));
  EXPECT_TRUE(words_of("a\x1f\x20\x21").starts_with("\"a  !\" is no scenario"));
}

TEST(scenario_text, asks_what_comes_after_a_key) {
  EXPECT_TRUE(to_line(default_config(), workload{}, question(operation::successor, 9)).ends_with(" successor=9"));
  EXPECT_EQ(scenario_from_line("EO+BS successor=9")->key, question(operation::successor, 9));
  EXPECT_TRUE(to_line(default_config(), workload{}, question(operation::erase, 9)).ends_with(" erase=9"));
  EXPECT_EQ(scenario_from_line("PLAIN insert=9")->key, question(operation::insert, 9));
  EXPECT_EQ(scenario_from_line("PLAIN lookup=-9")->key, question(operation::erase, 9));
  EXPECT_EQ(scenario_from_line("pivotscope trace --config PLAIN --keys 5 --erase 3")->key,
            question(operation::erase, 3));
  const outcome<scenario_text> made =
      scenario_from_line("pivotscope run --config PLAIN --keys 5 --inserts 3 --erases 2 --mix 0.5 --batch 4");
  ASSERT_TRUE(made.ok()) << made.error().words;
  EXPECT_EQ(made->load->recipe, (script_recipe{.inserts = 3, .erases = 2, .mix = 0.5, .batch = 4}));
  EXPECT_EQ(scenario_from_line("PLAIN key_list=1 script=+5/-5")->load->own_script.list, "+5/-5");
  EXPECT_EQ(scenario_from_line("EO+BS keys=14 successors=64")->load->successors, 64u);
  EXPECT_EQ(scenario_from_line("pivotscope trace --config \"EO+KS\" --keys 20 --successor 7")->key,
            question(operation::successor, 7));
  EXPECT_EQ(scenario_from_line("pivotscope run --keys 20 --successors 5")->load->successors, 5u);
  const auto why = [](const char* line) { return scenario_from_line(line).error().words; };
  EXPECT_NE(why("EO+BS successor=9 lookup=8").find("one question of a key, and not several"), std::string::npos);
  EXPECT_NE(why("EO+BS successor=4294967296").find("too large"), std::string::npos);
  EXPECT_NE(why("EO+BS successor=9 successor=9").find("it gives successor twice"), std::string::npos);
}

}  // namespace
}  // namespace pivotscope
