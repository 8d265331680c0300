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

// Many operations on keys that lie beside each other, ranges among them, in cells of one word and of two. Then a group's
// lanes go different ways for a moment, and each look that they share has to be one lane's.
TEST_F(Gpu, HotMixedBatchesOfEachLayoutAreRight) {
  constexpr u32 operations = 1 << 16, hot_keys = 512;
  u64 ran = 0;
  for (const std::string& method : testing::changing_methods()) {
    for (const char* knobs : {"", " keys=u64", " layout=soa", " keys=u64 layout=soa", " keys=u64 layout=soa wait=spin",
                              " duplicates=on", " duplicates=on keys=u64 layout=soa"}) {
      const auto config = config_from_line(method + knobs);
      if (!config) continue;  // it has no such knob
      const bool has_ranges = family_of(*config).serves(operation::range);
      const testing::script_case one = config->keys == key_width::u32
                                           ? testing::case_of_words<u32>(*config, hot_keys, random_words(1, 4000), {})
                                           : testing::case_of_words<u64>(*config, hot_keys, random_words(1, 4000), {});
      script asked(config->keys);
      for (u64 batch = 0; batch < 6; ++batch) {
        asked.begin_mixed();
        for (const u32 word : random_words(batch + 1, operations)) {
          const u64 key = word % 2 == 0 ? word / 2 % hot_keys : word >> 16;
          switch (word >> 12 & 7) {
            case 0:
            case 1:
            case 2:
              asked.add({operation::insert, key});
              break;
            case 3:
            case 4:
            case 5:
              asked.add({operation::erase, key});
              break;
            case 6:
              asked.add({operation::find, key});
              break;
            default:
              asked.add(has_ranges ? question{operation::range, key, key + 7} : question{operation::find, key});
          }
        }
        asked.end_mixed();
      }
      const std::string fault = testing::fault_of(*gpu_, {one.config, one.keys, asked});
      ASSERT_EQ(fault, "") << to_line(*config);
      ++ran;
    }
  }
  EXPECT_GE(ran, 15u);
}

}  // namespace
}  // namespace pivotscope
