// Pages of an index: the same bytes, in few reads.
#include "core/index/paged_index.hpp"

#include <gtest/gtest.h>

#include "tests/support/build_index.hpp"

namespace pivotscope {
namespace {

// Counts what is read of one that was built.
class counted_index final : public stored_index {
 public:
  explicit counted_index(const stored_index& of) : of_(of) {}
  const index_config& config() const override { return of_.config(); }
  u64 keys() const override { return of_.keys(); }
  std::span<const index_region> regions() const override { return of_.regions(); }
  std::span<const std::byte> state() const override { return of_.state(); }
  std::pair<u64, u64> key_range() const override { return of_.key_range(); }
  status read(region_id region, u64 byte_offset, std::span<std::byte> out) const override {
    ++reads;
    return of_.read(region, byte_offset, out);
  }
  mutable u64 reads = 0;

 private:
  const stored_index& of_;
};

class paged_indexes : public ::testing::Test {
 protected:
  paged_indexes() {
    std::vector<u32> keys(3000);
    for (u32 i = 0; i < keys.size(); ++i) keys[i] = 7 * i;
    built_ = testing::build_on_cpu(testing::config_of("AO+PB+KS"), key_array(keys));
  }
  std::shared_ptr<const built_index> built_;
};

// Every offset near a page's ends, in pieces within and across pages.
TEST_F(paged_indexes, have_the_same_bytes_in_all_regions) {
  const paged_index paged(*built_);
  u64 compared = 0;
  for (u32 r = 0; r < built_->regions().size(); ++r) {
    const region_id region{static_cast<u8>(r)};
    const u64 bytes = built_->bytes(region);
    for (const u64 size : {u64{1}, u64{4}, u64{16}, u64{5000}, bytes}) {
      for (const u64 begin : {u64{0}, u64{4080}, u64{4095}, u64{4096}, bytes - std::min(bytes, size)}) {
        if (begin + size > bytes) continue;
        std::vector<std::byte> right(size), got(size);
        ASSERT_TRUE(built_->read(region, begin, right));
        ASSERT_TRUE(paged.read(region, begin, got));
        ASSERT_EQ(got, right) << r << " " << begin << " " << size;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 30u);
}

TEST_F(paged_indexes, read_each_page_once) {
  const counted_index counted(*built_);
  const paged_index paged(counted);
  const region_id first{0};
  const u64 bytes = built_->bytes(first);
  for (u32 round = 0; round < 2; ++round)
    for (u64 at = 0; at + 8 <= bytes; at += 8) {
      std::byte cell[8];
      ASSERT_TRUE(paged.read(first, at, cell));
    }
  EXPECT_EQ(counted.reads, ceil_div<u64>(bytes, 4096));
}

TEST_F(paged_indexes, refuse_what_is_outside_as_the_index_does) {
  const paged_index paged(*built_);
  std::byte two[2];
  const u64 bytes = built_->bytes(region_id{0});
  const status outside = paged.read(region_id{0}, bytes - 1, two);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().words, built_->read(region_id{0}, bytes - 1, two).error().words);
}

}  // namespace
}  // namespace pivotscope
