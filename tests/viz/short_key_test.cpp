#include "viz/words/short_key.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pivotscope::viz {
namespace {

std::vector<std::string> keys_written(const std::vector<u64>& keys, u32 chars) {
  const key_form form = form_of(keys, chars);
  std::vector<std::string> list;
  for (const u64 key : keys) list.push_back(form.write(key));
  return list;
}
using key_words = std::vector<std::string>;

TEST(ShortKey, IsTheKeyWhereItHasRoom) {
  EXPECT_EQ(keys_written({7, 42, 4294967295}, 10), (key_words{"7", "42", "4294967295"}));
  EXPECT_EQ(keys_written({0}, 1), key_words{"0"});
  EXPECT_EQ(keys_written({18446744073709551615u}, 20), key_words{"18446744073709551615"});
  EXPECT_TRUE(form_of({}, 5).distinct);
}

TEST(ShortKey, KeepsTheFirstDigitsOfKeysThatLieFarApart) {
  EXPECT_EQ(keys_written({354449963, 949456543, 2297547542, 4018652907}, 5),
            (key_words{"3544…", "9494…", "2297…", "4018…"}));
  EXPECT_EQ(keys_written({1, 2297547542, 4018652907}, 2), (key_words{"1", "2…", "4…"}));
}

TEST(ShortKey, KeepsTheLastDigitsOfNeighbours) {
  EXPECT_EQ(keys_written({1000000001, 1000000002, 1000000014}, 5), (key_words{"…0001", "…0002", "…0014"}));
}

// A customer's ids: all begin alike, and the last digits are a check sum that says nothing of where a key lies.
TEST(ShortKey, KeepsDigitsFromTheMiddleWhereKeysBeginAlike) {
  EXPECT_EQ(keys_written({4711200000, 4711310000, 4711420000}, 5), (key_words{"…200…", "…310…", "…420…"}));
}

TEST(ShortKey, KeepsBothEndsWhereNeitherTells) {
  EXPECT_EQ(keys_written({10000001, 10000002, 20000001, 20000002}, 5), (key_words{"100…1", "100…2", "200…1", "200…2"}));
}

TEST(ShortKey, SaysWhereItCannotTell) {
  const std::vector<u64> keys{11111, 11112, 11113, 21111, 21112, 31111};
  const key_form form = form_of(keys, 2);
  EXPECT_FALSE(form.distinct);
  EXPECT_EQ(form.write(11112), "…2") << "of these the fewest neighbours read alike";
  EXPECT_EQ(form_of(keys, 1).write(11111), "") << "a digit alone would be another key";
  EXPECT_FALSE(form_of(keys, 1).distinct);
}

TEST(ShortKey, CountsDigits) {
  EXPECT_EQ(digits_of(0), 1u);
  EXPECT_EQ(digits_of(9), 1u);
  EXPECT_EQ(digits_of(10), 2u);
  EXPECT_EQ(digits_of(~u64{0}), 20u);
}

}  // namespace
}  // namespace pivotscope::viz
