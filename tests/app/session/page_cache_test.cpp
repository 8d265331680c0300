// Pages of an index: the bytes of its arrays, each read once, at once on the cpu and by the reader from a GPU.
#include "app/session/page_cache.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "core/families/ordered/shape.hpp"
#include "tests/support/scripted_machines.hpp"

namespace pivotscope {
namespace {

constexpr u64 page_bytes = 1024;

// An array of bytes by a formula, which counts what is read of it.
class counted_index final : public built_index {
 public:
  counted_index(machine_kind kind, u64 entries, u64 pivots, int salt = 0)
      : kind_(kind), regions_{{"", "", 1, entries}, {"", "", 1, 0}, {"", "", 1, pivots}}, salt_(salt) {}
  const index_config& config() const override { return config_; }
  u64 keys() const override { return 0; }
  std::span<const index_region> regions() const override { return regions_; }
  std::span<const std::byte> state() const override { return {}; }
  std::pair<u64, u64> key_range() const override { return {0, 0}; }
  machine_kind kind() const override { return kind_; }
  status read(region_id array, u64 offset, std::span<std::byte> out) const override {
    const std::lock_guard lock(mutex_);
    ++reads_;
    if (failing_) return problem{"lost"};
    EXPECT_LE(offset + out.size(), bytes(array));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = at(array, offset + i);
    return fine();
  }
  std::span<const stage_time> build_times() const override { return {}; }
  std::span<const kernel_info> kernels() const override { return {}; }

  std::byte at(region_id array, u64 place) const {
    return static_cast<std::byte>(place * 7 + place / 251 + static_cast<u64>(array) * 100 + static_cast<u64>(salt_));
  }
  void fail(bool failing) {
    const std::lock_guard lock(mutex_);
    failing_ = failing;
  }
  u64 reads() const {
    const std::lock_guard lock(mutex_);
    return reads_;
  }
  // Holds every read until it is destroyed.
  std::unique_lock<std::mutex> hold() const { return std::unique_lock(mutex_); }

 private:
  machine_kind kind_;
  std::vector<index_region> regions_;
  int salt_;
  index_config config_;
  mutable std::mutex mutex_;
  mutable u64 reads_ = 0;
  bool failing_ = false;
};

class page_cache_test : public ::testing::Test {
 protected:
  std::mutex mutex;
  std::condition_variable changed;
  u64 wakes = 0;
  reader on;
  page_cache pages{on, [this] {
                     const std::lock_guard lock(mutex);
                     ++wakes;
                     changed.notify_all();
                   }};

  bool until_wakes(u64 count) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, testing::forever, [&] { return wakes == count; });
  }
  static void expect_page(const counted_index& index, region_id array, u64 number, const std::vector<std::byte>* page,
                          u64 size = page_bytes) {
    ASSERT_TRUE(page);
    ASSERT_EQ(page->size(), size);
    for (u64 i = 0; i < size; ++i) ASSERT_EQ((*page)[i], index.at(array, number * page_bytes + i)) << i;
  }
};

TEST_F(page_cache_test, without_an_index_there_are_no_pages) {
  EXPECT_EQ(pages.page(ordered_region::entries, 0), nullptr);
  pages.show(nullptr);
  EXPECT_EQ(pages.page(ordered_region::entries, 0), nullptr);
}

TEST_F(page_cache_test, on_the_cpu_a_page_comes_at_once_and_is_read_once) {
  const auto index = std::make_shared<counted_index>(machine_kind::cpu, 2 * page_bytes + 10, page_bytes);
  pages.show(index);
  expect_page(*index, ordered_region::entries, 0, pages.page(ordered_region::entries, 0));
  expect_page(*index, ordered_region::entries, 1, pages.page(ordered_region::entries, 1));
  expect_page(*index, ordered_region::entries, 2, pages.page(ordered_region::entries, 2), 10);
  expect_page(*index, ordered_region::pivots, 0, pages.page(ordered_region::pivots, 0));
  EXPECT_EQ(index->reads(), 4u);
  expect_page(*index, ordered_region::entries, 1, pages.page(ordered_region::entries, 1));
  EXPECT_EQ(index->reads(), 4u);
  // Beyond the end there is nothing to read.
  EXPECT_TRUE(pages.page(ordered_region::pivots, 1)->empty());
  EXPECT_TRUE(pages.page(ordered_region::entries, 3)->empty());
  EXPECT_EQ(index->reads(), 4u);
  EXPECT_EQ(wakes, 0u);
}

TEST_F(page_cache_test, another_index_has_pages_of_its_own) {
  const auto first = std::make_shared<counted_index>(machine_kind::cpu, page_bytes, 0);
  const auto second = std::make_shared<counted_index>(machine_kind::cpu, page_bytes, 0, 1);
  pages.show(first);
  pages.page(ordered_region::entries, 0);
  pages.show(first);  // the same: nothing is forgotten
  pages.page(ordered_region::entries, 0);
  EXPECT_EQ(first->reads(), 1u);
  pages.show(second);
  expect_page(*second, ordered_region::entries, 0, pages.page(ordered_region::entries, 0));
}

TEST_F(page_cache_test, a_page_that_cannot_be_read_is_empty) {
  const auto index = std::make_shared<counted_index>(machine_kind::cpu, page_bytes, 0);
  index->fail(true);
  pages.show(index);
  EXPECT_TRUE(pages.page(ordered_region::entries, 0)->empty());
}

TEST_F(page_cache_test, thousands_of_pages_are_kept_and_then_all_go) {
  constexpr u64 kept = 8193;
  const auto index = std::make_shared<counted_index>(machine_kind::cpu, (kept + 1) * page_bytes, 0);
  pages.show(index);
  for (u64 number = 0; number < kept; ++number) pages.page(ordered_region::entries, number);
  expect_page(*index, ordered_region::entries, 0, pages.page(ordered_region::entries, 0));
  EXPECT_EQ(index->reads(), kept);
  pages.page(ordered_region::entries, kept);
  expect_page(*index, ordered_region::entries, 0, pages.page(ordered_region::entries, 0));
  EXPECT_EQ(index->reads(), kept + 2);
}

TEST_F(page_cache_test, from_a_gpu_a_page_is_asked_for_once_and_wakes_when_it_comes) {
  const auto index = std::make_shared<counted_index>(machine_kind::cuda, 2 * page_bytes, 0);
  pages.show(index);
  {
    const auto held = index->hold();
    for (u32 frame = 0; frame < 3; ++frame) {
      EXPECT_EQ(pages.page(ordered_region::entries, 1), nullptr);
      pages.show(index);
    }
  }
  ASSERT_TRUE(until_wakes(1));
  EXPECT_EQ(pages.page(ordered_region::entries, 1), nullptr);  // taken at the next frame's beginning
  pages.show(index);
  expect_page(*index, ordered_region::entries, 1, pages.page(ordered_region::entries, 1));
  EXPECT_EQ(pages.page(ordered_region::entries, 0), nullptr);
  ASSERT_TRUE(until_wakes(2));
  pages.show(index);
  expect_page(*index, ordered_region::entries, 0, pages.page(ordered_region::entries, 0));
  EXPECT_EQ(index->reads(), 2u);
}

TEST_F(page_cache_test, a_page_of_a_gpu_that_went_is_asked_for_again) {
  constexpr u64 kept = 8193;
  const auto index = std::make_shared<counted_index>(machine_kind::cuda, (kept + 1) * page_bytes, 0);
  pages.show(index);
  for (u64 number = 0; number < kept; ++number) pages.page(ordered_region::entries, number);
  ASSERT_TRUE(until_wakes(kept));
  pages.show(index);
  ASSERT_TRUE(pages.page(ordered_region::entries, 0));
  EXPECT_EQ(pages.page(ordered_region::entries, kept), nullptr);
  EXPECT_EQ(pages.page(ordered_region::entries, 0), nullptr);  // gone
  ASSERT_TRUE(until_wakes(kept + 2));
  pages.show(index);
  expect_page(*index, ordered_region::entries, 0, pages.page(ordered_region::entries, 0));
}

TEST_F(page_cache_test, late_pages_of_an_earlier_index_fall_away) {
  const auto first = std::make_shared<counted_index>(machine_kind::cuda, page_bytes, 0);
  const auto second = std::make_shared<counted_index>(machine_kind::cuda, page_bytes, 0, 1);
  pages.show(first);
  {
    const auto second_held = second->hold();
    {
      const auto first_held = first->hold();
      pages.page(ordered_region::entries, 0);
      pages.show(second);
      // Asked for anew, though the other index's is still on its way.
      EXPECT_EQ(pages.page(ordered_region::entries, 0), nullptr);
    }
    ASSERT_TRUE(until_wakes(1));
    pages.show(second);
    EXPECT_EQ(pages.page(ordered_region::entries, 0), nullptr);
  }
  ASSERT_TRUE(until_wakes(2));
  pages.show(second);
  expect_page(*second, ordered_region::entries, 0, pages.page(ordered_region::entries, 0));
  EXPECT_EQ(first->reads(), 1u);
  EXPECT_EQ(second->reads(), 1u);
}

}  // namespace
}  // namespace pivotscope
