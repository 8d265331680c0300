#include "core/workload/script_recipe.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(script_recipe, has_a_line_that_gives_it_back) {
  for (const script_recipe& recipe :
       {script_recipe{}, script_recipe{.inserts = 1 << 20, .erases = 100, .mix = 0.2},
        script_recipe{.inserts = max_keys, .erases = max_lookups, .mix = 1, .batch = 1}, script_recipe{.mix = 1e-9}}) {
    const std::string line = to_line(recipe);
    script_recipe read;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t equals = line.find('=', at), end = std::min(line.find(' ', at), line.size());
      const std::string name = line.substr(at, equals - at);
      EXPECT_TRUE(is_recipe_field(name)) << line;
      EXPECT_FALSE(set_recipe_field(read, name, line.substr(equals + 1, end - equals - 1))) << line;
      at = end + 1;
    }
    EXPECT_EQ(read, recipe) << line;
  }
  EXPECT_EQ(to_line({.inserts = 1 << 20, .erases = 100, .mix = 0.2}), "inserts=2^20 erases=100 mix=0.2");
  EXPECT_EQ(to_line({.batch = 4096}), "inserts=0 erases=0 mix=0 batch=2^12");
  EXPECT_EQ(to_line({.mix = 1, .batch = usual_mixed_batch}), "inserts=0 erases=0 mix=1");
  EXPECT_EQ(to_line({.batch = usual_mixed_batch}), "inserts=0 erases=0 mix=0 batch=2^20") << "2^20, and not all";
}

TEST(script_recipe, refuses_a_part_in_words) {
  script_recipe recipe;
  const auto words = [&](std::string_view name, std::string_view value) {
    const auto refused = set_recipe_field(recipe, name, value);
    return refused ? refused->words : "";
  };
  EXPECT_EQ(words("mix", "2"), "mix=2 is not between 0 and 1");
  EXPECT_EQ(words("batch", "0"), "batch 0 is below the least, 1");
  EXPECT_EQ(words("inserts", "-1"), "inserts '-1': it is negative; write it like 1000000, 2^20, 64Ki or 1e6");
  EXPECT_EQ(words("insert", "1"), "'insert' is not a part of a made script");
  EXPECT_FALSE(is_recipe_field("insert"));
  EXPECT_EQ(recipe, script_recipe{});
}

TEST(script_recipe, has_a_usual_batch) {
  EXPECT_EQ(batch_of({.mix = 0.5}), usual_mixed_batch);
  EXPECT_EQ(batch_of({.inserts = 5}), whole_batch);
  EXPECT_EQ(batch_of({.inserts = 5, .batch = 3}), 3u);
  EXPECT_EQ((script_recipe{.mix = 1}), (script_recipe{.mix = 1, .batch = usual_mixed_batch}));
  EXPECT_NE(script_recipe{}, (script_recipe{.batch = usual_mixed_batch}));
}

TEST(script_recipe, says_how_many_finds_there_are_among_writes) {
  EXPECT_EQ(finds_among({.inserts = 300, .erases = 100}), 0u);
  EXPECT_EQ(finds_among({.inserts = 300, .erases = 100, .mix = 0.2}), 1600u);
  EXPECT_EQ(finds_among({.inserts = 2, .erases = 1, .mix = 0.9}), 0u);
  EXPECT_EQ(finds_among({.inserts = 10, .mix = 1}), 0u);
  EXPECT_EQ(finds_among({.inserts = max_keys, .mix = 0.5}), max_keys);
}

}  // namespace
}  // namespace pivotscope
