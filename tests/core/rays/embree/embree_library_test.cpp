#include "core/rays/embree/embree_library.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(EmbreeLibrary, SaysWhatIsMissing) {
  const auto nowhere = detail::load_embree("libembree_that_is_nowhere.so");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_NE(nowhere.error().words.find("libembree_that_is_nowhere.so"), std::string::npos) << nowhere.error().words;
  EXPECT_NE(nowhere.error().words.find("apt-get install libembree3-3"), std::string::npos) << nowhere.error().words;
  const auto another = detail::load_embree("libm.so.6");
  ASSERT_FALSE(another.ok());
  EXPECT_NE(another.error().words.find("libm.so.6 has no function rtcNewDevice"), std::string::npos)
      << another.error().words;
}

TEST(EmbreeLibrary, IsOnTheComputersThatTest) { EXPECT_TRUE(find_embree().ok()) << find_embree().error().words; }

}  // namespace
}  // namespace pivotscope
