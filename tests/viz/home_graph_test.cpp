// The graph of the lesson's table: 20 buckets of one cell, two homes, the keys 0 to 8.
#include "viz/models/home_graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/index/index_reader.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

struct lesson_table {
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;

  explicit lesson_table(const char* line = "HT+CUCKOO lanes=1 bucket=1 homes=2 load=45", u64 keys = 9) {
    const workload load{.keys = keys, .dist = distribution::dense};
    const index_config config = testing::config_of(line);
    index = testing::build_on_cpu(config, *make_keys(load, config.keys));
    model = model_of(*index);
  }
  const homes_model& homes() const { return *with_homes(*model); }
  region_reader read() const { return index_reader(*index); }
  home_graph graph(const lookup_trace& trace, const graph_bounds& bounds = {}) const {
    auto made = make_home_graph(*model, homes(), read(), trace, bounds);
    EXPECT_TRUE(made.has_value());
    EXPECT_TRUE(fill_home_graph(*made, *model, homes(), read()));
    return *made;
  }
  std::string words(u64 key) const {
    return room_words(graph(*trace_lookup(*index, key)), *search_room(*model, homes(), read(), key),
                      homes().stash_of_key(key).has_value());
  }
};

std::vector<u64> keys_that_move(const lookup_trace& trace, u32 step) {
  std::vector<u64> keys;
  for (const eviction& one : evictions_of(trace, step)) keys.push_back(one.key);
  return keys;
}

TEST(home_graph, has_the_way_of_the_lesson) {
  const lesson_table t;
  const lookup_trace trace = *trace_write(*t.index, operation::insert, 29);
  ASSERT_EQ(trace.steps.size(), 9u);
  EXPECT_EQ(keys_that_move(trace, 3), (std::vector<u64>{})) << "its homes are looked at twice";
  EXPECT_EQ(keys_that_move(trace, 4), (std::vector<u64>{2}));
  EXPECT_EQ(keys_that_move(trace, 6), (std::vector<u64>{2, 5, 7}));
  EXPECT_EQ(keys_that_move(trace, 8), (std::vector<u64>{2, 5, 7, 1, 6}));
  const home_graph graph = t.graph(trace);
  EXPECT_TRUE(graph.is_whole());
  EXPECT_EQ(graph.edges.size(), 9u);
  // It goes from one home to the other, and from there each bucket stands a row below the one before.
  const std::vector<eviction> way = evictions_of(trace, 8);
  for (u32 i = 0; i < way.size(); ++i) EXPECT_EQ(graph.buckets[*graph.find(way[i].to)].row, i) << i;
  EXPECT_EQ(graph.buckets[*graph.find(way.back().to)].room(), 1u);
}

TEST(home_graph, says_where_there_is_room) {
  const lesson_table t;
  EXPECT_EQ(t.words(3), "3 lies in bucket 10.");
  EXPECT_EQ(t.words(31), "All homes of 31 are full; the nearest room is 1 move away.");
  EXPECT_EQ(t.words(29), "All homes of 29 are full; the nearest room is 4 moves away.");
}

// A key looked for whose cells are all in a circle. The nodes are two buckets that two keys of them have as homes.
TEST(home_graph, says_that_a_third_key_of_two_buckets_never_fits) {
  const lesson_table t;
  // 12, 22 and 63 have the homes 4 and 9 (the lesson). With two of them in, no arrangement takes the third.
  const auto homes = t.homes().homes_of_key(12);
  EXPECT_EQ(t.homes().homes_of_key(22).size(), 2u);
  const std::set<u64> both(homes.begin(), homes.end());
  for (const u64 key : {u64{22}, u64{63}}) {
    const auto its = t.homes().homes_of_key(key);
    EXPECT_EQ(std::set<u64>(its.begin(), its.end()), both);
  }
  const auto cpu = open_machine(machine_kind::cpu);
  script s(key_width::u32);
  s.add({operation::insert, 12}), s.add({operation::insert, 22});
  const auto changed = (*cpu)->update(*t.index, s, 0, {}, {});
  ASSERT_TRUE(changed.ok());
  lesson_table after;
  after.index = changed->index, after.model = model_of(*after.index);
  ASSERT_EQ(after.homes().homes_of_key(12), homes) << "with the same hash functions";
  EXPECT_EQ(after.words(63),
            "63 never fits: 2 cells are full, and the 2 keys there have no home elsewhere. Only the stash is left.");
}

TEST(home_graph, of_a_large_table_is_what_lies_about_the_homes) {
  const lesson_table t("HT+CUCKOO", 20000);
  const home_graph graph = t.graph(*trace_lookup(*t.index, 777), {.buckets = 12, .rows = 8});
  EXPECT_FALSE(graph.is_whole());
  EXPECT_EQ(graph.buckets.size(), 12u);
  EXPECT_EQ(graph.rows, 2u) << "the homes, and what is nearest";
  for (const graph_bucket& bucket : graph.buckets) EXPECT_TRUE(bucket.is_reached);
}

}  // namespace
}  // namespace pivotscope::viz
