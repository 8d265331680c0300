// What `pivotscope trace` prints, to the letter.
#include <gtest/gtest.h>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

std::string text_of(const char* line, const question& what) {
  const auto index = testing::build_on_cpu(testing::config_of(line), testing::paper_keys_in_order());
  return to_text(*trace_of(*index, what));
}

TEST(TraceText, ALookupOfTwoArrays) {
  EXPECT_EQ(text_of("EO+BS layout=soa", 9), R"(EO+BS layout=soa, 14 keys: looking for 9
Begin at the root: slot 1.

step 1 of 4, level 0
  lane  0 reads keys slot 1, 4 bytes at byte 4 (sector 0)
  9 is less than 10, so 10 and everything after it is out. 7 of 14 keys are left.
  Go left: slot 2 x 1 = 2.

step 2 of 4, level 1
  lane  0 reads keys slot 2, 4 bytes at byte 8 (sector 0)
  9 is greater than 6, so 6 and everything before it is out. 3 of 14 keys are left.
  Go right: slot 2 x 2 + 1 = 5.

step 3 of 4, level 2
  lane  0 reads keys slot 5, 4 bytes at byte 20 (sector 0)
  9 is greater than 7, so 7 and everything before it is out. 1 of 14 keys is left.
  Go right: slot 2 x 5 + 1 = 11.

step 4 of 4, level 3
  lane  0 reads keys slot 11, 4 bytes at byte 44 (sector 1)
  lane  0 reads row ids slot 11, 4 bytes at byte 44 (sector 1)
  9 is equal to 9. Found.

9 is in the index: row id 6, in slot 11 of the entries.
4 steps, 20 bytes by 5 requests: 3 sectors of 32 bytes, 2 lines of 128.
)");
}

TEST(TraceText, AReadOfScratchIsOfNoSector) {
  EXPECT_EQ(text_of("AO+KS fanout=3 lanes=2 pin=full scratch=16", 7),
            R"(AO+KS fanout=3 pin=full scratch=16, 14 keys: looking for 7
Begin at the last slot, 13. The longest step is 9, the greatest power of 3 up to n.

step 1 of 4, level 0
  lane  0 reads entries slot 4, 4 bytes at byte 4 of scratch
  7 is equal to 7: keep it, and see if there is an earlier one. 5 of 14 keys are left.
  Cut the step to 3: from slot 4 back to slot 1.

step 2 of 4, level 1
  lane  0 reads entries slot 1, 4 bytes at byte 8 (sector 0)
  7 is greater than 3, so 3 and everything before it is out. 3 of 14 keys are left.
  Cut the step to 1: from slot 4 back to the slots from 3 to 2.

step 3 of 4, level 2
  lane  0 reads entries slot 3, 4 bytes at byte 24 (sector 0)
  lane  1 reads entries slot 2, 4 bytes at byte 16 (sector 0)
  7 is greater than 4 and 6, so 6 and everything before it is out. 1 of 14 keys is left.
  The steps are used up: read the entry arrived at, slot 4.

step 4 of 4, level 3
  lane  0 reads entries slot 4, 8 bytes at byte 32 (sector 1)
  7 is equal to 7. Found.

7 is in the index: row id 4, in slot 4 of the entries.
4 steps, 20 bytes by 4 requests: 2 sectors of 32 bytes, 1 line of 128.
)");
}

TEST(TraceText, ARangeAndItsScan) {
  EXPECT_EQ(text_of("AO+PB+KS fanout=3 scan=cooperative", {operation::range, 9, 12}),
            R"(AO+PB+KS fanout=3 scan=cooperative, 14 keys: looking for all from 9 to 12
Begin at the root of the pivots: slots 0 to 1.

step 1 of 4, level 0
  lane  0 reads pivots slot 0, 4 bytes at byte 0 (sector 0)
  lane  1 reads pivots slot 1, 4 bytes at byte 4 (sector 0)
  9 is greater than 7, so 7 and everything before it is out. 12 is less than 14, so 14 and everything after it is out.
  Go to the middle, to child 1 of 3: pivot slots 4 to 5.

step 2 of 4, level 1
  lane  0 reads pivots slot 4, 4 bytes at byte 16 (sector 0)
  lane  1 reads pivots slot 5, 4 bytes at byte 20 (sector 0)
  10 and 12 are in the range, which begins there or before.
  Go left, to child 0 of 3: the leaf in entry slots 6 to 7.

step 3 of 4, level 2
  lane  0 reads entries slot 6, 8 bytes at byte 48 (sector 1)
  lane  1 reads entries slot 7, 8 bytes at byte 56 (sector 1)
  9 is equal to 9: the range begins there, or with an equal key before it.
  Scan to the right from slot 6: nothing from there on is less than 9.

step 4 of 4, level 2, scan
  lane  0 reads entries slot 6, 8 bytes at byte 48 (sector 1)
  lane  1 reads entries slot 7, 8 bytes at byte 56 (sector 1)
  lane  0 reads entries slot 8, 8 bytes at byte 64 (sector 2)
  lane  1 reads entries slot 9, 8 bytes at byte 72 (sector 2)
  lane  0 reads entries slot 10, 8 bytes at byte 80 (sector 2)
  lane  1 reads entries slot 11, 8 bytes at byte 88 (sector 2)
  9, 10, 11 and 12 are in the range. 13 is greater than 12: the scan ends.

4 entries from 9 to 12; the sum of row ids is 30.
4 steps, 80 bytes by 12 requests: 3 sectors of 32 bytes, 2 lines of 128.
)");
}

TEST(TraceText, WideLoadsNameTheirSlotsAndOneIsOne) {
  EXPECT_EQ(text_of("EO+KS fanout=5 lanes=1", 17), R"(EO+KS fanout=5 lanes=1, 14 keys: looking for 17
Begin at the root: slots 0 to 3.

step 1 of 1, level 0
  lane  0 reads entries slots 0 to 1, 16 bytes at byte 0 (sector 0)
  lane  0 reads entries slots 2 to 3, 16 bytes at byte 16 (sector 0)
  17 is equal to 17. Found.

17 is in the index: row id 13, in slot 3 of the entries.
1 step, 32 bytes by 2 requests: 1 sector of 32 bytes, 1 line of 128.
)");
  const auto index = testing::build_on_cpu(testing::config_of("AO+BS"), key_array(std::vector<u32>{5}));
  EXPECT_EQ(to_text(*trace_lookup(*index, 4)), R"(AO+BS, 1 key: looking for 4
Begin at the last slot, 0. The longest step is 1, the greatest power of 2 up to n.

step 1 of 2, level 0
  This step would leave the array, so nothing is read.
  The steps are used up: read the entry arrived at, slot 0.

step 2 of 2, level 1
  lane  0 reads entries slot 0, 8 bytes at byte 0 (sector 0)
  4 is less than 5, so 5 and everything after it is out. No key is left.

4 is not in the index: it would lie before 5.
2 steps, 8 bytes by 1 request: 1 sector of 32 bytes, 1 line of 128.
)");
}

}  // namespace
}  // namespace pivotscope
