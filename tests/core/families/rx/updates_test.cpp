// Batches of updates of RX, by rebuild and by refit: against the oracle, cell by cell where it matters, and what is left of
// the hierarchy of boxes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/families/rx/rx_model.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/script_list.hpp"
#include "tests/core/families/rx/rx_on_cpu.hpp"
#include "tests/support/each_list.hpp"

namespace pivotscope {
namespace {

using testing::rx_on_cpu;

constexpr const char* both[] = {"RX updates=rebuild", "RX updates=refit"};

std::vector<u64> numbers(u64 count, u64 first = 0, u64 apart = 1) {
  std::vector<u64> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = first + i * apart;
  return keys;
}

TEST(RxUpdates, EverySmallBatchIntoEverySmallIndex) {
  u64 done = 0;
  for (const std::string line : both) {
    for (const char* width : {" keys=u32 x_bits=1 y_bits=1", " keys=u64"}) {
      const index_config config = testing::config_of(line + width);
      const u64 greatest = config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
      std::vector<question> writes;
      for (const u64 key : {u64{0}, u64{7}, greatest})
        writes.push_back({operation::insert, key}), writes.push_back({operation::erase, key});
      testing::each_list(std::vector<u64>{0, 7, greatest}, 2, [&](const std::vector<u64>& keys) {
        testing::each_list(writes, 3, [&](const std::vector<question>& batch) {
          if (batch.empty() || HasFailure()) return;
          SCOPED_TRACE(fmt::format("{}, keys {}", line + width, fmt::join(keys, " ")));
          rx_on_cpu index(config, keys);
          index.update(batch);
          index.expect_answers();
          ++done;
        });
      });
    }
  }
  EXPECT_EQ(done, 4u * 13 * 258);
}

// A batch over what an earlier one left: holes, and keys beyond the grid as it was built.
TEST(RxUpdates, EveryTwoSmallBatches) {
  std::vector<question> writes;
  for (const u64 key : {2, 900}) writes.push_back({operation::insert, key}), writes.push_back({operation::erase, key});
  for (const std::string line : both) {
    const index_config config = testing::config_of(line + " x_bits=3 y_bits=2");
    for (const std::vector<u64>& keys : {std::vector<u64>{}, {2}, {3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
      testing::each_list(writes, 2, [&](const std::vector<question>& first) {
        testing::each_list(writes, 2, [&](const std::vector<question>& second) {
          if (first.empty() || second.empty() || HasFailure()) return;
          SCOPED_TRACE(fmt::format("{}, {} keys, {} and {} writes", line, keys.size(), first.size(), second.size()));
          rx_on_cpu index(config, keys);
          index.update(first);
          index.update(second);
          index.expect_answers();
        });
      });
    }
  }
}

// Many tiles of cells, many levels of boxes.
TEST(RxUpdates, LargeBatchesIntoLargeIndexes) {
  for (const std::string line : both) {
    for (const char* knobs : {"", " wide=8 keys=u64", " keys=u64 y_scale=0 z_scale=0"}) {
      SCOPED_TRACE(line + knobs);
      rx_on_cpu index(testing::config_of(line + knobs), numbers(3000, 0, 3));
      std::vector<question> batch;
      for (u64 i = 0; i < 1500; ++i) {
        if (i % 3 != 0) batch.push_back({operation::insert, i * 7919 % 12'000});
        if (i % 2 == 0) batch.push_back({operation::erase, i * 104'729 % 9'000});
      }
      index.update(batch);
      index.expect_answers();
      index.erase(numbers(700, 100, 2));
      index.insert(numbers(1500, 1'000'000, 1000));
      index.expect_answers();
    }
  }
}

TEST(RxUpdates, EraseAllThenInsert) {
  for (const std::string line : both) {
    SCOPED_TRACE(line);
    rx_on_cpu index(testing::config_of(line), numbers(100));
    index.erase(numbers(100));
    EXPECT_EQ(model_of(index.index())->keys(), 0u);
    index.expect_answers();
    EXPECT_EQ(index.steps_of(50), line == both[0] ? 0u : 1u) << "the root's boxes hold nothing";
    index.insert({7, 3, 7});
    index.expect_answers();
    EXPECT_EQ(index.state().entries(), 3u);
  }
}

TEST(RxUpdates, AllKeysEqual) {
  for (const std::string line : both) {
    SCOPED_TRACE(line);
    rx_on_cpu index(testing::config_of(line), std::vector<u64>(50, 9));
    index.insert(std::vector<u64>(30, 9));
    index.expect_answers();
    EXPECT_EQ(index.state().entries(), 80u) << "it keeps duplicates";
    index.erase({9});
    EXPECT_EQ(index.state().entries(), 0u) << "an erase takes all entries of its key";
    index.expect_answers();
    index.update({{operation::erase, 9}, {operation::insert, 9}, {operation::erase, 9}, {operation::insert, 9}});
    EXPECT_EQ(index.state().entries(), 2u);
    index.expect_answers();
  }
}

TEST(RxUpdates, InsertsIntoAnEmptyIndex) {
  for (const std::string line : both) {
    for (const u64 greatest : {u64{0}, u64{1}, u64{1} << 23, ~u64{0}}) {
      SCOPED_TRACE(fmt::format("{}, {}", line, greatest));
      rx_on_cpu index(testing::config_of(line + " keys=u64"), {});
      index.insert({greatest});
      index.expect_answers();
      index.insert({0, greatest / 2});
      index.expect_answers();
    }
  }
}

// Keys beyond the greatest one of the build: within the grid's places, in new rows, in new planes, at the width's end.
TEST(RxUpdates, AKeyThatTheGridHasNoPlaceFor) {
  for (const std::string line : both) {
    for (const char* knobs : {" x_bits=3 y_bits=2", "", " x_bits=3 y_bits=2 y_scale=0 z_scale=0"}) {
      rx_on_cpu index(testing::config_of(line + " keys=u64" + knobs), {2, 4, 5, 6, 16, 17, 18, 19, 20, 22});
      for (const u64 key : {31ull, 32ull, 300ull, 1ull << 28, 1ull << 29, 1ull << 40, 1ull << 52, ~0ull}) {
        SCOPED_TRACE(fmt::format("{}{}, {}", line, knobs, key));
        index.update({{operation::insert, key}, {operation::erase, 5}});
        ASSERT_GE(index.state().greatest, key);
        ASSERT_LE(index.state().greatest / 2, key) << "as few bits as it takes";
        ASSERT_NO_FATAL_FAILURE(index.expect_answers());
      }
    }
  }
  rx_on_cpu index(testing::config_of("RX keys=u64"), {1000});
  index.erase({~u64{0}});
  EXPECT_EQ(index.state().greatest, 1000u) << "an erase needs no place";
}

// What the head of updates.hpp draws.
TEST(RxUpdates, ARefitLeavesTrianglesInTheirCells) {
  rx_on_cpu index(testing::config_of("RX updates=refit"), {2, 4, 5, 6, 9});
  index.update({{operation::erase, 4}, {operation::erase, 9}, {operation::insert, 7}, {operation::insert, 3}});
  EXPECT_EQ(index.cells(), "2 7 5 6 3");
  EXPECT_EQ(index.index().regions()[0].cells, 5u);
  index.erase({5, 2, 3});
  EXPECT_EQ(index.cells(), "- 7 - 6 -");
  EXPECT_EQ(index.state().holes, 3u);
  index.insert({8, 1});
  EXPECT_EQ(index.cells(), "8 7 1 6 -") << "the first holes";
  EXPECT_EQ(index.state().holes, 1u);
  index.insert({11, 12, 13});
  EXPECT_EQ(index.cells(), "8 7 1 6 11 12 13") << "more than there are holes";
  EXPECT_EQ(index.state().holes, 0u);
  index.erase({7});
  index.insert({40, 41});
  EXPECT_EQ(index.cells(), "8 40 1 6 11 12 13 41") << "a hole in the middle";
  index.expect_answers();
}

TEST(RxUpdates, ARebuildKeepsTheCurve) {
  rx_on_cpu index(testing::config_of("RX"), {2, 4, 5, 6, 9});
  index.update({{operation::erase, 4}, {operation::erase, 9}, {operation::insert, 7}, {operation::insert, 3}});
  EXPECT_EQ(index.cells(), "2 3 5 6 7");
  EXPECT_FALSE(index.state().refitted);
  index.expect_answers();
}

// Rebuilt, an index is what a build over its entries makes; cleared, what a build over none makes.
TEST(RxUpdates, RebuildAndClear) {
  for (const std::string line : both) {
    SCOPED_TRACE(line);
    rx_on_cpu index(testing::config_of(line), numbers(40));
    index.erase(numbers(20, 0, 2));
    index.insert(numbers(30, 100, 5));
    index.maintain(maintenance::rebuild);
    EXPECT_EQ(index.state().holes, 0u);
    EXPECT_EQ(index.state().tree.triangles, 50u);
    EXPECT_FALSE(index.state().refitted);
    std::vector<u64> keys = numbers(20, 1, 2);
    for (const u64 key : numbers(30, 100, 5)) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(index.cells(), fmt::format("{}", fmt::join(keys, " ")));
    index.expect_answers();
    index.maintain(maintenance::clear);
    EXPECT_EQ(index.index().bytes(), 0u);
    index.maintain(maintenance::rebuild);
    index.insert({5});
    index.expect_answers();
  }
}

// The refit puts a later entry of the key into a hole before the others.
TEST(RxUpdates, ARebuildAnswersTheLeastRowIdAgain) {
  rx_on_cpu index(testing::config_of("RX updates=refit"), {3, 7, 7, 9});
  index.erase({3});
  index.insert({7});
  EXPECT_EQ(index.cells(), "7 7 7 9");
  EXPECT_EQ(trace_lookup(index.index(), 7)->row, 4u) << "in the first cell";
  index.maintain(maintenance::rebuild);
  EXPECT_EQ(trace_lookup(index.index(), 7)->row, 1u);
  index.expect_as_built();
}

TEST(RxUpdates, ARebuildGivesBackTheBitsOfErasedKeys) {
  for (const std::string line : both) {
    SCOPED_TRACE(line);
    rx_on_cpu index(testing::config_of(line + " keys=u64 x_bits=3 y_bits=2"), {1, 5, 9, 1ull << 40});
    const key_grid wide = index.state().grid;
    index.erase({1ull << 40});
    EXPECT_EQ(index.state().grid == wide, line == both[1]) << "a refit takes no bits away";
    index.maintain(maintenance::rebuild);
    EXPECT_EQ(index.state().greatest, 9u);
    EXPECT_EQ(index.state().grid, grid_for(9, 3, 2, 15, 25));
    index.expect_as_built();
    ASSERT_NO_FATAL_FAILURE(index.expect_answers());
    index.erase({1, 5, 9});
    index.maintain(maintenance::rebuild);
    EXPECT_EQ(index.state().greatest, 0u);
    index.expect_as_built();
    index.insert({1ull << 50});
    index.maintain(maintenance::rebuild);
    EXPECT_EQ(index.state().greatest, 1ull << 50);
    index.expect_as_built();
  }
}

// The greatest key is found by parts, and by parts of those: three passes, whichever part has it.
TEST(RxUpdates, ARebuildFindsTheGreatestOfManyKeys) {
  constexpr u64 count = rx_maxima::keys_a_part * rx_maxima::keys_a_part + 1000;
  for (const u64 place : {u64{0}, u64{40'000}, count - 1}) {
    std::vector<u64> keys = numbers(count, 0, 3);
    std::swap(keys[place], keys.back());
    rx_on_cpu index(testing::config_of("RX"), keys);
    index.insert({1});
    ASSERT_EQ(index.state().greatest, 3 * (count - 1)) << place;
    index.erase({3 * (count - 1)});
    ASSERT_EQ(index.state().greatest, 3 * (count - 2)) << place;
  }
}

// An erase says what it came to: once for a key, however many entries it had.
TEST(RxUpdates, ErasesSayWhatTheyCameTo) {
  for (const std::string line : both) {
    rx_on_cpu index(testing::config_of(line), {1, 2, 2, 2, 3});
    index.update({{operation::erase, 2}, {operation::erase, 9}, {operation::erase, 2}, {operation::insert, 9}});
    const std::vector<write_done> right = {write_done::erased, write_done::absent, write_done::absent,
                                           write_done::added};
    EXPECT_EQ(index.last().done, right) << line;
  }
}

// A lookup after a refit meets more boxes the more triangles came; after a rebuild it does not.
TEST(RxUpdates, ARefitMakesLookupsSlow) {
  std::map<std::string, std::vector<double>> steps;
  for (const std::string line : both) {
    for (const u64 share : {0, 2, 10, 50}) {  // of 100 keys
      rx_on_cpu index(testing::config_of(line), numbers(4096, 0, 1000));
      std::vector<question> batch;
      for (u64 i = 0; i < 4096; ++i) {
        if (i * 37 % 100 >= share) continue;
        batch.push_back({operation::erase, i * 1000});
        batch.push_back({operation::insert, (i * 2'654'435'761u % 4096) * 1000 + 1});
      }
      if (!batch.empty()) index.update(batch);
      u64 sum = 0, asked = 0;
      for (u64 i = 0; i < 4096; i += 41)
        if (i * 37 % 100 >= share) sum += index.steps_of(i * 1000), ++asked;
      steps[line].push_back(static_cast<double>(sum) / static_cast<double>(asked));
    }
  }
  const std::vector<double>&rebuilt = steps[both[0]], &refitted = steps[both[1]];
  EXPECT_EQ(rebuilt[0], refitted[0]) << "as built";
  for (const double after : rebuilt) EXPECT_LT(after, rebuilt[0] + 1);
  EXPECT_GT(refitted[1], 2 * refitted[0]);
  EXPECT_GT(refitted[2], 2 * refitted[1]);
  EXPECT_GT(refitted[3], 1.5 * refitted[2]);
}

TEST(RxUpdates, ATraceTellsOfHoles) {
  rx_on_cpu index(testing::config_of("RX updates=refit x_bits=3 y_bits=2"), {2, 4, 5, 6, 16, 17, 18, 19, 20, 22});
  index.erase({18, 20, 22});
  EXPECT_EQ(index.told({operation::find, 19}),
            (std::vector<std::string>{"19 is at (3, 2, 0) in the scene. A ray along x goes through that place.",
                                      "level 0, boxes 0 to 2: The ray meets box 1. Down to what is in that box.",
                                      "triangles 4 to 7: The ray hits triangle 7: 19 is there. ",
                                      "19 is in the index: row id 7, in slot 7 of the triangles."}));
  EXPECT_EQ(index.told({operation::range, 17, 30}).at(2),
            "triangles 4 to 7: The beam hits 2 of 3 triangles and a hole. Nothing is left to look through. ");
  EXPECT_EQ(index.told({operation::find, 22}),
            (std::vector<std::string>{"22 is at (6, 2, 0) in the scene. A ray along x goes through that place.",
                                      "level 0, boxes 0 to 2: The ray meets none of these 3 boxes. Nothing is left to "
                                      "look through. ",
                                      "22 is not in the index."}));
  // Key 0 is no hole's.
  index.erase({2, 4});
  index.insert({0});
  index.erase({5, 6, 16, 17, 19});
  EXPECT_EQ(index.cells(), "0 - - - - - - - - -");
  EXPECT_EQ(index.told({operation::find, 0}).at(2), "triangle 0: The ray hits triangle 0: 0 is there. ");
  const auto model = model_of(index.index());
  index_reader reader(index.index());
  EXPECT_EQ(model->words_of({rx::scene.triangles, 0}, std::ref(reader)), "(0, 0, 0)");
  EXPECT_EQ(model->words_of({rx::scene.triangles, 1}, std::ref(reader)), "a hole: its triangle was erased");
  EXPECT_EQ(model->words_of({rx::scene.boxes, 1}, std::ref(reader)), "nothing: all that it held was erased");
  EXPECT_TRUE(model->build_passes().empty()) << "no build put the triangles there";
  EXPECT_NE(model->region(main_region).meaning.find("no order"), std::string::npos);
}

// A row id may have the bit that says "flipped" in other scenes: rays look at no side here.
TEST(RxUpdates, EveryRowIdIsAHit) {
  const key_grid grid = grid_for(100, 23, 23, 15, 25);
  const half_units half = half_units::of(grid);
  const triangle_cell at = triangle_at(grid, grid.of(50), static_cast<u32>(max_rows) - 1, false);
  const axis_ray ray{{at.x - half.axes[0], at.y, at.z}, at.x + half.axes[0], 0};
  EXPECT_NE(side_met(ray, at, half), side::none);
  EXPECT_FALSE(at.is_hole());
  EXPECT_EQ(side_met(ray, hole_with(erased_row), half), side::none);
  EXPECT_FALSE(ray.meets(empty_box()));
  EXPECT_EQ(box_of(at, half).axes[2].low, [&] {
    box all = empty_box();
    all.take(box_of(at, half));
    return all.axes[2].low;
  }());
}

}  // namespace
}  // namespace pivotscope
