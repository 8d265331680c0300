// Scripts on a device, against the oracle. Without one it is skipped, and says why. A device compiles every config: so
// there are few, and many scripts of each.
#include <gtest/gtest.h>

#include "core/workload/generate/seeded_bijection.hpp"
#include "tests/support/gpu_fixture.hpp"
#include "tests/support/script_cases.hpp"

namespace pivotscope {
namespace {

constexpr u64 configs_of_method = 8, scripts_of_config = 260;

std::vector<u32> random_words(u64 seed, u64 count) {
  std::vector<u32> words(count);
  for (u64 i = 0; i < count; ++i) words[i] = static_cast<u32>(random_bits(seed, i) >> 32);
  return words;
}

TEST_F(Gpu, RandomScriptsAnswerAndHoldWhatTheOracleAllows) {
  u64 ran = 0;
  for (const std::string& method : testing::changing_methods()) {
    for (u64 c = 0; c < configs_of_method; ++c) {
      index_config config = testing::config_of_words(method, random_words(1000 + c, 16));
      if (c == 0) config = *config_from_line(method);
      config.keys = c % 2 == 0 ? key_width::u32 : key_width::u64;
      config = nearest_accepted(config, "keys");
      for (u64 i = 0; i < scripts_of_config; ++i, ++ran) {
        const u64 seed = c * scripts_of_config + i;
        const auto sizes = random_words(~seed, 3);
        const std::vector<u32> keys = random_words(2 * seed, sizes[0] % 60),
                               words = random_words(2 * seed + 1, sizes[1] % 80);
        const testing::script_case one = config.keys == key_width::u32
                                             ? testing::case_of_words<u32>(config, 1 + sizes[2] % 20, keys, words)
                                             : testing::case_of_words<u64>(config, 1 + sizes[2] % 20, keys, words);
        const std::string fault = testing::fault_of(*gpu_, one);
        ASSERT_EQ(fault, "") << one.written() << " --machine cuda";
      }
    }
  }
  EXPECT_GE(ran, 2000u);
}

// As many as a device has threads for, all of one key or of many: operations that meet.
TEST_F(Gpu, LargeMixedBatchesAreRight) {
  for (const std::string& method : testing::changing_methods()) {
    for (const u32 different : {1u, 3u, 50u, 2000u}) {
      const testing::script_case one =
          testing::case_of_words<u32>(*config_from_line(method), different, random_words(different, 60), {});
      script asked(key_width::u32);
      asked.begin_mixed();
      for (const u32 word : random_words(different + 1, 4000)) {
        const u32 verb = word >> 30;
        asked.add({verb == 0 ? operation::erase : verb == 1 ? operation::find : operation::insert, word % different});
      }
      asked.end_mixed();
      const std::string fault = testing::fault_of(*gpu_, {one.config, one.keys, asked});
      ASSERT_EQ(fault, "") << method << ", " << different << " keys";
    }
  }
}

// Mixed batches on `hot` keys and, of every second operation, on any of 2^16. Of 16 operations so many are inserts and
// erases; the others are finds and ranges in turn.
struct hot_batches {
  u32 batches, operations, hot, inserts, erases;
};
script drawn(const hot_batches& of, const index_config& config) {
  const bool has_ranges = family_of(config).serves(operation::range);
  script asked(config.keys);
  for (u64 batch = 0; batch < of.batches; ++batch) {
    asked.begin_mixed();
    for (const u32 word : random_words(batch + 1, of.operations)) {
      const u64 key = word % 2 == 0 ? word / 2 % of.hot : word >> 16;
      const u32 kind = word >> 12 & 15;
      if (kind < of.inserts)
        asked.add({operation::insert, key});
      else if (kind < of.inserts + of.erases)
        asked.add({operation::erase, key});
      else if (kind % 2 == 0 || !has_ranges)
        asked.add({operation::find, key});
      else
        asked.add({operation::range, key, key + 7});
    }
    asked.end_mixed();
  }
  return asked;
}

// Many operations on keys that lie beside each other, ranges among them, in cells of one word and of two. Then a group's
// lanes go different ways for a moment, and each look that they share has to be one lane's. Of few keys with many more
// inserts than erases a tree with duplicates has long runs.
TEST_F(Gpu, HotMixedBatchesOfEachLayoutAreRight) {
  constexpr hot_batches some = {.batches = 6, .operations = 1 << 16, .hot = 512, .inserts = 6, .erases = 6},
                        few = {.batches = 4, .operations = 1 << 14, .hot = 8, .inserts = 12, .erases = 1};
  u64 ran = 0;
  for (const std::string& method : testing::changing_methods()) {
    for (const char* knobs :
         {"", " keys=u64", " layout=soa", " keys=u64 layout=soa", " keys=u64 layout=soa wait=spin", " duplicates=on",
          " duplicates=on keys=u64 layout=soa", " look=each", " look=each duplicates=on keys=u64"}) {
      const auto config = config_from_line(method + knobs);
      if (!config) continue;  // it has no such knob
      const testing::script_case one = config->keys == key_width::u32
                                           ? testing::case_of_words<u32>(*config, some.hot, random_words(1, 4000), {})
                                           : testing::case_of_words<u64>(*config, some.hot, random_words(1, 4000), {});
      for (const hot_batches& batches : {some, few}) {
        const std::string fault = testing::fault_of(*gpu_, {one.config, one.keys, drawn(batches, *config)});
        ASSERT_EQ(fault, "") << to_line(*config) << ", " << batches.hot << " hot keys";
        ++ran;
      }
    }
  }
  EXPECT_GE(ran, 34u);
}

}  // namespace
}  // namespace pivotscope
