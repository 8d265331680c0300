#include "core/families/packed/pack.hpp"

#include <gtest/gtest.h>

#include <random>

namespace pivotscope {
namespace {

// A key that the pack has not, near to its first entry, on either side of it or far enough for all kept bits to matter.
template <class Key>
void expect_told_from_the_first_entry() {
  std::mt19937_64 random(7);
  u64 before = 0, behind = 0;
  for (u32 row_bits = 1; row_bits <= 32; ++row_bits) {
    const u32 kept = pack<Key>::kept(row_bits), bits = sizeof(Key) * 8;
    for (u32 i = 0; i < 2000; ++i) {
      // As far apart as entries of a leaf that is not escaped can be from what is looked for in it.
      const u32 far = 1 + static_cast<u32>(random() % (kept > bits ? bits : kept - 1));
      const Key away = static_cast<Key>(1 + (random() & (far == 64 ? ~u64{0} : (u64{1} << far) - 1)) / 2);
      const Key first = static_cast<Key>(random()),
                question = static_cast<Key>(i % 2 == 0 ? first + away : first - away);
      if (i % 2 == 0 ? question < first : question > first) continue;  // past the ends of all keys
      pack<Key> one{};
      const u32 row = static_cast<u32>(random() & pack<Key>::row_mask(row_bits));
      one.put(0, first, row, row_bits);
      one.put(1, first, row, row_bits);
      one.put(2, static_cast<Key>(random()), row, row_bits);
      ASSERT_EQ(one.may_begin_behind(pack<Key>::spread_of(question, row_bits), row_bits),
                row_bits == pack<Key>::extra || first > question)
          << "row bits " << row_bits << ", first " << first << ", looked for " << question;
      ++(first > question ? behind : before);
    }
  }
  EXPECT_GT(before, 10'000u);
  EXPECT_GT(behind, 10'000u);
}

// Each of a pack's entries, with row ids of every width, under offsets that differ in one bit: one that is kept tells them apart.
template <class Key>
void expect_matches_by_kept_bits() {
  std::mt19937_64 random(7);
  const u32 bits = sizeof(Key) * 8;
  for (u32 row_bits = 1; row_bits <= 32; ++row_bits) {
    const u32 kept = std::min(pack<Key>::kept(row_bits), bits);
    for (u32 i = 0; i < 300; ++i) {
      Key offsets[3];
      u32 rows[3];
      pack<Key> one{};
      for (u32 e = 0; e < 3; ++e) {
        offsets[e] = static_cast<Key>(random()), rows[e] = static_cast<u32>(random() & pack<Key>::row_mask(row_bits));
        one.put(e, offsets[e], rows[e], row_bits);
      }
      const auto found = [&](Key offset) {  // by the definition
        for (u32 e = 0; e < 3; ++e)
          if (static_cast<Key>(static_cast<Key>(offset ^ offsets[e]) << (bits - kept)) == 0) return rows[e];
        return not_found;
      };
      const auto escaped = [&] {
        pack<Key> same = one;
        same.words[3] |= pack<Key>::escaped_bit;
        return same;
      }();
      for (u32 e = 0; e < 3; ++e) {
        for (u32 bit = 0; bit <= bits; ++bit) {
          const Key offset = bit == bits ? offsets[e] : static_cast<Key>(offsets[e] ^ (Key{1} << bit));
          const auto spread = pack<Key>::spread_of(offset, row_bits);
          ASSERT_EQ(one.match(spread, row_bits), found(offset)) << "row bits " << row_bits << ", offset " << offset;
          ASSERT_EQ(escaped.match(spread, row_bits), not_found);
        }
      }
    }
  }
}

TEST(pack, matches_by_the_bits_that_it_keeps_of_32) { expect_matches_by_kept_bits<u32>(); }
TEST(pack, matches_by_the_bits_that_it_keeps_of_64) { expect_matches_by_kept_bits<u64>(); }

TEST(pack, tells_whether_it_begins_behind_a_key_of_32_bits) { expect_told_from_the_first_entry<u32>(); }
TEST(pack, tells_whether_it_begins_behind_a_key_of_64_bits) { expect_told_from_the_first_entry<u64>(); }

}  // namespace
}  // namespace pivotscope
