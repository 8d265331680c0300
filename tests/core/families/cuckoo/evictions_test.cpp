// Entries that move, the stash, and another seed: by keys that share their homes.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/families/cuckoo/cuckoo_model.hpp"
#include "core/families/cuckoo/tight_starts.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/verify/interleaving.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

// Keys, from 1 on, that f takes.
template <class F>
std::vector<u64> keys_that(u64 count, F&& f) {
  std::vector<u64> list;
  for (u32 key = 1; list.size() < count; ++key)
    if (f(key)) list.push_back(key);
  return list;
}
void insert_all(script& s, const std::vector<u64>& keys) {
  for (const u64 key : keys) s.add({operation::insert, key});
}
void find_all(script& s, const std::vector<u64>& keys) {
  for (const u64 key : keys) s.add({operation::find, key});
}
const cuckoo_view& view_of(const script_record& record) { return record.index->state_as<cuckoo_view>(); }

// Three keys whose two homes are the same two cells: one of them finds no room, however often the others move.
std::vector<u64> keys_of_two_cells(u64 count, u32 buckets) {
  const cuckoo_view table = cuckoo_table(buckets, 0);
  const u32 a = home_of(1u, 0, table), b = home_of(1u, 1, table);
  EXPECT_NE(a, b);
  return keys_that(
      count, [&](u32 key) { return std::minmax(home_of(key, 0, table), home_of(key, 1, table)) == std::minmax(a, b); });
}

TEST(evictions, that_go_in_a_circle_end_in_the_stash) {
  script s(key_width::u32);
  const std::vector<u64> keys = keys_of_two_cells(3, 16);
  insert_all(s, keys), find_all(s, keys);
  s.add({operation::erase, keys[2]}), find_all(s, keys), insert_all(s, keys), find_all(s, keys);
  const script_record record =
      testing::table_on_cpu("HT+CUCKOO homes=2 bucket=1 lanes=1 load=45 room=7 stash=1 grow=off", {}).run(s);
  EXPECT_EQ(view_of(record).buckets, 16u);
  EXPECT_EQ(view_of(record).seed, 0u);
  EXPECT_EQ(view_of(record).stashed, 1u);
  EXPECT_EQ(record.contents.found, 3u);
}

TEST(evictions, without_a_stash_take_another_seed) {
  script s(key_width::u32);
  const std::vector<u64> keys = keys_of_two_cells(3, 16);
  insert_all(s, keys), find_all(s, keys);
  const script_record record =
      testing::table_on_cpu("HT+CUCKOO homes=2 bucket=1 lanes=1 load=45 room=7 stash=0 grow=off", {}).run(s);
  EXPECT_EQ(view_of(record).buckets, 16u) << "another seed is enough";
  EXPECT_GT(view_of(record).seed, 0u);
  EXPECT_GE(testing::stages(record.batches[0], "rehash"), 1u);
  EXPECT_EQ(record.batches[0].counts, (write_counts{.added = 3}));
}

// Not even with another seed: of more keys than there are cells some are refused, and nothing is lost.
TEST(evictions, that_find_no_room_refuse_and_lose_nothing) {
  script s(key_width::u32);
  const std::vector<u64> keys = keys_that(20, [](u32) { return true; });
  insert_all(s, keys), find_all(s, keys);
  const script_record record =
      testing::table_on_cpu("HT+CUCKOO homes=2 bucket=1 lanes=1 load=45 room=7 stash=0 grow=off", {}).run(s);
  const write_counts& counts = record.batches[0].counts;
  EXPECT_EQ(counts.added + counts.full, 20u);
  EXPECT_GE(counts.full, 4u);
  EXPECT_GE(counts.added, 7u);
  EXPECT_EQ(record.contents.found, counts.added);
  EXPECT_EQ(view_of(record).buckets, 16u);
}

// 40 keys with one first home, 20 all of whose homes are one bucket of eight cells.
TEST(evictions, of_keys_with_one_home_come_to_an_end) {
  const cuckoo_view table = cuckoo_table(10, 0);
  const auto with_first = keys_that(40, [&](u32 key) { return home_of(key, 0, table) == 3; });
  const auto with_all = keys_that(20, [&](u32 key) {
    return home_of(key, 0, table) == 3 && home_of(key, 1, table) == 3 && home_of(key, 2, table) == 3;
  });
  for (const char* line : {"HT+CUCKOO room=64", "HT+CUCKOO room=64 stash=0", "HT+CUCKOO room=64 stash=1 layout=soa"}) {
    SCOPED_TRACE(line);
    for (const auto& keys : {with_first, with_all}) {
      script s(key_width::u32);
      insert_all(s, keys), find_all(s, keys);
      const script_record record = testing::table_on_cpu(line, {}).run(s);
      EXPECT_EQ(record.contents.found, keys.size());
      EXPECT_LE(view_of(record).buckets, 20u);
      // Built at once as well.
      EXPECT_EQ(testing::table_on_cpu(line, keys).run(script(key_width::u32)).contents.found, keys.size());
    }
    // Nine keys of which no home is another bucket: one goes into the stash, or all get another seed.
    script s(key_width::u32);
    insert_all(s, {with_all.begin(), with_all.begin() + 9});
    const script_record record = testing::table_on_cpu(line, {}).run(s);
    EXPECT_EQ(record.contents.found, 9u);
    EXPECT_EQ(view_of(record).buckets, 10u);
    EXPECT_TRUE(view_of(record).stashed == 1 || view_of(record).seed > 0);
  }
}

// What tight_homes says that moves does; everything else stays where it is.
TEST(tight_homes, are_what_their_names_say) {
  const auto cpu = detail::open_cpu();
  std::map<std::string, u64> seen;
  for (const key_width width : {key_width::u32, key_width::u64}) {
    for (const cell_layout layout : {cell_layout::aos, cell_layout::soa}) {
      for (const u32 bucket : {1u, 2u, 4u, 8u, 16u}) {
        for (const u32 homes : {2u, 3u, 4u}) {
          const cuckoo_config config{.keys = width,
                                     .lanes = std::max(1u, bucket / 8),
                                     .bucket = bucket,
                                     .homes = homes,
                                     .load = 40,
                                     .layout = layout};
          for (const tight_start& start : tight_homes(config)) {
            SCOPED_TRACE(to_line(index_config(config)) + ": " + start.name);
            ++seen[start.name];
            testing::table_on_cpu table(to_line(index_config(config)), start.keys);
            script s(width);
            for (const question& before : start.before) s.add(before);
            const auto record = table.run(s);
            const auto homes_full = model_of(*record.index)->probe_path(start.next[0], homes);
            const auto trace = trace_write(*record.index, operation::insert, start.next[0]);
            ASSERT_TRUE(trace);
            const bool erased = start.name == "all homes are full, and an entry of one is erased";
            EXPECT_EQ(trace->write->done, erased ? write_done::revived : write_done::added);
            const bool back = start.name == "all homes are full, and an entry has to move back";
            EXPECT_EQ(trace->steps.size(), 2 * homes + (erased ? 0
                                                        : back ? 2
                                                               : start.next.size() - 2))
                << "its homes, twice, and where entries move";
            // All that moves was stored once more: the last cell that is changed is in a home of the new key.
            std::vector<u64> stored;
            for (const trace_step& step : trace->steps)
              for (const changed_word& changed : step.changed)
                if (changed.array == cuckoo_region::entries) stored.push_back(changed.slot);
            ASSERT_FALSE(stored.empty());
            EXPECT_NE(std::ranges::find(homes_full, stored.back() / bucket), homes_full.end());
          }
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 4u);
  for (const auto& [name, count] : seen) EXPECT_GE(count, 20u) << name;
}

// A table that changes all the time stays as large as it is: an eighth of its keys goes, and another comes, forty times.
TEST(cuckoo_tables, that_change_all_the_time_stay_as_large_as_they_are) {
  for (const char* line : {"HT+CUCKOO", "HT+CUCKOO layout=soa keys=u64", "HT+CUCKOO homes=4 bucket=1 lanes=1"}) {
    SCOPED_TRACE(line);
    std::vector<u64> keys(4096);
    for (u64 i = 0; i < keys.size(); ++i) keys[i] = i;
    testing::table_on_cpu table(line, keys);
    script s(table.width());
    u64 cleaned = 0;
    for (u64 round = 0; round < 40; ++round) {
      for (u64 i = 0; i < 512; ++i) s.add({operation::erase, round * 512 + i});
      for (u64 i = 0; i < 512; ++i) s.add({operation::insert, 4096 + round * 512 + i});
    }
    const script_record record = table.run(s);
    for (const script_batch_record& batch : record.batches) cleaned += testing::stages(batch, "clean up");
    EXPECT_EQ(record.contents.found, 4096u);
    EXPECT_EQ(view_of(record).buckets, cuckoo_buckets(cuckoo_config::of(table.config()), 4096));
    EXPECT_GE(cleaned, 5u);
  }
}

// The batch puts in keys that are there: none of them needs a cell.
TEST(cuckoo_tables, do_not_grow_for_keys_that_they_have) {
  std::vector<u64> keys(1000);
  for (u64 i = 0; i < keys.size(); ++i) keys[i] = 3 * i;
  testing::table_on_cpu table("HT+CUCKOO load=95", keys);
  script s(key_width::u32);
  insert_all(s, keys), find_all(s, keys);
  const script_record record = table.run(s);
  EXPECT_EQ(view_of(record).buckets, cuckoo_buckets(cuckoo_config::of(table.config()), 1000));
  EXPECT_EQ(record.batches[0].counts, (write_counts{.replaced = 1000}));
}

TEST(cuckoo_tables, grow_once_for_a_batch_that_is_larger_than_they_are) {
  testing::table_on_cpu table("HT+CUCKOO", {1, 2, 3});
  script s(key_width::u32);
  for (u64 i = 0; i < 100'000; ++i) s.add({operation::insert, 10 + i});
  const script_record record = table.run(s);
  EXPECT_EQ(testing::stages(record.batches[0], "grow"), 1u);
  EXPECT_EQ(record.contents.found, 100'003u);
  EXPECT_EQ(view_of(record).buckets, cuckoo_buckets({}, 100'003));
}

}  // namespace
}  // namespace pivotscope
