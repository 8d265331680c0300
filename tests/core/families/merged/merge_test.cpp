// Batches merged into SA: every small array with every small batch, against a sorted list; the ends of tiles and of the width;
// and what a batch that is done as a whole answers.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/families/merged/merge.hpp"
#include "core/index/operations.hpp"
#include "core/machine/machine.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/run/stored_entries.hpp"
#include "core/verify/interleaving.hpp"
#include "core/workload/script.hpp"
#include "core/workload/script_list.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/each_list.hpp"

namespace pivotscope {
namespace {

using testing::config_of;
using testing::each_list;

key_array keys_of(key_width width, const std::vector<u64>& of) {
  key_array keys(width, of.size());
  keys.visit([&](auto& all) {
    for (std::size_t i = 0; i < of.size(); ++i)
      all[i] = static_cast<typename std::decay_t<decltype(all)>::value_type>(of[i]);
  });
  return keys;
}

struct sorted_array {
  std::unique_ptr<machine> cpu = detail::open_cpu();
  std::shared_ptr<const built_index> index;

  sorted_array(key_width width, const std::vector<u64>& keys) {
    const auto resident = cpu->load(keys_of(width, keys), job_control{});
    index = *cpu->build(config_of(width == key_width::u32 ? "SA" : "SA keys=u64"), *resident, job_control{});
  }
  update_result update(const script& s) const { return *cpu->update(*index, s, 0, {}, job_control{}); }
};

script batch_of(key_width width, const std::vector<question>& writes) {
  script s(width);
  s.begin_mixed();
  for (const question& w : writes) s.add(w);
  s.end_mixed();
  return s;
}

// What a batch leaves, and what it says of each write: erases before inserts, the first erase of a key takes its entries.
struct expected_end {
  std::vector<stored_entry> entries;
  std::vector<write_done> done;
};
expected_end end_of(const std::vector<u64>& keys, const std::vector<question>& writes) {
  expected_end end;
  end.done.assign(writes.size(), write_done::added);
  const std::set<u64> there(keys.begin(), keys.end());
  std::set<u64> erased;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i].kind != operation::erase) continue;
    const bool first = erased.insert(writes[i].key).second;
    end.done[i] = first && there.contains(writes[i].key) ? write_done::erased : write_done::absent;
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!erased.contains(keys[i])) end.entries.push_back({keys[i], static_cast<u32>(i)});
  u32 row = static_cast<u32>(keys.size());
  for (const question& w : writes)
    if (w.kind == operation::insert) end.entries.push_back({w.key, row++});
  std::ranges::sort(end.entries, [](const stored_entry& a, const stored_entry& b) {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  });
  return end;
}

void expect_merged(const sorted_array& array, const std::vector<u64>& keys, const std::vector<question>& writes,
                   key_width width) {
  const update_result result = array.update(batch_of(width, writes));
  const expected_end right = end_of(keys, writes);
  ASSERT_EQ(result.done, right.done);
  ASSERT_EQ(*stored_entries(*result.index), right.entries);
  ASSERT_EQ(result.index->rows(), keys.size() + result.counts.added);
}

TEST(merge, every_small_batch_into_every_small_array) {
  u64 merged = 0;
  for (const key_width width : {key_width::u32, key_width::u64}) {
    const u64 last = width == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
    std::vector<question> writes;
    for (const u64 key : {u64{0}, u64{7}, last})
      writes.push_back({operation::insert, key}), writes.push_back({operation::erase, key});
    each_list(std::vector<u64>{0, 7, last}, 3, [&](const std::vector<u64>& keys) {
      const sorted_array array(width, keys);
      each_list(writes, 3, [&](const std::vector<question>& batch) {
        if (batch.empty() || ::testing::Test::HasFailure()) return;
        SCOPED_TRACE(fmt::format("keys {}, {} writes, {} bits", fmt::join(keys, " "), batch.size(),
                                 width == key_width::u32 ? 32 : 64));
        expect_merged(array, keys, batch, width);
        ++merged;
      });
    });
  }
  EXPECT_EQ(merged, 2u * 40 * 258);
}

// Arrays and batches about the ends of tiles: all of the batch before the array, behind it, at one place, in every gap.
TEST(merge, about_the_ends_of_tiles) {
  u64 merged = 0;
  constexpr u64 tile = merge_passes::tile_steps(4);
  for (const u64 n : {u64{0}, u64{1}, tile - 1, tile, tile + 1, 2 * tile, 4 * tile - 24}) {
    std::vector<u64> keys;
    for (u64 i = 0; i < n; ++i) keys.push_back(1000 + 10 * i);
    const sorted_array array(key_width::u32, keys);
    for (const u64 m : {u64{1}, u64{2}, tile - 1, tile, tile + 1, 2 * tile + 350}) {
      for (const u64 where : {0u, 1u, 2u, 3u}) {
        for (const u64 erased : {0u, 1u, 2u}) {
          std::vector<question> batch;
          for (u64 i = 0; i < m; ++i) {
            const u64 key = where == 0 ? i : where == 1 ? 1'000'000 + i : where == 2 ? 1005 : 1000 + 7 * i;
            // Of each key once, or of every other one three times, which takes its entries once.
            if (erased > 0 && i % (erased + 1) == 0 && i < n)
              batch.insert(batch.end(), erased == 1 ? 3 : 1, {operation::erase, keys[i]});
            batch.push_back({operation::insert, key});
          }
          SCOPED_TRACE(fmt::format("{} keys, {} writes, place {}, erased {}", n, m, where, erased));
          ASSERT_NO_FATAL_FAILURE(expect_merged(array, keys, batch, key_width::u32));
          ++merged;
        }
      }
    }
  }
  EXPECT_EQ(merged, 7u * 6 * 4 * 3);
}

// An index is as large as its entries, whatever room the merge had; the next batch goes on from there.
TEST(merge, an_array_has_no_cells_behind_its_entries) {
  const u64 n = 5 * merge_passes::tile_steps(4);
  std::vector<u64> keys;
  for (u64 i = 0; i < n; ++i) keys.push_back(2 * i);
  const sorted_array array(key_width::u32, keys);
  std::vector<question> erases;
  for (u64 i = 0; i < n; i += 3) erases.push_back({operation::erase, keys[i]});
  const update_result less = array.update(batch_of(key_width::u32, erases));
  EXPECT_EQ(less.index->regions()[0].cells, n - erases.size());
  EXPECT_EQ(less.index->bytes(), 8 * (n - erases.size()));
  const script more = batch_of(key_width::u32, {{operation::insert, 0}, {operation::erase, 2}});
  const update_result next = *array.cpu->update(*less.index, more, 0, {}, job_control{});
  EXPECT_EQ(next.index->bytes(), less.index->bytes());
  EXPECT_EQ(stored_entries(*next.index)->size(), n - erases.size());
}

// All entries go; all of many equal ones go; equal ones come behind equal ones.
TEST(merge, takes_all_entries_of_a_key_and_keeps_duplicates_in_order_of_their_rows) {
  const std::vector<u64> equal(3 * merge_passes::tile_steps(8), 5);
  const sorted_array array(key_width::u64, equal);
  expect_merged(array, equal, {{operation::erase, 5}}, key_width::u64);
  expect_merged(array, equal, {{operation::erase, 4}, {operation::erase, 6}}, key_width::u64);
  expect_merged(array, equal, {{operation::insert, 5}, {operation::insert, 5}}, key_width::u64);
  expect_merged(array, equal, {{operation::insert, 5}, {operation::erase, 5}, {operation::erase, 5}}, key_width::u64);
}

// The entries of an erased key may begin and end at any of the steps that a thread does, and of a tile; the erases
// themselves may end a tile, and their entries begin the next one.
TEST(merge, an_erased_key_may_begin_and_end_at_any_step) {
  u64 merged = 0;
  for (const key_width width : {key_width::u32, key_width::u64}) {
    const u32 bytes = key_bytes(width), thread = merge_passes::thread_steps(bytes);
    const u64 tile = merge_passes::tile_steps(bytes);
    for (u64 below = tile - 9; below < tile + 2; ++below) {
      for (const u64 equal :
           {u64{1}, u64{2}, u64{3}, u64{thread} - 1, u64{thread}, u64{thread} + 1, tile - 1, tile, tile + 1}) {
        std::vector<u64> keys;
        for (u64 i = 0; i < below; ++i) keys.push_back(i);
        keys.insert(keys.end(), equal, 5000);
        for (u64 i = 0; i < 9; ++i) keys.push_back(6000 + i);
        const sorted_array array(width, keys);
        for (const bool twice : {false, true}) {
          std::vector<question> batch{{operation::erase, 5000}, {operation::insert, 5000}, {operation::erase, 3}};
          if (twice) batch.insert(batch.end(), 2, {operation::erase, 5000});
          SCOPED_TRACE(fmt::format("{} below {} equal ones, {} writes", below, equal, batch.size()));
          ASSERT_NO_FATAL_FAILURE(expect_merged(array, keys, batch, width));
          ++merged;
        }
      }
    }
  }
  EXPECT_EQ(merged, 2u * 11 * 9 * 2);
}

// Reads of a mixed batch see the array as it was; the index that was given stays as it is.
TEST(merge, reads_of_a_mixed_batch_see_what_was_there) {
  const sorted_array array(key_width::u32, {10, 20, 20, 30});
  const script s = *script_from_list("(-20,?20,+25,20..30,=20,>20,>=21,?25)", key_width::u32);
  const update_result result = array.update(s);
  EXPECT_EQ(result.answers[1], script_answer::found(1));
  EXPECT_EQ(result.answers[3], script_answer::counted({3, 6}));
  EXPECT_EQ(result.answers[4], script_answer::counted({2, 3}));
  EXPECT_EQ(result.answers[5], script_answer::next(30, 3));
  EXPECT_EQ(result.answers[6], script_answer::next(30, 3));
  EXPECT_EQ(result.answers[7].row, not_found);
  EXPECT_EQ(result.done[0], write_done::erased);
  EXPECT_EQ(*stored_entries(*result.index), (std::vector<stored_entry>{{10, 0}, {25, 4}, {30, 3}}));
  EXPECT_EQ(stored_entries(*array.index)->size(), 4u);
}

// The time of a batch is that of its stages, each of which is told.
TEST(merge, tells_the_stages_of_a_batch) {
  const sorted_array array(key_width::u32, {10, 20, 30});
  const auto expect_stages = [&](const char* list, const std::vector<std::string>& right) {
    const update_result result = array.update(*script_from_list(list, key_width::u32));
    std::vector<std::string> names;
    double ms = 0;
    for (const stage_time& stage : result.stages) names.push_back(stage.name), ms += stage.median();
    EXPECT_EQ(names, right);
    EXPECT_DOUBLE_EQ(result.time.median(), ms);
    EXPECT_TRUE(result.room.empty());
  };
  expect_stages("+5", {"sort batch", "start tiles", "merge"});
  expect_stages("(-10,+5)", {"sort batch", "start tiles", "merge"});
}

TEST(merge, has_no_single_write_to_step_through_or_to_interleave) {
  const sorted_array array(key_width::u32, {10, 20, 30});
  const auto path = trace_write(*array.index, operation::insert, 15);
  ASSERT_FALSE(path);
  EXPECT_EQ(path.error().words,
            "SA does the writes of a batch as a whole, so none of its inserts has a path of its own");
  EXPECT_EQ(check_steps(array.index->config(), operation::find), std::nullopt);
  const auto pair = interleaving::make(*array.cpu, array.index->config(), {.operations = {{operation::insert, 5}}});
  ASSERT_FALSE(pair);
  EXPECT_EQ(pair.error().words,
            "SA does the writes of a batch as a whole, so none of its inserts meets another operation");
}

}  // namespace
}  // namespace pivotscope
