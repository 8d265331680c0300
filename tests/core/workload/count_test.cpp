#include <gtest/gtest.h>

#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

u64 parsed(std::string_view text) {
  const outcome<u64> count = parse_count(text, "--keys", 0, ~0ull);
  EXPECT_TRUE(count.ok()) << text << ": " << (count.ok() ? "" : count.error().words);
  return count.ok() ? *count : 0;
}

std::string words(std::string_view text, u64 least = 0, u64 greatest = max_keys) {
  const outcome<u64> count = parse_count(text, "--keys", least, greatest);
  EXPECT_FALSE(count.ok()) << text;
  return count.ok() ? "" : count.error().words;
}

TEST(parse_count, reads_what_people_write) {
  EXPECT_EQ(parsed("0"), 0u);
  EXPECT_EQ(parsed("1048576"), 1048576u);
  EXPECT_EQ(parsed("2^20"), 1048576u);
  EXPECT_EQ(parsed("2^0"), 1u);
  EXPECT_EQ(parsed("0^5"), 0u);
  EXPECT_EQ(parsed("1^18446744073709551615"), 1u);
  EXPECT_EQ(parsed("10^3"), 1000u);
  EXPECT_EQ(parsed("64Ki"), 65536u);
  EXPECT_EQ(parsed("1Mi"), 1048576u);
  EXPECT_EQ(parsed("3Gi"), 3ull << 30);
  EXPECT_EQ(parsed("1Ti"), 1ull << 40);
  EXPECT_EQ(parsed("1e6"), 1000000u);
  EXPECT_EQ(parsed("5E2"), 500u);
  EXPECT_EQ(parsed("0e99999999999"), 0u);
  EXPECT_EQ(parsed("18446744073709551615"), ~0ull);
}

TEST(parse_count, names_what_is_wrong) {
  EXPECT_NE(words("").find("empty"), std::string::npos);
  EXPECT_NE(words("-5").find("negative"), std::string::npos);
  EXPECT_NE(words("1.5").find("fraction"), std::string::npos);
  for (const char* text :
       {"many", "12x", "2^", "^3", "1e", "1e-3", "0x10", " 5", "5 ", "64K", "1,000", "2^3^4", "+5", "Ki"}) {
    EXPECT_NE(words(text).find("not a whole number"), std::string::npos) << text;
    EXPECT_NE(words(text).find("'" + std::string(text) + "'"), std::string::npos) << text;
    EXPECT_NE(words(text).find("--keys"), std::string::npos) << text;
  }
}

TEST(parse_count, says_the_limit_and_why) {
  for (const char* text : {"5000000000", "4294967295", "2^32", "2^64", "2^999999999999", "4Gi", "16777216Ti", "1e10",
                           "99999999999999999999999", "99999999999999999999999^2", "3e99999999999999999999"}) {
    EXPECT_NE(words(text).find("4294967294 = 2^32 - 2"), std::string::npos) << text;
    EXPECT_NE(words(text).find("row ids are 32 bits"), std::string::npos) << text;
  }
  EXPECT_EQ(parsed("4294967294"), max_keys);
  EXPECT_EQ(words("17", 0, 16), "--keys 17 is above the limit, 16");
  EXPECT_EQ(words("0", 1, 16), "--keys 0 is below the least, 1");
}

TEST(count_text, is_short_and_reads_back) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(512), "512");
  EXPECT_EQ(count_text(1024), "2^10");
  EXPECT_EQ(count_text(1ull << 63), "2^63");
  EXPECT_EQ(count_text(1025), "1025");
  for (u64 n = 1; n != 0; n *= 2) {
    for (const u64 near : {n - 1, n, n + 1}) EXPECT_EQ(parsed(count_text(near)), near);
  }
}

}  // namespace
}  // namespace pivotscope
