// Made scripts: what is inserted, erased and found, and how much of it.
#include "core/workload/make_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/workload/script_text.hpp"
#include "tests/support/file_tree.hpp"

namespace pivotscope {
namespace {

workload made_workload(distribution dist, u64 keys) {
  workload w;
  w.dist = dist;
  w.keys = keys;
  w.lookups = 0;
  return w;
}

script made(workload w, const script_recipe& recipe, key_width width = key_width::u32) {
  w.recipe = recipe;
  const outcome<key_array> keys = make_keys(w, width);
  EXPECT_TRUE(keys.ok());
  outcome<script> s = make_script(*keys, w);
  EXPECT_TRUE(s.ok()) << (s.ok() ? "" : s.error().words);
  return s.ok() ? *s : script();
}

std::vector<u64> keys_of(const script& s, operation what) {
  std::vector<u64> keys;
  for (u64 i = 0; i < s.size(); ++i)
    if (s.verb_of(i) == what) keys.push_back(s[i].key);
  return keys;
}

std::set<u64> values_of(const workload& w, key_width width) {
  const outcome<key_array> keys = make_keys(w, width);
  std::set<u64> values;
  for (u64 i = 0; i < keys->size(); ++i) values.insert((*keys)[i]);
  return values;
}

u64 hash_of(std::string_view text) {
  u64 hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

constexpr distribution without_repeats[] = {distribution::uniform, distribution::dense, distribution::mix,
                                            distribution::half, distribution::paper};

TEST(made_script, inserts_keys_that_are_not_in_the_set_where_it_can) {
  for (const distribution dist : without_repeats) {
    for (const key_width width : {key_width::u32, key_width::u64}) {
      const workload w = made_workload(dist, dist == distribution::paper ? 14 : 1000);
      const std::set<u64> before = values_of(w, width);
      const std::vector<u64> inserted = keys_of(made(w, {.inserts = 500}, width), operation::insert);
      EXPECT_EQ(inserted.size(), 500u);
      EXPECT_EQ(std::set<u64>(inserted.begin(), inserted.end()).size(), 500u) << distribution_name(dist);
      for (const u64 key : inserted) EXPECT_FALSE(before.contains(key)) << distribution_name(dist);
    }
  }
}

TEST(made_script, inserts_what_the_set_would_have_next) {
  const auto sorted = [](std::vector<u64> keys) { return std::sort(keys.begin(), keys.end()), keys; };
  EXPECT_EQ(sorted(keys_of(made(made_workload(distribution::dense, 10), {.inserts = 5}), operation::insert)),
            (std::vector<u64>{10, 11, 12, 13, 14}));
  EXPECT_EQ(sorted(keys_of(made(made_workload(distribution::paper, 14), {.inserts = 10}), operation::insert)),
            (std::vector<u64>{0, 2, 5, 8, 15, 18, 19, 20, 21, 22}));
  workload ends = made_workload(distribution::ends, 6);
  ends.repeat = 4;  // 0 four times, the greatest twice
  EXPECT_EQ(sorted(keys_of(made(ends, {.inserts = 7}), operation::insert)),
            (std::vector<u64>{1, 1, 1, 1, 4294967294, 4294967295, 4294967295}));
  workload repeated = made_workload(distribution::duplicates, 400);
  const std::set<u64> before = values_of(repeated, key_width::u64);
  u64 again = 0;
  for (const u64 key : keys_of(made(repeated, {.inserts = 400}, key_width::u64), operation::insert))
    again += before.contains(key);
  EXPECT_GT(again, 380u);  // but for values that no key happened to have
}

// From nothing the inserts are the workload's keys.
TEST(made_script, may_insert_the_whole_set) {
  for (const distribution dist :
       {distribution::uniform, distribution::dense, distribution::mix, distribution::duplicates, distribution::ends,
        distribution::narrow, distribution::gaps, distribution::clusters, distribution::nested, distribution::crowds,
        distribution::span, distribution::zipf}) {
    std::vector<u64> inserted = keys_of(made(made_workload(dist, 0), {.inserts = 300}), operation::insert);
    const outcome<key_array> keys = make_keys(made_workload(dist, 300), key_width::u32);
    std::vector<u64> all;
    for (u64 i = 0; i < keys->size(); ++i) all.push_back((*keys)[i]);
    std::sort(inserted.begin(), inserted.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(inserted, all) << distribution_name(dist);
  }
}

TEST(made_script, erases_each_row_once_before_it_begins_anew) {
  const workload w = made_workload(distribution::uniform, 100);
  const script s = made(w, {.inserts = 20, .erases = 120});
  ASSERT_EQ(s.batches().size(), 2u);
  const std::vector<u64> erased = keys_of(s, operation::erase);
  std::set<u64> rows = values_of(w, key_width::u32);
  for (const u64 key : keys_of(s, operation::insert)) rows.insert(key);
  EXPECT_EQ(std::set<u64>(erased.begin(), erased.end()), rows);
  EXPECT_EQ(keys_of(made(w, {.erases = 250}), operation::erase).size(), 250u);
}

TEST(made_script, hits_with_the_workloads_chance_and_misses_for_certain) {
  for (const distribution dist :
       {distribution::uniform, distribution::dense, distribution::mix, distribution::duplicates, distribution::ends,
        distribution::narrow, distribution::gaps, distribution::clusters, distribution::nested, distribution::crowds,
        distribution::span, distribution::half, distribution::paper, distribution::zipf}) {
    workload w = made_workload(dist, dist == distribution::paper ? 14 : 1000);
    w.lookups = 4000;
    for (const double hits : {0.0, 0.25, 1.0}) {
      w.hits = hits;
      const script s = made(w, {.inserts = 200, .erases = 4000});
      std::set<u64> rows = values_of(w, key_width::u32);
      for (const u64 key : keys_of(s, operation::insert)) rows.insert(key);
      for (const operation what : {operation::erase, operation::find}) {
        const std::vector<u64> keys = keys_of(s, what);
        EXPECT_EQ(keys.size(), 4000u);
        const auto hit = std::count_if(keys.begin(), keys.end(), [&](u64 key) { return rows.contains(key); });
        EXPECT_NEAR(static_cast<double>(hit), hits * 4000, hits == 0.25 ? 200 : 0) << distribution_name(dist);
      }
    }
  }
}

TEST(made_script, has_the_share_of_writes_in_mixed_batches) {
  workload w = made_workload(distribution::uniform, 1000);
  w.lookups = 50;
  const script s = made(w, {.inserts = 300, .erases = 100, .mix = 0.2, .batch = 600});
  ASSERT_EQ(s.batches().size(), 5u);
  for (u64 b = 0; b < 4; ++b) {
    EXPECT_TRUE(s.batches()[b].mixed);
    EXPECT_EQ(s.batches()[b].size(), b < 3 ? 600u : 200u);
  }
  EXPECT_FALSE(s.batches()[4].mixed);
  EXPECT_EQ(s.batches()[4].size(), 50u);
  EXPECT_EQ(s.inserts(), 300u);
  EXPECT_EQ(keys_of(s, operation::erase).size(), 100u);
  EXPECT_EQ(keys_of(s, operation::find).size(), 1600u + 50);
  // In each batch about so many of each, in no order that is seen.
  std::map<operation, u64> in_first;
  u64 changes = 0;
  for (u64 i = 0; i < 600; ++i) {
    ++in_first[s.verb_of(i)];
    changes += i > 0 && s.verb_of(i) != s.verb_of(i - 1) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(in_first[operation::insert]), 90, 35);
  EXPECT_NEAR(static_cast<double>(in_first[operation::erase]), 30, 25);
  EXPECT_GT(changes, 120u);
}

// Batch after batch of one verb: the last one of each has what is left, and no batch has both.
TEST(made_script, brings_inserts_and_erases_in_waves) {
  const script s = made(made_workload(distribution::uniform, 100), {.inserts = 25, .erases = 12, .batch = 10});
  const std::vector<u64> ends = {10, 20, 25, 35, 37};
  ASSERT_EQ(s.batches().size(), ends.size());
  for (std::size_t b = 0; b < ends.size(); ++b) {
    const script_batch& batch = s.batches()[b];
    EXPECT_EQ(batch.begin, b == 0 ? 0 : ends[b - 1]);
    EXPECT_EQ(batch.end, ends[b]);
    for (u64 i = batch.begin; i < batch.end; ++i)
      EXPECT_EQ(s.verb_of(i), b < 3 ? operation::insert : operation::erase) << i;
  }
  const script whole = made(made_workload(distribution::uniform, 100), {.inserts = 25, .erases = 12});
  EXPECT_EQ(whole.batches().size(), 2u);
  for (u64 i = 0; i < s.size(); ++i) EXPECT_EQ(whole[i].key, s[i].key) << "waves change no operation";
}

TEST(made_script, of_writes_alone_may_be_mixed) {
  const script s = made(made_workload(distribution::dense, 10), {.inserts = 5, .erases = 5, .mix = 1});
  ASSERT_EQ(s.batches().size(), 1u);
  EXPECT_TRUE(s.batches()[0].mixed);
  EXPECT_EQ(s.size(), 10u);
}

TEST(made_script, ends_with_the_workloads_own_batch) {
  workload w = made_workload(distribution::dense, 100);
  w.ranges = 30;
  w.range_hits = 4;
  const script s = made(w, {.inserts = 5, .mix = 0.5});
  ASSERT_EQ(s.batches().size(), 2u);
  EXPECT_EQ(s.batches()[1].size(), 30u);
  for (u64 i = 10; i < 40; ++i) EXPECT_EQ(s[i].high - s[i].key, 3u);
  w.ranges = 0;
  w.successors = 20;
  const script next = made(w, {.inserts = 5});
  ASSERT_EQ(next.batches().size(), 2u);
  EXPECT_EQ(keys_of(next, operation::successor).size(), 20u);
  workload own = made_workload(distribution::dense, 100);
  own.own_batch.numbers.list = {7, 700};
  own.lookups = 2;
  const script asked = made(own, {.erases = 1});
  EXPECT_EQ(keys_of(asked, operation::find), (std::vector<u64>{7, 700}));
}

TEST(made_script, goes_over_keys_of_ones_own) {
  workload w = made_workload(distribution::uniform, 3);
  w.own_keys.list = {4, 9, 4294967295};
  w.lookups = 100;
  w.hits = 0.5;
  const script s = made(w, {.inserts = 1000, .erases = 100});
  const std::vector<u64> inserted = keys_of(s, operation::insert);
  std::set<u64> rows(inserted.begin(), inserted.end());
  EXPECT_EQ(rows.size(), 1000u);
  for (const u64 key : {4ull, 9ull, 4294967295ull}) EXPECT_TRUE(rows.insert(key).second);
  const std::vector<u64> found = keys_of(s, operation::find);
  EXPECT_NEAR(static_cast<double>(std::count_if(found.begin(), found.end(), [&](u64 k) { return rows.contains(k); })),
              50, 30);
}

script own_script(const workload& w, const own_operations& own, key_width width = key_width::u32) {
  workload with = w;
  with.own_script = own;
  const outcome<key_array> keys = make_keys(with, width);
  EXPECT_TRUE(keys.ok());
  outcome<script> s = make_script(*keys, with);
  EXPECT_TRUE(s.ok()) << (s.ok() ? "" : s.error().words);
  return s.ok() ? *s : script();
}

TEST(made_script, may_be_ones_own_with_the_workloads_batch_behind_it) {
  const file_tree tree;
  workload w = made_workload(distribution::dense, 10);
  const std::string file = tree.write("s", "insert 5\nerase 7\n").string();
  for (const own_operations& own : {own_operations{.list = "+5/-7"}, own_operations{.file = file}}) {
    w.lookups = 0;
    EXPECT_EQ(to_text(own_script(w, own)), "insert 5\nerase 7\n");
    w.lookups = 20;
    const script s = own_script(w, own, key_width::u64);
    ASSERT_EQ(s.batches().size(), 3u);
    EXPECT_EQ(keys_of(s, operation::find).size(), 20u);
    for (const u64 key : keys_of(s, operation::find)) EXPECT_LT(key, 10u);
  }
  w.lookups = 0;
  w.ranges = 2;
  w.range_hits = 3;
  const script s = own_script(w, {.list = "+5"});
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[1].high - s[1].key, 2u);
}

TEST(made_script, of_nothing_is_empty) {
  EXPECT_EQ(made(made_workload(distribution::uniform, 0), {}).size(), 0u);
  const script s = made(made_workload(distribution::uniform, 0), {.erases = 3, .mix = 0.5});
  EXPECT_EQ(s.size(), 6u);
}

TEST(made_script, is_the_same_everywhere) {
  workload w = made_workload(distribution::mix, 1000);
  w.lookups = 100;
  w.hits = 0.75;
  EXPECT_EQ(hash_of(to_text(made(w, {.inserts = 300, .erases = 200}))), 1360413035776225734u);
  EXPECT_EQ(hash_of(to_text(made(w, {.inserts = 300, .erases = 200, .mix = 0.3}, key_width::u64))),
            6096119726973281257u);
  w.seed = 2;
  EXPECT_EQ(hash_of(to_text(made(w, {.inserts = 300, .erases = 200, .mix = 0.3}, key_width::u64))),
            7302802074717996552u);
}

TEST(made_script, refuses_in_words) {
  const auto words = [](const script_recipe& recipe, u64 keys) { return check(recipe, keys).value_or(""); };
  EXPECT_EQ(words({.inserts = max_rows}, 0), "");
  EXPECT_EQ(words({.inserts = max_rows}, 1),
            "1 keys and 4294967293 inserts are more than 4294967293 = 2^32 - 3 rows: row ids are 32 bits wide; insert "
            "fewer");
  EXPECT_EQ(words({.erases = max_lookups + 1}, 0), "erases=4294967297 is above the limit, 4294967296");
  EXPECT_EQ(words({.mix = 1.5}, 0), "mix=1.5 is not between 0 and 1");
  EXPECT_EQ(words({.inserts = 10, .mix = 1e-9}, 0),
            "mix=1e-09 takes more than 4294967296 finds for 10 writes; take a greater share, or fewer writes");
  EXPECT_EQ(words({.inserts = 10, .mix = 5e-324}, 0).substr(0, 3), "mix");
}

TEST(made_script, refuses_more_rows_than_there_are_and_files_that_are_not_there) {
  workload w = made_workload(distribution::dense, 1);
  const outcome<key_array> keys = make_keys(w, key_width::u32);
  w.own_script.file = "/nowhere/script.txt";
  EXPECT_FALSE(make_script(*keys, w).ok());
  w.own_script = {.list = "+4294967296"};
  EXPECT_EQ(make_script(*keys, w).error().words,
            "script: '4294967296' is too great for keys=u32, whose keys end at 4294967295; take keys=u64 in the config "
            "for greater ones");
}

TEST(made_script, stops_when_cancelled) {
  job_control control;
  control.cancel();
  workload w = made_workload(distribution::uniform, 10);
  w.recipe.inserts = 10;
  const outcome<key_array> keys = make_keys(w, key_width::u32);
  const outcome<script> s = make_script(*keys, w, control);
  ASSERT_FALSE(s.ok());
  EXPECT_TRUE(s.error().cancelled);
}

}  // namespace
}  // namespace pivotscope
