// What the window keeps of pasted keys and of scripts: a file by what it holds, which overwrites no other.
#include "app/files/pasted.hpp"

#include <gtest/gtest.h>

#include "tests/app/program.hpp"

namespace pivotscope {
namespace {

TEST(pasted, the_same_keys_are_one_file) {
  const scratch_folder place;
  const std::vector<u64> keys = {7, 5, 9};
  const auto first = keep_pasted(place / "kept", keys), again = keep_pasted(place / "kept", keys);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(contents_of(*first), "7\n5\n9\n");
}

// It may be what the keys are read from by now.
TEST(pasted, a_file_that_was_changed_stays) {
  const scratch_folder place;
  const std::vector<u64> keys = {7, 5, 9};
  const auto first = keep_pasted(place / "kept", keys);
  ASSERT_TRUE(first);
  std::ofstream(*first, std::ios::app) << "11\n";
  for (int time = 0; time < 2; ++time) {
    const auto second = keep_pasted(place / "kept", keys);
    ASSERT_TRUE(second);
    EXPECT_NE(*first, *second);
    EXPECT_EQ(second->filename().string(), first->stem().string() + "-2.txt");
    EXPECT_EQ(contents_of(*second), "7\n5\n9\n");
  }
  EXPECT_EQ(contents_of(*first), "7\n5\n9\n11\n");
  const script s(key_width::u64);
  const auto kept = keep_script(place / "kept", s);
  ASSERT_TRUE(kept);
  std::ofstream(*kept, std::ios::app) << "insert 3\n";
  const auto other = keep_script(place / "kept", s);
  ASSERT_TRUE(other);
  EXPECT_NE(*kept, *other);
}

}  // namespace
}  // namespace pivotscope
