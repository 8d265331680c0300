#include <gtest/gtest.h>

#include "core/workload/workload.hpp"

namespace pivotscope {
namespace {

u64 counted_from(std::string_view text) {
  const outcome<u64> count = parse_count(text, "--keys", 0, ~0ull);
  EXPECT_TRUE(count.ok()) << text << ": " << (count.ok() ? "" : count.error().words);
  return count.ok() ? *count : 0;
}

std::string refusal_of(std::string_view text, u64 least = 0, u64 greatest = max_keys) {
  const outcome<u64> count = parse_count(text, "--keys", least, greatest);
  EXPECT_FALSE(count.ok()) << text;
  return count.ok() ? "" : count.error().words;
}

TEST(parse_count, reads_what_people_write) {
  EXPECT_EQ(counted_from("0"), 0u);
  EXPECT_EQ(counted_from("1048576"), 1048576u);
  EXPECT_EQ(counted_from("2^20"), 1048576u);
  EXPECT_EQ(counted_from("2^0"), 1u);
  EXPECT_EQ(counted_from("0^5"), 0u);
  EXPECT_EQ(counted_from("1^18446744073709551615"), 1u);
  EXPECT_EQ(counted_from("10^3"), 1000u);
  EXPECT_EQ(counted_from("64Ki"), 65536u);
  EXPECT_EQ(counted_from("1Mi"), 1048576u);
  EXPECT_EQ(counted_from("3Gi"), 3ull << 30);
  EXPECT_EQ(counted_from("1Ti"), 1ull << 40);
  EXPECT_EQ(counted_from("1e6"), 1000000u);
  EXPECT_EQ(counted_from("5E2"), 500u);
  EXPECT_EQ(counted_from("0e99999999999"), 0u);
  EXPECT_EQ(counted_from("18446744073709551615"), ~0ull);
}

TEST(parse_count, knows_the_powers_of_nothing_and_one) {
  EXPECT_EQ(counted_from("0^0"), 1u);
  EXPECT_EQ(counted_from("0^1"), 0u);
  EXPECT_EQ(counted_from("0^99999999999999999999"), 0u);
  EXPECT_EQ(counted_from("1^0"), 1u);
  EXPECT_EQ(counted_from("1^99999999999999999999"), 1u);
  EXPECT_EQ(counted_from("0e0"), 0u);
  EXPECT_EQ(counted_from("0Ti"), 0u);
}

TEST(parse_count, goes_as_far_as_64_bits) {
  EXPECT_EQ(counted_from("2^63"), 1ull << 63);
  EXPECT_EQ(counted_from("1e19"), 10'000'000'000'000'000'000u);
  EXPECT_EQ(counted_from("18446744073709551615e0"), ~0ull);
  EXPECT_EQ(counted_from("18014398509481983Ki"), 18014398509481983ull << 10);
  EXPECT_EQ(counted_from("17592186044415Mi"), 17592186044415ull << 20);
  EXPECT_EQ(counted_from("17179869183Gi"), 17179869183ull << 30);
  EXPECT_EQ(counted_from("16777215Ti"), 16777215ull << 40);
  for (const char* text : {"2^64", "1e20", "2e19", "18446744073709551616", "18014398509481984Ki", "17592186044416Mi",
                           "17179869184Gi", "16777216Ti", "99999999999999999999Ki", "99999999999999999999Mi",
                           "99999999999999999999Gi", "99999999999999999999Ti", "99999999999999999999e0",
                           "99999999999999999999^0", "2^99999999999999999999", "1e99999999999999999999"}) {
    EXPECT_EQ(refusal_of(text, 0, ~0ull), "--keys " + std::string(text) + " is above the limit, 18446744073709551615");
  }
}

TEST(parse_count, names_what_is_wrong) {
  const std::string how = "; write it like 1000000, 2^20, 64Ki or 1e6";
  EXPECT_EQ(refusal_of(""), "--keys '': it is empty" + how);
  EXPECT_EQ(refusal_of("-5"), "--keys '-5': it is negative" + how);
  EXPECT_EQ(refusal_of("1.5"), "--keys '1.5': it has a fraction" + how);
  for (const char* text : {"many", "12x",   "2^",   "^3",    "1e",    "1E",    "1e-3", "0x10", " 5",   "5 ",
                           "64K",  "64KiB", "64ki", "1,000", "2^3^4", "2^3Ki", "+5",   "Ki",   "5Ki5", "2 ^3"}) {
    EXPECT_EQ(refusal_of(text), "--keys '" + std::string(text) + "': it is not a whole number" + how);
  }
}

TEST(parse_count, says_the_limit_and_why) {
  for (const char* text : {"5000000000", "4294967295", "2^32", "2^64", "2^999999999999", "4Gi", "16777216Ti", "1e10",
                           "99999999999999999999999", "99999999999999999999999^2", "3e99999999999999999999"}) {
    EXPECT_EQ(refusal_of(text),
              "--keys " + std::string(text) +
                  " is above the limit, 4294967294 = 2^32 - 2: row ids are 32 bits wide and one of them "
                  "means 'not found'");
  }
  EXPECT_EQ(counted_from("4294967294"), max_keys);
  EXPECT_EQ(refusal_of("17", 0, 16), "--keys 17 is above the limit, 16");
  EXPECT_EQ(refusal_of("0", 1, 16), "--keys 0 is below the least, 1");
  for (const char* inside : {"1", "16"}) EXPECT_TRUE(parse_count(inside, "--keys", 1, 16).ok()) << inside;
}

TEST(count_text, is_short_and_reads_back) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(512), "512");
  EXPECT_EQ(count_text(1024), "2^10");
  EXPECT_EQ(count_text(1ull << 63), "2^63");
  EXPECT_EQ(count_text(1025), "1025");
  for (u64 n = 1; n != 0; n *= 2) {
    for (const u64 near : {n - 1, n, n + 1}) EXPECT_EQ(counted_from(count_text(near)), near);
  }
}

}  // namespace
}  // namespace pivotscope
