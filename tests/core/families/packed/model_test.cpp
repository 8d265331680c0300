// What views ask of a packed index: which node leads to which, its buckets and their fill, its build, its blocks in few words.
#include "core/families/packed/packed_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <numeric>

#include "core/families/packed/descent.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/hard_keys.hpp"

namespace pivotscope {
namespace {

region_reader bytes_of(const built_index& index) {
  return [&index](region_id region, u64 byte, std::span<std::byte> out) { return index.read(region, byte, out).ok(); };
}

// Every step of a lookup goes along a link, or to the leaf before.
TEST(packed_model_of_views, lookups_go_along_links) {
  u64 ways = 0, beside = 0;
  for (const auto& set : testing::all_hard_keys<u32>(2000, 21)) {
    SCOPED_TRACE(set.name);
    const auto index = testing::build_on_cpu(testing::config_of("PACKED block=32 fill=180"), key_array(set.keys));
    const auto model = model_of(*index);
    const std::vector<tree_node> nodes = model->nodes();
    std::vector<node_link> links;
    ASSERT_TRUE(model->links_of(nodes, bytes_of(*index), links));
    std::vector<bool> led_to(nodes.size());
    for (const node_link& link : links) led_to[link.to] = true;
    for (std::size_t i = 0; i < nodes.size(); ++i) ASSERT_EQ(led_to[i], nodes[i].level > 0) << i;
    const auto node_of = [&](const trace_step& step) -> u64 {
      const cell_ref at = step.compared.empty() ? cell_ref{step.accesses.front().array, step.accesses.front().slot}
                                                : cell_ref{step.compared.front().array, step.compared.front().slot};
      const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const tree_node& node) {
        return node.region == at.region && at.cell >= node.first && at.cell < node.first + node.cells;
      });
      EXPECT_NE(found, nodes.end());
      return static_cast<u64>(found - nodes.begin());
    };
    for (const u32 key : testing::asked_of(set.keys, 30, 5)) {
      const auto trace = trace_lookup(*index, key);
      ASSERT_TRUE(trace.ok());
      for (std::size_t i = 1; i < trace->steps.size(); ++i) {
        const u64 from = node_of(trace->steps[i - 1]), to = node_of(trace->steps[i]);
        if (nodes[from].level == nodes[to].level) {
          ASSERT_LE(from - to, 1u) << key;
          beside += from != to;
          continue;
        }
        ++ways;
        ASSERT_TRUE(
            std::any_of(links.begin(), links.end(), [&](const node_link& l) { return l.from == from && l.to == to; }))
            << key << ": " << from << " to " << to;
      }
    }
  }
  EXPECT_GT(ways, 5000u);
  EXPECT_GT(beside, 50u);
}

// All leaves but the first begin in some bucket; how many in which follows from their first keys.
TEST(packed_model_of_views, buckets_have_the_leaves_that_begin_in_them) {
  u64 kinds[5] = {}, empty_ranges = 0;
  const auto sets = testing::all_hard_keys<u64>(3000, 22);
  for (std::size_t i = 0; i < 2 * sets.size(); ++i) {
    const auto& set = sets[i / 2];
    SCOPED_TRACE(set.name);
    const bool large = i % 2 == 1;
    const auto index = testing::build_on_cpu(
        testing::config_of(large ? "PACKED keys=u64 block=32 fill=280" : "PACKED keys=u64"), key_array(set.keys));
    const auto model = model_of(*index);
    const reference truth{key_array(set.keys)};
    const auto parts = model->fill();
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->room, large ? 48u : 12u);
    std::vector<part_fill> fills(parts->count);
    ASSERT_TRUE(model->fills_of(0, bytes_of(*index), fills));
    std::vector<u64> begin(parts->count);
    const u64 entries = leaf_entries(packed_config::of(index->config()));
    for (u64 leaf = 1; leaf * entries < set.keys.size(); ++leaf)
      ++begin[*model->part_of(truth.key_at_rank(leaf * entries), {})];
    for (u64 part = 0; part < parts->count; ++part) {
      ASSERT_EQ(fills[part].filled, begin[part]) << part;
      if (fills[part].kind == 0) {
        ASSERT_LE(fills[part].filled, large ? 28u : 12u) << part;
      }
      if (fills[part].filled > parts->room) {
        ASSERT_GE(fills[part].kind, large ? 2u : 1u) << part;
      }
      ++kinds[fills[part].kind];
      empty_ranges += !model->keys_of_part(part);
      const std::string words = model->part_words(part, bytes_of(*index));
      ASSERT_NE(words.find("Prefix block " + std::to_string(part)), std::string::npos) << words;
      unsigned long long cut = 0, first = 0, last = 0;
      if (const auto at = words.find("is cut into "); at != std::string::npos) {
        ASSERT_EQ(
            std::sscanf(words.c_str() + at, "is cut into %llu buckets, with blocks %llu to %llu.", &cut, &first, &last),
            3)
            << words;
        ASSERT_EQ(last - first + 1, cut) << words;
      }
    }
    const u64 least = truth.key_at_rank(0), greatest = truth.key_at_rank(set.keys.size() - 1);
    EXPECT_EQ(model->part_of(least - 1, {}).has_value(), least == 0 && greatest == greatest_key<u64>());
    EXPECT_EQ(model->part_of(greatest + 1, {}).has_value(), least == 0 && greatest == greatest_key<u64>());
  }
  for (const u64 kind : kinds) EXPECT_GT(kind, 0u);
  EXPECT_GT(empty_ranges, 0u) << "more buckets than values";
}

// A page of blocks is enough for its buckets, but where the last of them is a node.
TEST(packed_model_of_views, buckets_are_told_by_their_own_blocks) {
  for (const char* line : {"PACKED", "PACKED block=32 fill=280"}) {
    const auto index =
        testing::build_on_cpu(testing::config_of(line), key_array(testing::all_hard_keys<u32>(20'000, 5)[0].keys));
    const auto model = model_of(*index);
    const u64 block = packed_config::of(index->config()).block;
    u64 nodes = 0;
    for (u64 part = 0; part + 4 <= model->fill()->count; part += 4) {
      std::vector<part_fill> four(4);
      const bool done = model->fills_of(
          part,
          [&](region_id region, u64 byte, std::span<std::byte> out) {
            return byte >= part * block && byte + out.size() <= (part + 4) * block &&
                   index->read(region, byte, out).ok();
          },
          four);
      nodes += !done;
      if (done) continue;
      ASSERT_TRUE(model->fills_of(part, bytes_of(*index), four));
      ASSERT_EQ(model->fill()->kinds[four.back().kind].name, "node") << part;
    }
    EXPECT_LE(nodes, model->fill()->count / 20) << line;
  }
}

TEST(packed_model_of_views, says_how_many_leaves_of_a_bucket_are_escaped) {
  u64 told = 0, escaped = 0;
  for (const auto& set : testing::all_hard_keys<u32>(20'000, 23)) {
    const auto index =
        testing::build_on_cpu(testing::config_of("PACKED lanes=1 fill=200 block=32"), key_array(set.keys));
    const auto model = model_of(*index);
    escaped += index->state_as<packed_view>().escapes;
    for (u64 part = 0; part < model->fill()->count; ++part)
      told += model->part_words(part, bytes_of(*index)).find("escaped") != std::string::npos;
  }
  EXPECT_GT(escaped, 100u);
  EXPECT_GT(told, 20u);
}

TEST(packed_model_of_views, blocks_in_few_words) {
  u64 shorter = 0;
  for (const auto& set : testing::all_hard_keys<u32>(3000, 24)) {
    const auto index = testing::build_on_cpu(testing::config_of("PACKED"), key_array(set.keys));
    const auto model = model_of(*index);
    for (u64 block = 0; block < model->region(packed_region::blocks).cells; ++block) {
      const std::string words = model->words_of({packed_region::blocks, block}, bytes_of(*index));
      const std::string brief = model->brief_of({packed_region::blocks, block}, bytes_of(*index));
      ASSERT_FALSE(brief.empty());
      ASSERT_LE(brief.size() + 3, words.size()) << brief << ", " << words;
      shorter += brief.find('-') != std::string::npos;
    }
    EXPECT_EQ(model->brief_of({main_region, 0}, bytes_of(*index)), "");
  }
  EXPECT_GT(shorter, 300u);
}

// The passes say which block is whose: those of nodes by level, and the bucket's keys of the others.
TEST(packed_model_of_views, tells_its_build) {
  const auto sets = testing::all_hard_keys<u32>(3000, 25);
  u64 escapes = 0, lists = 0, below_nodes = 0;
  for (const auto& set : sets) {
    SCOPED_TRACE(set.name);
    const auto index = testing::build_on_cpu(testing::config_of("PACKED"), key_array(set.keys));
    const auto model = model_of(*index);
    const auto passes = model->build_passes();
    const packed_view& view = index->state_as<packed_view>();
    ASSERT_EQ(passes.size(), 2u + (view.listed > 0 ? 1 : 0) + (view.escapes > 0 ? 1 : 0));
    escapes += view.escapes > 0, lists += view.listed > 0;
    EXPECT_EQ(passes[1].levels.size() + 1 + (view.escapes > 0 ? 1 : 0), model->levels());
    for (u64 block = 0; block < passes[1].slots; ++block) {
      const build_step step = model->step_of_build(1, block);
      const auto level = static_cast<u64>(std::upper_bound(passes[1].levels.begin(), passes[1].levels.end(), block) -
                                          passes[1].levels.begin()) -
                         1;
      ASSERT_EQ(step.level, level) << block;
      ASSERT_EQ(step.words.find("below a node") != std::string::npos, level > 0);
      if (level > 0) {
        const std::string who = fmt::format("A block of level {}, below a node: thread {} of that level's pass", level,
                                            block - passes[1].levels[level]);
        ASSERT_TRUE(step.words.starts_with(who)) << step.words;
      }
      below_nodes += level > 0;
    }
    EXPECT_EQ(model->step_of_build(0, 30).terms.back().numbers, "12 \u00D7 2 + 6");
  }
  EXPECT_GT(escapes, 0u);
  EXPECT_GT(lists, 0u);
  EXPECT_GT(below_nodes, 100u);
}

}  // namespace
}  // namespace pivotscope
