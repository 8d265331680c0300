#include "core/workload/host_memory.hpp"

#include <gtest/gtest.h>

namespace pivotscope {
namespace {

TEST(host_memory, is_told_and_plausible) {
  EXPECT_GT(available_host_memory(), 1ull << 20);
  EXPECT_TRUE(check_host_memory(1, "a byte").ok());
  const status too_much = check_host_memory(1ull << 62, "everything");
  if (available_host_memory() < (1ull << 62)) {
    ASSERT_FALSE(too_much.ok());
    EXPECT_NE(too_much.error().words.find("4 EiB are needed for everything"), std::string::npos)
        << too_much.error().words;
  }
}

TEST(bytes_text, has_binary_units_and_few_digits) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(1ull << 30), "1 GiB");
  EXPECT_EQ(bytes_text((1ull << 30) - 1), "1 GiB");
  EXPECT_EQ(bytes_text(123456789), "117.7 MiB");
  EXPECT_EQ(bytes_text(100ull << 20), "100 MiB");
}

}  // namespace
}  // namespace pivotscope
