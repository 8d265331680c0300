// Tables at the ends of what they can be: chains that are exactly full, all keys in one bucket, pools without a slab, keys
// that are equal to what a link holds. All against the oracle, every entry compared after every batch that writes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/families/buckets/buckets_model.hpp"
#include "core/families/buckets/pool_size.hpp"
#include "tests/support/table_on_cpu.hpp"
#include "tests/support/whole_space.hpp"
#include "tests/support/without_arrays.hpp"

namespace pivotscope {
namespace {

using testing::stages;
using testing::table_on_cpu;

const char* const all_layouts[] = {"HT+BUCKET", "HT+BUCKET layout=soa", "HT+BUCKET keys=u64",
                                   "HT+BUCKET keys=u64 layout=soa"};

u64 cells_of(const script_record& record) { return record.index->regions()[0].cells; }
buckets_view view_of(const script_record& record) { return record.index->state_as<buckets_view>(); }

// The first keys, from `from` on, whose bucket is `bucket` of so many.
std::vector<u64> keys_of_bucket(key_width width, u32 buckets, u32 bucket, u64 count, u64 from = 1) {
  const buckets_view table{.buckets = buckets};
  std::vector<u64> keys;
  for (u64 key = from; keys.size() < count; ++key)
    if ((width == key_width::u32 ? bucket_of(static_cast<u32>(key), table) : bucket_of(key, table)) == bucket)
      keys.push_back(key);
  return keys;
}

void find_all(script& s, const std::vector<u64>& keys) {
  for (const u64 key : keys) s.add({operation::find, key});
}

// Every number of entries from none to three slabs, one more each time, and back.
TEST(chains, of_one_bucket_hold_every_number_of_entries) {
  for (const char* layout : all_layouts) {
    for (const char* duplicates : {"off", "on"}) {
      SCOPED_TRACE(fmt::format("{} duplicates={}", layout, duplicates));
      table_on_cpu table(fmt::format("{} slab=4 lanes=1 load=400 room=12 duplicates={}", layout, duplicates), {});
      script s(table.width());
      std::vector<u64> keys(12);
      for (u64 i = 0; i < keys.size(); ++i) keys[i] = 1000 + i;
      for (const u64 key : keys) s.add({operation::insert, key}), find_all(s, keys);
      for (const u64 key : keys) s.add({operation::erase, key}), find_all(s, keys);
      const script_record record = table.run(s);
      EXPECT_EQ(view_of(record).buckets, 1u);
      EXPECT_EQ(view_of(record).in_pool(), 4u) << "as many as twelve keys can fill, and no more";
    }
  }
}

// A link is as wide as a key and lies where keys lie.
TEST(chains, keep_keys_apart_from_links_that_look_like_them) {
  for (const char* layout : all_layouts) {
    SCOPED_TRACE(layout);
    const index_config config = *config_from_line(layout);
    const u64 greatest = config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
    for (const char* duplicates : {"off", "on"}) {
      table_on_cpu table(fmt::format("{} slab=4 lanes=1 load=400 room=12 duplicates={}", layout, duplicates), {});
      script s(table.width());
      // Slabs 1 to 4 are the pool's; the greatest keys are what else a link says.
      const std::vector<u64> like_links = {0, 1, 2, 3, 4, greatest, greatest - 1, greatest - 2};
      for (u64 i = 0; i < 7; ++i) s.add({operation::insert, 1000 + i});
      find_all(s, like_links);
      for (const u64 key : like_links) s.add({operation::erase, key});
      find_all(s, like_links);
      for (const u64 key : like_links) s.add({operation::insert, key}), s.add({operation::find, key});
      for (const u64 key : like_links) s.add({operation::matches, key});
      for (const u64 key : like_links) s.add({operation::erase, key}), s.add({operation::find, key});
      table.run(s);
    }
  }
}

TEST(chains, of_keys_that_all_lead_to_one_bucket_have_all_the_slabs) {
  for (const char* layout : all_layouts) {
    SCOPED_TRACE(layout);
    const index_config config = *config_from_line(layout);
    const u32 buckets = buckets_for(buckets_config::of(config), 3000);
    const std::vector<u64> keys = keys_of_bucket(config.keys, buckets, buckets - 1, 3000);
    table_on_cpu table(layout, keys);
    script s(table.width());
    find_all(s, keys);
    for (u64 i = 0; i < keys.size(); i += 2) s.add({operation::erase, keys[i]});
    find_all(s, keys);
    const script_record record = table.run(s);
    EXPECT_EQ(view_of(record).buckets, buckets);
    EXPECT_EQ(view_of(record).in_pool(), 3000u / 15) << "more than chance would have needed";
    EXPECT_EQ(view_of(record).left(), 1u) << "the first slab of 200 is the bucket's own";
  }
}

TEST(pools, without_a_free_slab_refuse_and_lose_nothing) {
  for (const char* layout : all_layouts) {
    SCOPED_TRACE(layout);
    // One bucket of three entries, a pool of one slab.
    table_on_cpu table(fmt::format("{} slab=4 lanes=1 load=200 room=5 grow=off", layout), {});
    script s(table.width());
    for (u64 i = 0; i < 6; ++i) s.add({operation::insert, 10 + i});
    s.add({operation::find, 10});
    for (u64 i = 0; i < 3; ++i) s.add({operation::insert, 100 + i});  // none goes in
    s.add({operation::insert, 12});                                   // its cell is there
    s.add({operation::find, 100});
    s.add({operation::erase, 13});
    s.add({operation::insert, 100});  // the erased cell is of use once the chain is cleaned up
    s.add({operation::find, 100}), s.add({operation::find, 13});
    const script_record record = table.run(s);
    ASSERT_EQ(record.batches.size(), 7u);
    EXPECT_EQ(cells_of(record), 8u);
    EXPECT_EQ(record.batches[0].counts, (write_counts{.added = 6}));
    EXPECT_EQ(record.batches[2].counts, (write_counts{.replaced = 1, .full = 3}));
    EXPECT_EQ(stages(record.batches[2], "clean up"), 0u) << "nothing is erased";
    EXPECT_EQ(record.batches[5].counts, (write_counts{.added = 1}));
    EXPECT_EQ(stages(record.batches[5], "clean up"), 1u);
  }
}

TEST(pools, grow_by_whole_slabs_and_move_none) {
  for (const char* layout : all_layouts) {
    SCOPED_TRACE(layout);
    const index_config config = *config_from_line(layout);
    const u32 buckets = buckets_for(buckets_config::of(config), 1000);
    std::vector<u64> built(1000);
    for (u64 i = 0; i < built.size(); ++i) built[i] = i;
    table_on_cpu table(layout, built);
    script s(table.width());
    // All into one bucket, which no estimate foresees.
    const std::vector<u64> keys = keys_of_bucket(config.keys, buckets, 3, 900, 5000);
    for (const u64 key : keys) s.add({operation::insert, key});
    find_all(s, keys), find_all(s, built);
    const script_record record = table.run(s);
    EXPECT_EQ(record.batches[0].counts, (write_counts{.added = 900}));
    EXPECT_EQ(view_of(record).buckets, buckets);
    EXPECT_EQ(stages(record.batches[0], "grow"), 0u) << "the buckets stay";
    EXPECT_GE(stages(record.batches[0], "list free slabs"), 1u);
  }
}

TEST(growing_buckets, of_no_keys_take_every_insert) {
  for (const char* layout : all_layouts) {
    SCOPED_TRACE(layout);
    table_on_cpu table(layout, {});
    script s(table.width());
    u64 next = 0;
    for (const u64 count : {1u, 14u, 1u, 15u, 1u, 1000u, 20000u}) {
      for (u64 i = 0; i < count; ++i) s.add({operation::insert, next++ * 7919 % 1'000'003});
      s.add({operation::find, 7919});
    }
    const script_record record = table.run(s);
    EXPECT_EQ(record.contents.found, next);
    EXPECT_EQ(stages(record.batches[0], "grow"), 0u);
    EXPECT_EQ(stages(record.batches[10], "grow"), 1u);
    EXPECT_EQ(stages(record.batches[12], "grow"), 1u) << "once, and to the right size";
    EXPECT_EQ(view_of(record).buckets, buckets_for(buckets_config::of(record.index->config()), next));
  }
}

// What goes in takes the cells of what goes out, in the same bucket at once or after a clean-up.
TEST(aging_buckets, stay_as_they_are_under_steady_inserts_and_erases) {
  for (const char* layout : all_layouts) {
    for (const char* duplicates : {"off", "on"}) {
      SCOPED_TRACE(fmt::format("{} duplicates={}", layout, duplicates));
      constexpr u64 keys = 1000, slice = 50;
      const u64 rounds = layout == all_layouts[0] ? 1000 : 100;
      std::vector<u64> built(keys);
      const auto key_of = [](u64 i) { return i * 2654435761u % 4294967291u; };
      for (u64 i = 0; i < keys; ++i) built[i] = key_of(i);
      table_on_cpu table(fmt::format("{} slab=8 lanes=1 load=85 duplicates={}", layout, duplicates), built);
      script s(table.width());
      for (u64 r = 0; r < rounds; ++r) {
        for (u64 i = 0; i < slice; ++i) s.add({operation::erase, key_of(r * slice + i)});
        for (u64 i = 0; i < slice; ++i) s.add({operation::insert, key_of(keys + r * slice + i)});
        s.add({operation::find, key_of(keys + r * slice)});
      }
      const script_record record = table.run(s);
      ASSERT_EQ(record.batches.size(), 3 * rounds);
      EXPECT_EQ(record.contents.found, keys);
      u64 cleaned = 0, larger = 0;
      for (const script_batch_record& batch : record.batches) {
        EXPECT_EQ(batch.counts.full, 0u);
        EXPECT_EQ(stages(batch, "grow"), 0u);
        cleaned += stages(batch, "clean up");
        larger += stages(batch, "empty cells");
      }
      EXPECT_GE(cleaned, rounds / 100);
      EXPECT_LE(larger, 3u) << "a pool that keeps growing";
      const buckets_config c = buckets_config::of(record.index->config());
      EXPECT_EQ(view_of(record).buckets, buckets_for(c, keys));
      EXPECT_LE(view_of(record).in_pool(), 2 * slabs_likely(c, view_of(record).buckets, keys));
    }
  }
}

TEST(kept_duplicates, are_found_matched_and_erased_together) {
  for (const char* layout : all_layouts) {
    SCOPED_TRACE(layout);
    table_on_cpu table(fmt::format("{} slab=4 lanes=1 duplicates=on", layout), {7, 7, 7, 8});
    script s(table.width());
    s.add({operation::matches, 7}), s.add({operation::matches, 8}), s.add({operation::matches, 9});
    for (u64 i = 0; i < 20; ++i) s.add({operation::insert, 7});
    s.add({operation::matches, 7}), s.add({operation::find, 7});
    s.add({operation::erase, 7});
    s.add({operation::matches, 7}), s.add({operation::find, 7}), s.add({operation::find, 8});
    const script_record record = table.run(s);
    EXPECT_EQ(record.batches[1].counts, (write_counts{.added = 20}));
    EXPECT_EQ(record.batches[4].counts, (write_counts{.erased = 1})) << "of 23 entries";
    EXPECT_EQ(record.contents.found, 1u);
  }
}

TEST(chains, hold_what_the_oracle_says_at_every_size_of_batch) {
  int ran = 0;
  testing::check_whole_space(0, ran, [&] {
    const std::string layout =
        *rc::gen::element<std::string>(all_layouts[0], all_layouts[1], all_layouts[2], all_layouts[3]);
    const auto sizes = *rc::gen::container<std::vector<u32>>(rc::gen::inRange<u32>(1, 100));
    const std::string line =
        fmt::format("{} load={} slab={} lanes=1 duplicates={} grow={}", layout, *rc::gen::inRange(30, 401),
                    *rc::gen::element(4, 8), *rc::gen::element("on", "off"), *rc::gen::element("on", "off"));
    const index_config config = *config_from_line(line);
    const u64 greatest = config.keys == key_width::u32 ? greatest_key<u32>() : greatest_key<u64>();
    table_on_cpu table(line, {1, 2, 3});
    ++ran;
    script s(config.keys);
    u64 next = 0;
    for (const u32 size : sizes) {
      if (size % 16 == 0) s.add(size % 32 == 0 ? maintenance::clear : maintenance::rebuild);
      for (u32 i = 0; i < size; ++i, ++next)
        s.add({operation::insert, next % 3 == 0 ? greatest - next : next * 7919 % 500});
      s.add({operation::find, greatest});
      for (u32 i = 0; i < size / 2; ++i) s.add({operation::erase, (next + i) * 7919 % 500});
      s.add({operation::matches, next * 7919 % 500});
    }
    table.run(s);
  });
  EXPECT_GT(ran, 0);
}

}  // namespace
}  // namespace pivotscope
