// What a workload's part has no effect without: the table is true of what is made, both ways.
#include "core/workload/field_needs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "core/workload/batch.hpp"
#include "core/workload/make_script.hpp"
#include "core/workload/script_text.hpp"

namespace pivotscope {
namespace {

// Each value of any kind, whether it has an effect or not.
workload any_workload() {
  workload w;
  const auto kinds = static_cast<u64>(distribution_names().size());
  w.dist = static_cast<distribution>(*rc::gen::inRange<u64>(0, kinds));
  w.keys = w.dist == distribution::paper ? 14 : *rc::gen::inRange<u64>(0, 300);
  w.uniformity = *rc::gen::element(0.0, 0.3, 1.0);
  w.repeat = *rc::gen::inRange<u32>(1, 50);
  w.seed = *rc::gen::inRange<u64>(0, 1000);
  w.hits = *rc::gen::element(0.0, 0.5, 1.0);
  w.misses = static_cast<miss_place>(*rc::gen::inRange(0, 3));
  w.order = static_cast<lookup_order>(*rc::gen::inRange(0, 3));
  w.displaced = *rc::gen::element(0.0, 0.3, 1.0);
  w.distance = *rc::gen::inRange<u64>(2, 100);
  w.popular = static_cast<popularity>(*rc::gen::inRange(0, 3));
  w.exponent = *rc::gen::element(0.0, 0.7, 1.0, 5.0);
  w.hot_keys = *rc::gen::element(0.0, 0.1, 1.0);
  w.hot_lookups = *rc::gen::element(0.0, 0.9, 1.0);
  w.range_hits = *rc::gen::inRange<u64>(0, 20);
  set_batch_size(w, *rc::gen::element(operation::find, operation::range, operation::successor),
                 *rc::gen::element<u64>(0, 1, 40));
  w.recipe = {.inserts = *rc::gen::element<u64>(0, 9), .erases = *rc::gen::element<u64>(0, 9)};
  w.recipe.mix = *rc::gen::element(0.0, 0.4, 1.0);
  w.recipe.batch = *rc::gen::element<u64>(3, 8, 1 << 20);
  return w;
}

std::string words_of(const key_array& keys) {
  std::string words;
  for (u64 i = 0; i < keys.size(); ++i) words += std::to_string(keys[i]) + " ";
  return words;
}

// All that a workload makes, or why it makes none.
std::string made_of(const workload& w) {
  const outcome<key_array> keys = make_keys(w, key_width::u32);
  if (!keys) return keys.error().words;
  std::string all = words_of(*keys);
  if (batch_size(w) != 0) {
    const outcome<batch> asked = make_batch(w, *keys);
    all += asked ? "/ " + words_of(asked->keys) + "/ " + words_of(asked->highs) : asked.error().words;
  }
  if (w.recipe == script_recipe{}) return all;
  const outcome<script> written = make_script(*keys, w);
  if (!written) return all + written.error().words;
  return all + to_text(*written);
}

RC_GTEST_PROP(FieldNeedsProperty, WhatHasNoEffectChangesNothing, ()) {
  const workload w = any_workload(), other = any_workload();
  const workload plain = without_idle(w);
  // A script of no writes is none.
  workload made = w;
  if (plain.recipe == script_recipe{}) made.recipe = {};
  RC_LOG() << to_line(w);
  RC_ASSERT(made_of(made) == made_of(plain));
  RC_ASSERT(without_idle(plain) == plain);
  // Its seed and its share of hits stand in each line, and so stay.
  workload changed = plain;
  for (const field_need& need : field_needs()) {
    if (need.reset || need.counts(w)) continue;
    if (need.field == "seed") changed.seed = other.seed;
    if (need.field == "hits") changed.hits = other.hits;
  }
  RC_ASSERT(made_of(changed) == made_of(plain));
}

RC_GTEST_PROP(FieldNeedsProperty, LinesHaveOnlyWhatHasAnEffect, ()) {
  const workload w = any_workload();
  const std::string line = to_line(w);
  outcome<workload_parts> parts = workload_parts_from_line(line);
  RC_ASSERT(parts.ok());
  RC_ASSERT(drop_idle(*parts).empty());
  RC_ASSERT(parts->load == without_idle(w));
}

// Of each part a line in which it changes what is made, and the same with the part as it is not needed.
struct sample {
  const char *field, *with, *other, *idle;
};
constexpr sample samples[] = {
    {"seed", "keys=50 seed=1", "keys=50 seed=2", nullptr},
    {"hits", "keys=50 lookups=20 hits=1", "keys=50 lookups=20 hits=0", nullptr},
    {"uniformity", "keys=50 distribution=mix uniformity=0", "keys=50 distribution=mix uniformity=1",
     "keys=50 uniformity=0.25"},
    {"repeat", "keys=50 distribution=ends repeat=1", "keys=50 distribution=ends repeat=5", "keys=50 repeat=5"},
    {"range_hits", "keys=50 ranges=5 range_hits=1", "keys=50 ranges=5 range_hits=9", "keys=50 range_hits=9"},
    {"misses", "keys=50 hits=0 misses=inside", "keys=50 hits=0 misses=outside", "keys=50 misses=inside"},
    {"order", "keys=50 order=sorted", "keys=50 order=random", "keys=50 lookups=0 order=sorted"},
    {"displaced", "keys=50 order=nearly displaced=0", "keys=50 order=nearly displaced=1", "keys=50 displaced=0.5"},
    {"distance", "keys=50 order=nearly displaced=1 distance=2", "keys=50 order=nearly displaced=1 distance=60",
     "keys=50 order=sorted distance=60"},
    {"popularity", "keys=50 popularity=zipf", "keys=50 popularity=uniform", "keys=50 hits=0 popularity=zipf"},
    {"popularity", "keys=50 inserts=9 popularity=zipf exponent=5", "keys=50 inserts=9", nullptr},
    {"exponent", "keys=50 popularity=zipf exponent=0.5", "keys=50 popularity=zipf exponent=3",
     "keys=50 popularity=hot exponent=3"},
    {"exponent", "keys=50 distribution=zipf exponent=0.5", "keys=50 distribution=zipf exponent=3",
     "keys=50 distribution=duplicates exponent=3"},
    {"hot_keys", "keys=50 popularity=hot hot_keys=0.1", "keys=50 popularity=hot hot_keys=0.9", "keys=50 hot_keys=0.9"},
    {"hot_lookups", "keys=50 popularity=hot hot_lookups=0.1", "keys=50 popularity=hot hot_lookups=0.9",
     "keys=50 hot_lookups=0.1"},
    {"mix", "keys=50 inserts=9 mix=0.2", "keys=50 inserts=9 mix=1", "keys=50 inserts=0 erases=0 mix=0.5"},
    {"batch", "keys=50 inserts=9 mix=0.5 batch=2", "keys=50 inserts=9 mix=0.5 batch=8", "keys=50 batch=8"},
    {"batch", "keys=50 inserts=9 batch=2", "keys=50 inserts=9", nullptr},
};

TEST(field_needs, are_those_of_every_part_that_needs_another) {
  std::set<std::string_view> sampled, table;
  for (const sample& one : samples) {
    SCOPED_TRACE(one.field);
    sampled.insert(one.field);
    EXPECT_NE(made_of(*workload_from_line(one.with)), made_of(*workload_from_line(one.other)));
    if (!one.idle) continue;
    outcome<workload_parts> parts = workload_parts_from_line(one.idle);
    ASSERT_TRUE(parts.ok());
    const std::vector<std::string> words = drop_idle(*parts);
    ASSERT_EQ(words.size(), 1u);
    EXPECT_TRUE(words[0].starts_with(std::string(one.field) + " has no effect without ")) << words[0];
    EXPECT_TRUE(words[0].ends_with(": it is left out")) << words[0];
    EXPECT_EQ(parts->load, *workload_from_line(one.idle));
  }
  for (const field_need& need : field_needs()) EXPECT_TRUE(table.insert(need.field).second) << need.field;
  EXPECT_EQ(sampled, table);
}

}  // namespace
}  // namespace pivotscope
