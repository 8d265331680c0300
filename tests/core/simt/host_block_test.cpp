// A block of the cpu machine tells each lookup ahead, once, two waves before it is served, from tile to tile.
#include "core/simt/host_block.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace pivotscope {
namespace {

// What a search is to a block. It writes down the lookups in the order in which they are told, and how many were told when
// a wave begins.
struct told_and_served {
  static constexpr bool tells_begin = true;
  std::vector<u32>& told;
  std::vector<u32>& served;
  u64 lookups;

  u32 begins_at(u32 key) const { return key; }
  template <class Key>
  void will_begin(auto& /*memory*/, u32 place) const {
    told.push_back(place);
  }
  auto operator()(auto& wave) const {
    const u64 first = served.size();
    EXPECT_GE(told.size(), std::min<u64>(lookups, first + told_ahead)) << "at lookup " << first;
    auto rows = wave.to_keep(0u);
    wave.each([&](u32 i) { served.push_back(wave.keys[i]), rows[i] = wave.keys[i] + 1; });
    return rows;
  }
};

std::vector<u32> numbers_to(u32 n) {
  std::vector<u32> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

TEST(host_block, tells_each_lookup_once_two_waves_ahead_from_tile_to_tile) {
  const index_view view{};
  for (const u32 threads : {32u, 64u, 96u, 256u}) {
    for (u32 count = 1; count < 700; count += count < 300 ? 1 : 13) {
      const std::vector<u32> lookups = numbers_to(count);
      std::vector<u32> answers(count), told, served;
      const launch_config launch{.threads = threads};
      host_block<any_lanes, u32> block({1}, launch, view);
      const u64 tiles = ceil_div<u64>(count, tile_lookups(launch));
      for (u64 tile = 0; tile < tiles; ++tile) {
        block.take(tile, tiles, [] { return true; });
        block.each_tile(count, [&](u64 first, u32 size) {
          block.map_as_it_comes(lookups.data() + first, answers.data() + first, size,
                                told_and_served{told, served, count});
        });
      }
      ASSERT_EQ(told, lookups) << count << " lookups, tiles of " << threads;
      ASSERT_EQ(served, lookups);
      for (u32 i = 0; i < count; ++i) ASSERT_EQ(answers[i], i + 1);
    }
  }
}

// Tiles that are not neighbours, as of the static schedule, are told each by itself.
TEST(host_block, tells_nothing_beyond_a_tile_that_others_follow) {
  const index_view view{};
  constexpr u32 count = 1000;
  const std::vector<u32> lookups = numbers_to(count);
  for (const u64 blocks : {1u, 2u, 3u}) {
    const launch_config launch{.schedule = schedule_kind::fixed, .threads = 64};
    std::vector<u32> answers(count), told, right;
    for (u64 b = 0; b < blocks; ++b) {
      std::vector<u32> served;
      host_block<any_lanes, u32> block({1}, launch, view);
      block.take(b, blocks, [] { return true; });
      block.each_tile(count, [&](u64 first, u32 size) {
        right.insert(right.end(), lookups.begin() + first, lookups.begin() + first + size);
        block.map_as_it_comes(lookups.data() + first, answers.data() + first, size, told_and_served{told, served, 0});
      });
    }
    EXPECT_EQ(told, right) << blocks << " blocks";
    EXPECT_EQ(told.size(), count);
  }
}

TEST(host_block, tells_a_sorted_tile_in_the_order_of_service) {
  const index_view view{};
  std::vector<u32> lookups = numbers_to(200), told, served;
  std::reverse(lookups.begin(), lookups.end());
  std::vector<u32> answers(lookups.size());
  host_block<any_lanes, u32> block({1}, launch_config{}, view);
  block.map_sorted(lookups.data(), answers.data(), 200, 0, 32, told_and_served{told, served, 200});
  EXPECT_EQ(told, numbers_to(200));
  EXPECT_EQ(served, numbers_to(200));
  for (u32 i = 0; i < 200; ++i) EXPECT_EQ(answers[i], lookups[i] + 1);
}

}  // namespace
}  // namespace pivotscope
