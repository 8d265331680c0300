// Counts and places in groups, keys and row ids as they are typed.
#include "viz/words/sentence_numbers.hpp"

#include <gtest/gtest.h>

#include "core/machine/trace/trace.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

// With a plain space for the one that does not break.
std::string said(std::string_view sentence) {
  std::string words = with_grouped_numbers(sentence);
  for (std::size_t at = 0; (at = words.find("\u00A0", at)) != std::string::npos;) words.replace(at, 2, "_");
  return words;
}

TEST(sentence_numbers, counts_and_places_are_grouped) {
  EXPECT_EQ(
      said("2642849790 is less than 2801884379, so 2801884379 and everything after it is out. 1976 of 3000 keys are "
           "left."),
      "2642849790 is less than 2801884379, so 2801884379 and everything after it is out. 1_976 of 3_000 keys are "
      "left.");
  EXPECT_EQ(said("2654188444 is in the index: row id 459539, in slot 848297 of the entries."),
            "2654188444 is in the index: row id 459539, in slot 848_297 of the entries.");
  EXPECT_EQ(
      said("The keys from 960 to 4294965992 are cut into 16644 buckets of equal width, each with a prefix block."),
      "The keys from 960 to 4294965992 are cut into 16_644 buckets of equal width, each with a prefix block.");
  EXPECT_EQ(
      said("Prefix block 7750: its bucket begins in leaf 81341. 12 more begin in it. 6 marks are up to the key, so it "
           "is leaf 81341 + 6 = 81347."),
      "Prefix block 7_750: its bucket begins in leaf 81_341. 12 more begin in it. 6 marks are up to the key, so it is "
      "leaf 81_341 + 6 = 81_347.");
  EXPECT_EQ(said("on to leaf 81347, entries 488082 to 488087"), "on to leaf 81_347, entries 488_082 to 488_087");
  EXPECT_EQ(said("Begin at the last slot, 1048575. The longest step is 531441, the greatest power of 9 up to n."),
            "Begin at the last slot, 1_048_575. The longest step is 531_441, the greatest power of 9 up to n.");
  EXPECT_EQ(said("Cut the step to 59049: from slot 517134 back to the slots from 458085 to 44742."),
            "Cut the step to 59_049: from slot 517_134 back to the slots from 458_085 to 44_742.");
  EXPECT_EQ(said("Go left: slot 2 x 65536 = 131072."), "Go left: slot 2 x 65_536 = 131_072.");
  EXPECT_EQ(said("The hash of 2000000000 is 0x2179e3cc, of 2^32: window 21424 of 163840 is its home, cells 171392 to "
                 "171399."),
            "The hash of 2000000000 is 0x2179e3cc, of 2^32: window 21_424 of 163_840 is its home, cells 171_392 to "
            "171_399.");
  EXPECT_EQ(said("232 entries from 2000000000 to 2001000000; the sum of row ids is 121392505."),
            "232 entries from 2000000000 to 2001000000; the sum of row ids is 121_392_505.");
  EXPECT_EQ(said("1976 left"), "1_976 left");
  EXPECT_EQ(said("slots 4768 to 4799"), "slots 4_768 to 4_799");
}

TEST(sentence_numbers, of_a_merge) {
  EXPECT_EQ(said("Step 701388 copies old slot 700694: its key is less than that of the next write, erase 2654188444."),
            "Step 701_388 copies old slot 700_694: its key is less than that of the next write, erase 2654188444.");
  EXPECT_EQ(said("Step 12345 inserts 2654188444: the next entry, in old slot 12344, has a greater key."),
            "Step 12_345 inserts 2654188444: the next entry, in old slot 12_344, has a greater key.");
}

TEST(sentence_numbers, keys_and_row_ids_stay) {
  for (const char* words :
       {"2654188444 is equal to 2654188444. Found.", "Leaf 5: none of its 6 entries has the bits of 2000000000.",
        "None of the 7 keys here is 2000000000, and one is erased.", "12345 goes in: row id 54321.",
        "No key from 1000 to 2000 is in the index.", "2000026744, 2000070631 \u2026 2000997988 are in the range.",
        "On to the next level: a key nearer to 10000 may lie there.", "", "9"})
    EXPECT_EQ(said(words), words);
}

// Nothing else is changed, and the key looked for can be read in every verdict.
TEST(sentence_numbers, of_whole_traces) {
  for (const char* line : {"AO+BS", "EO+KS", "AO+PB+KS pivots=2", "PLAIN", "HT+OA", "PACKED", "PACKED block=32"}) {
    SCOPED_TRACE(line);
    const auto keys = make_keys({.keys = 20000, .dist = distribution::uniform}, key_width::u32);
    ASSERT_TRUE(keys.ok());
    const auto index = testing::build_on_cpu(testing::config_of(line), *keys);
    for (const u64 key : {u64{2000000000}, u64{3147483648}}) {
      const auto plain = trace_lookup(*index, key);
      ASSERT_TRUE(plain.ok());
      lookup_trace shown = *plain;
      group_numbers(shown);
      const auto without = [](std::string words) {
        for (std::size_t at = 0; (at = words.find("\u00A0", at)) != std::string::npos;) words.erase(at, 2);
        return words;
      };
      EXPECT_EQ(without(shown.verdict), plain->verdict);
      EXPECT_EQ(without(shown.start), plain->start);
      EXPECT_NE(shown.verdict.find(std::to_string(key)), std::string::npos) << shown.verdict;
      for (std::size_t i = 0; i < plain->steps.size(); ++i) {
        const trace_step &was = plain->steps[i], &is = shown.steps[i];
        EXPECT_EQ(without(is.words), was.words);
        EXPECT_EQ(without(is.next), was.next);
        EXPECT_EQ(without(is.where), was.where);
        EXPECT_EQ(without(is.left), was.left);
        EXPECT_EQ(without(is.brief), was.brief);
        EXPECT_EQ(without(is.doubt), was.doubt);
        for (const comparison& c : was.compared) {  // as it is told in Layout and Tree
          if (c.key >= 1000000 && was.words.find(std::to_string(c.key)) != std::string::npos) {
            EXPECT_NE(is.words.find(std::to_string(c.key)), std::string::npos) << is.words;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope::viz
