// `packed` over key sets that are hard for it: every answer, and every entry as it is decoded from its bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "core/families/packed/build.hpp"
#include "core/families/packed/building.hpp"
#include "core/families/packed/packed_model.hpp"
#include "core/index/check.hpp"
#include "core/machine/trace/trace.hpp"
#include "core/workload/workload.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/hard_keys.hpp"

namespace pivotscope {
namespace {

template <class Key>
void expect_entries_decoded(const built_index& index, const std::vector<Key>& keys) {
  const reference truth{key_array(keys)};
  const auto model = model_of(index);
  const region_reader read = [&](region_id region, u64 byte, std::span<std::byte> out) {
    return index.read(region, byte, out).ok();
  };
  for (u64 rank = 0; rank < keys.size(); ++rank) {
    const auto value = model->value_of({main_region, rank}, read);
    ASSERT_TRUE(value);
    ASSERT_EQ(value->key, truth.key_at_rank(rank)) << rank;
    ASSERT_EQ(value->row, truth.row_at_rank(rank)) << rank;
  }
}

struct hard_totals {
  testing::hard_counts asked;
  u64 indexes = 0, levels = 0, escapes = 0, nodes = 0, lists = 0, marks = 0;
};

u64 blocks_of_marks(const built_index& index, const packed_config& config, const packed_view& view) {
  u64 count = 0;
  for (u64 b = 0; b < view.blocks; ++b) {
    u32 header = 0;
    EXPECT_TRUE(
        index.read(packed_region::blocks, b * config.block, std::as_writable_bytes(std::span(&header, 1))).ok());
    count += prefix_block{{header}}.kind() == block_kind::marks;
  }
  return count;
}

template <class Key>
void check_hard(machine& on, index_config config, u64 n, u64 seed, hard_totals& totals) {
  config.keys = sizeof(Key) == 4 ? key_width::u32 : key_width::u64;
  config = nearest_accepted(config, "leaf");
  SCOPED_TRACE(to_line(config) + ", n = " + std::to_string(n));
  for (const auto& set : testing::all_hard_keys<Key>(n, seed)) {
    SCOPED_TRACE(set.name);
    const auto index =
        testing::expect_right<Key>(on, config, set.keys, testing::asked_of(set.keys, 300, seed), totals.asked);
    ASSERT_TRUE(index);
    expect_entries_decoded(*index, set.keys);
    const packed_view view = index->template state_as<packed_view>();
    EXPECT_EQ(index->bytes(packed_region::plan), 0u) << "nothing is left of the plan";
    ++totals.indexes, totals.levels = std::max<u64>(totals.levels, view.levels);
    totals.escapes += view.escapes, totals.nodes += view.levels > 1, totals.lists += view.listed > 0;
    EXPECT_EQ(index->bytes(packed_region::lists), view.listed * sizeof(Key));
    totals.marks += blocks_of_marks(*index, packed_config::of(config), view);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(packed_index, is_right_over_hard_keys_of_every_small_size) {
  const auto cpu = detail::open_cpu();
  hard_totals totals;
  for (const char* line : {"PACKED", "PACKED leaf=32 lanes=1 block=32 fill=220", "PACKED leaf=128 lanes=8 fill=10",
                           "PACKED leaf=32 fill=150"}) {
    for (u64 n : {0, 1, 2, 3, 4, 6, 7, 12, 13, 24, 25, 156, 157, 500, 1023, 1024, 1025}) {
      check_hard<u32>(*cpu, testing::config_of(line), n, n + 1, totals);
      check_hard<u64>(*cpu, testing::config_of(line), n, n + 2, totals);
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(totals.indexes, 4u * 17 * 2 * 18);
  EXPECT_GT(totals.marks, 300u);
  EXPECT_GT(totals.asked.found, 100'000u);
  EXPECT_GT(totals.nodes, 100u);
  EXPECT_GT(totals.lists, 100u);
  EXPECT_GE(totals.levels, 2u);
}

TEST(packed_index, is_right_over_hard_keys_whose_leaves_escape) {
  const auto cpu = detail::open_cpu();
  hard_totals totals;
  for (const char* line :
       {"PACKED", "PACKED lanes=1", "PACKED leaf=32 lanes=2 block=32 fill=220",
        "PACKED leaf=128 lanes=4 fill=250 block=32", "PACKED fill=200", "PACKED leaf=128 block=32 fill=400"}) {
    check_hard<u32>(*cpu, testing::config_of(line), 20'011, 3, totals);
    check_hard<u64>(*cpu, testing::config_of(line), 9'001, 4, totals);
    if (HasFailure()) return;
  }
  EXPECT_EQ(totals.indexes, 6u * 2 * 18);
  EXPECT_GT(totals.marks, 500u);
  EXPECT_GT(totals.escapes, 1000u);
}

// Traces come to the machine's answers, and name the entries that they compare.
TEST(packed_index, traces_are_the_machines) {
  u64 traced = 0, in_full = 0, back = 0;
  for (const auto& set : testing::all_hard_keys<u32>(3000, 9)) {
    SCOPED_TRACE(set.name);
    const auto index = testing::build_on_cpu(testing::config_of("PACKED"), key_array(set.keys));
    ASSERT_TRUE(index);
    const reference truth{key_array(set.keys)};
    for (const u32 key : testing::asked_of(set.keys, 20, 5)) {
      const auto trace = trace_lookup(*index, key);
      ASSERT_TRUE(trace.ok()) << trace.error().words;
      ASSERT_TRUE(truth.accepts(key, trace->row)) << key;
      ++traced;
      u64 leaves = 0;
      for (const trace_step& step : trace->steps) {
        for (const comparison& c : step.compared) ASSERT_EQ(c.key, truth.key_at_rank(c.slot)) << key;
        leaves += !step.compared.empty();
        for (const memory_access& a : step.accesses) in_full += a.array == packed_region::escapes;
      }
      back += leaves > 1;
    }
  }
  EXPECT_GT(traced, 3000u);
  EXPECT_GT(in_full, 0u);
  EXPECT_GT(back, 0u);
}

// Smaller than the sorted entries, at any size that matters.
TEST(packed_index, is_smaller_than_the_sorted_array) {
  for (const u64 n : {u64{1} << 16, u64{1} << 24, u64{1} << 28}) {
    u64 bytes = 0;
    for (const index_region& r : regions_of(testing::config_of("PACKED"), n)) bytes += r.bytes();
    EXPECT_LT(static_cast<double>(bytes), 0.75 * 8 * static_cast<double>(n));
  }
}

// Where keys differ, a lookup goes back over a leaf or two, however many begin side by side.
TEST(packed_index, looks_into_three_leaves_at_most_where_keys_differ) {
  u64 sets = 0, back = 0;
  auto all = testing::all_hard_keys<u32>(3000, 31);
  testing::hard_keys<u32> clusters{"a hundred clusters of thirty", {}};
  for (u32 i = 0; i < 3000; ++i)
    clusters.keys.push_back((i / 30) * 42'000'000 + (i / 30) * (i / 30) * 977 + i % 30 * 7);
  all.push_back(std::move(clusters));
  for (const auto& set : all) {
    std::vector<u32> sorted = set.keys;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) continue;
    SCOPED_TRACE(set.name);
    ++sets;
    const auto index = testing::build_on_cpu(testing::config_of("PACKED leaf=32"), key_array(set.keys));
    ASSERT_TRUE(index);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto trace = trace_lookup(*index, sorted[i]);
      ASSERT_TRUE(trace.ok());
      const auto leaves = std::count_if(trace->steps.begin(), trace->steps.end(),
                                        [](const trace_step& step) { return !step.compared.empty(); });
      ASSERT_LE(leaves, 3) << sorted[i];
      back += leaves > 1;
    }
  }
  EXPECT_GE(sets, 5u);
  EXPECT_GT(back, 20u);
}

// However keys crowd within what is crowded: no more reads on the way to a leaf than halving the leaves would take, and a few.
template <class Key>
void check_depth(const std::string& name, const std::vector<Key>& keys, u64& most, u64& listed) {
  SCOPED_TRACE(name);
  const auto index = testing::build_on_cpu(
      testing::config_of(sizeof(Key) == 4 ? "PACKED lanes=1" : "PACKED lanes=1 keys=u64"), key_array(keys));
  ASSERT_TRUE(index);
  const packed_view view = index->state_as<packed_view>();
  for (std::size_t i = 0; i < keys.size(); i += 97) {
    const auto trace = trace_lookup(*index, keys[i]);
    ASSERT_TRUE(trace.ok());
    u64 reads = 0, of_lists = 0;
    for (const trace_step& step : trace->steps) {
      for (const memory_access& a : step.accesses) {
        reads += a.array == packed_region::blocks || a.array == packed_region::lists;
        of_lists += a.array == packed_region::lists;
      }
    }
    ASSERT_LE(reads, static_cast<u64>(std::bit_width(view.leaves)) + 3) << keys[i];
    most = std::max(most, reads), listed += of_lists > 0;
  }
  EXPECT_LE(view.levels, 5u);
}

TEST(packed_index, skew_within_skew_costs_no_more_than_halving) {
  u64 most = 0, listed = 0;
  for (const auto& set : testing::all_hard_keys<u32>(20'000, 41)) check_depth(set.name, set.keys, most, listed);
  for (const auto& set : testing::all_hard_keys<u64>(20'000, 42)) check_depth(set.name, set.keys, most, listed);
  for (const u64 n : {3'000u, 30'000u}) {
    const workload nested{.keys = n, .dist = distribution::nested};
    const auto narrow = *make_keys(nested, key_width::u32), wide = *make_keys(nested, key_width::u64);
    check_depth("nested", std::vector<u32>(narrow.as<u32>().begin(), narrow.as<u32>().end()), most, listed);
    check_depth("nested", std::vector<u64>(wide.as<u64>().begin(), wide.as<u64>().end()), most, listed);
  }
  EXPECT_GT(most, 6u);
  EXPECT_GT(listed, 500u);
}

// 32 leaves a stretch, most of them in one bucket: a node would part hardly any.
TEST(packed_index, a_few_leaves_too_near_each_other_are_a_list_at_once) {
  const auto keys = *make_keys({.keys = 3000, .dist = distribution::nested}, key_width::u32);
  const packed_view view = testing::build_on_cpu(testing::config_of("PACKED"), keys)->template state_as<packed_view>();
  EXPECT_EQ(view.levels, 1u);
  EXPECT_GT(view.listed, 100u);
}

// So many lists and so many leaves that what they take is added up in groups of groups of groups.
TEST(packed_index, parts_of_many_lists_and_escapes_lie_apart) {
  std::vector<u32> keys;
  for (u32 cluster = 0; cluster < 50'000; ++cluster) {
    for (u32 i = 0; i < 12; ++i) keys.push_back(cluster * 42'000 + i);
  }
  for (u32 far = 129; far < 255; ++far) keys.push_back(far << 24);
  std::vector<u32> asked;
  for (u64 i = 0; i < keys.size(); i += 97) asked.insert(asked.end(), {keys[i], keys[i] + 1});
  testing::hard_counts counts;
  const auto cpu = detail::open_cpu();
  const auto index =
      testing::expect_right<u32>(*cpu, testing::config_of("PACKED leaf=16 lanes=1 fill=10"), keys, asked, counts);
  ASSERT_TRUE(index);
  const packed_view view = index->state_as<packed_view>();
  EXPECT_GT(view.blocks, plan_tile * plan_group * plan_group);
  EXPECT_GT(view.listed, 100'000u);
  EXPECT_GT(view.escapes, 20u);
}

TEST(packed_index, blocks_are_of_one_kind_where_many_would_be_marks) {
  const auto keys = key_array(testing::all_hard_keys<u32>(20'000, 5).front().keys);
  for (const auto& [line, all] : {std::pair{"PACKED fill=130", true},
                                  {"PACKED block=32 fill=280", true},
                                  {"PACKED", false},
                                  {"PACKED block=32 fill=180", false}}) {
    const auto index = testing::build_on_cpu(testing::config_of(line), keys);
    ASSERT_TRUE(index);
    const packed_view view = index->state_as<packed_view>();
    EXPECT_GT(view.blocks, 10u);
    EXPECT_EQ(blocks_of_marks(*index, packed_config::of(index->config()), view), all ? view.blocks : 0u) << line;
  }
}

}  // namespace
}  // namespace pivotscope
