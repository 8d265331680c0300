// Runs of LSM about the ends of the tiles that make them: equal keys in a batch and in two runs over a tile's end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/core/families/lsm/lsm_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::lsm_on_cpu;
using testing::numbers;

// A batch of a run of `equal` writes of one key behind `below` others.
TEST(lsm_tiles, equal_keys_of_a_batch_over_the_end_of_a_tile) {
  for (const key_width width : {key_width::u32, key_width::u64}) {
    const u64 tile = lsm::tile_steps(key_bytes(width)), thread = lsm::thread_steps(key_bytes(width));
    for (const u64 below : {u64{0}, thread - 1, tile - 3, tile - 2, tile - 1, tile, tile + 1}) {
      for (const u64 equal : {u64{1}, u64{2}, u64{3}, thread, tile, 2 * tile + 1}) {
        SCOPED_TRACE(fmt::format("{} below {} equal ones", below, equal));
        std::vector<u64> keys = numbers(below, 10, 1);
        keys.insert(keys.end(), equal, 50'000);
        keys.push_back(60'000);
        lsm_on_cpu index(width, 4, keys);
        ASSERT_NO_FATAL_FAILURE(index.expect_levels());
        ASSERT_EQ(index.contents().size(), below + 2) << "the build";
        ASSERT_NO_FATAL_FAILURE(index.insert(keys));
        std::vector<question> mixed;
        for (const u64 key : keys)
          mixed.push_back({operation::erase, key}), mixed.push_back({operation::insert, key + key % 2});
        ASSERT_NO_FATAL_FAILURE(index.update(mixed));
      }
    }
  }
}

// Two runs whose equal keys stand at every place about a tile's and a thread's end: the newer version ends a tile, and the older
// one begins the next.
TEST(lsm_tiles, equal_keys_of_two_runs_over_the_end_of_a_tile) {
  for (const key_width width : {key_width::u32, key_width::u64}) {
    const u64 tile = lsm::tile_steps(key_bytes(width)), thread = lsm::thread_steps(key_bytes(width));
    for (u64 below = tile - 4; below < tile + 3; ++below) {
      for (const u64 pairs : {u64{1}, u64{2}, thread, tile}) {
        for (const bool erases : {false, true}) {
          SCOPED_TRACE(fmt::format("{} below {} pairs, erases {}", below, pairs, erases));
          std::vector<u64> older = numbers(below, 10, 1), newer = numbers(pairs, 50'000, 1);
          older.insert(older.end(), newer.begin(), newer.end());
          older.push_back(90'000);
          lsm_on_cpu index(width, 4, older);
          ASSERT_NO_FATAL_FAILURE(erases ? index.erase(newer) : index.insert(newer));
          newer.insert(newer.begin(), 5), newer.push_back(95'000);
          // On into a level of its own, over what is merged with all older ones.
          ASSERT_NO_FATAL_FAILURE(index.insert(newer));
          ASSERT_NO_FATAL_FAILURE(index.insert(numbers(2 * older.size(), 7, 3)));
          ASSERT_NO_FATAL_FAILURE(index.expect_answers({5, 9, 10, 50'000, 50'001, 89'999, 90'000, 95'000}));
        }
      }
    }
  }
}

// All of the newer run before the older one, behind it, at one place, in every gap, and equal to it.
TEST(lsm_tiles, runs_that_meet_in_every_way) {
  const u64 tile = lsm::tile_steps(4);
  for (const u64 older : {u64{1}, tile - 1, tile, tile + 1, 3 * tile + 50}) {
    for (const u64 newer : {u64{1}, u64{2}, tile - 1, tile, 2 * tile + 350}) {
      for (const u64 where : {0u, 1u, 2u, 3u, 4u}) {
        SCOPED_TRACE(fmt::format("{} and {}, place {}", older, newer, where));
        lsm_on_cpu index(key_width::u32, 4, numbers(older, 100'000, 10));
        const u64 first = where == 0   ? 1
                          : where == 1 ? 1'000'000
                          : where == 2 ? 100'001
                          : where == 3 ? 100'003
                                       : 100'000;
        ASSERT_NO_FATAL_FAILURE(index.insert(numbers(newer, first,
                                                     where < 2    ? 1
                                                     : where == 2 ? 0
                                                     : where == 3 ? 7
                                                                  : 10)));
        ASSERT_NO_FATAL_FAILURE(index.erase(numbers(newer, first, where == 4 ? 20 : 1)));
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
