#include "core/machine/device_memory.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(device_memory, knows_the_most_that_was_held_at_once) {
  const u64 before = device_memory_held();
  forget_most_device_memory();
  EXPECT_EQ(most_device_memory(), before);
  device_memory_taken(100);
  device_memory_taken(50);
  device_memory_given_back(100);
  device_memory_taken(30);
  EXPECT_EQ(device_memory_held(), before + 80);
  EXPECT_EQ(most_device_memory(), before + 150);
  forget_most_device_memory();
  EXPECT_EQ(most_device_memory(), before + 80) << "what is held now";
  device_memory_given_back(80);
  EXPECT_EQ(device_memory_held(), before);
}

}  // namespace
}  // namespace pivotscope
