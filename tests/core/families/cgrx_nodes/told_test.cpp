// What views and traces are told of an index of nodes that has changed: chains, fills, and the path of every operation.
#include <gtest/gtest.h>

#include "core/index/family.hpp"
#include "core/index/linked_code.hpp"
#include "core/index/operations.hpp"
#include "tests/core/families/cgrx_nodes/nodes_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::nodes_on_cpu;

// Three buckets; the second and the last have chains, one of which was split in its middle; a node is free.
nodes_on_cpu with_chains() {
  nodes_on_cpu index("CGRX+NODES node=4 x_bits=3 y_bits=2", {3, 5, 40, 41, 80, 81});
  index.insert({10, 11, 12, 13, 14, 90, 91, 92});
  index.insert({20, 21, 22, 6, 7, 2});
  index.erase({90, 91, 92, 81});
  return index;
}

TEST(CgrxNodesTold, TheChainsThatTheOtherTestsAreAbout) {
  const nodes_on_cpu index = with_chains();
  EXPECT_EQ(index.chain_text(0), "0: 2 3 <= 3, 6: 5 6 7 <= 7");
  EXPECT_EQ(index.chain_text(1), "1: 10 11 <= 11, 3: 12 13 <= 13, 4: 14 20 <= 20, 7: 21 22 40 41 <= 47");
  EXPECT_EQ(index.chain_text(2), "2: 80 <= all");
  EXPECT_EQ(index.state().free, 1u);
}

TEST(CgrxNodesTold, LinkedNodesStandInTheOrderOfTheirKeys) {
  const nodes_on_cpu index = with_chains();
  const cgrx_nodes_model model = index.model();
  const index_reader reader(index.index());
  std::vector<tree_node> nodes = model.nodes();
  ASSERT_TRUE(model.arrange(nodes, reader));
  ASSERT_EQ(nodes.size(), model.node_count());
  std::vector<u64> linked;
  double last = 0;
  for (const tree_node& node : nodes) {
    if (!node.id || node.level + 1 != model.levels()) continue;
    linked.push_back(*node.id);
    EXPECT_GT(node.middle, last);
    last = node.middle;
  }
  EXPECT_EQ(linked, (std::vector<u64>{6, 3, 4, 7, 5})) << "chain by chain, and the free one behind them";
  // Links go along the chains, wherever nodes stand.
  std::vector<node_link> links;
  ASSERT_TRUE(model.links_of(nodes, reader, links));
  std::set<std::pair<u64, u64>> along;
  for (const node_link& link : links)
    if (nodes[link.from].id) along.emplace(*nodes[link.from].id, *nodes[link.to].id);
  EXPECT_EQ(along, (std::set<std::pair<u64, u64>>{{0, 6}, {1, 3}, {3, 4}, {4, 7}}));
}

TEST(CgrxNodesTold, AHeadLeadsToItsNodeAndToTheNextOne) {
  const nodes_on_cpu index = with_chains();
  const cgrx_nodes_model model = index.model();
  const index_reader reader(index.index());
  std::vector<cell_link> leads;
  ASSERT_TRUE(model.leads_of({node_region::heads, 1, 1}, reader, leads));
  EXPECT_EQ(leads, (std::vector<cell_link>{{{node_region::heads, 1}, {main_region, 4}, 4},
                                           {{node_region::heads, 1}, {main_region, 12}, 4}}));
  leads.clear();
  ASSERT_TRUE(model.leads_of({node_region::heads, 5, 1}, reader, leads));
  EXPECT_TRUE(leads.empty()) << "it is free";
  EXPECT_EQ(model.words_of({node_region::heads, 1}, reader), "node 1: 2 entries, keys up to 11; on to node 3");
  EXPECT_EQ(model.words_of({node_region::heads, 6}, reader),
            "linked node 6: 3 entries, keys up to 7; the chain ends here");
  EXPECT_EQ(model.words_of({node_region::heads, 2}, reader),
            "node 2: 1 entry, keys without an end; the chain ends here");
  EXPECT_EQ(model.words_of({node_region::heads, 5}, reader), "in no chain");
  EXPECT_EQ(model.brief_of({node_region::heads, 1}, reader), "3");
  EXPECT_EQ(model.words_of({node_region::bounds, 1}, reader), "bucket 1: keys up to 47");
  EXPECT_EQ(model.words_of({node_region::bounds, 2}, reader), "bucket 2: no end");
  EXPECT_EQ(model.words_of({node_region::pool, pool_cancelled}, reader), "0 inserts were cancelled by erases");
  EXPECT_EQ(model.words_of({node_region::pool, pool_erased_beside}, reader),
            "as many entries went as there were erases");
  // The fields of a head, as views show what a write changes.
  for (const char* width : {"u32", "u64"}) {
    const nodes_on_cpu of(fmt::format("CGRX+NODES node=4 keys={}", width), {1, 2});
    const cgrx_nodes_model told = of.model();
    const auto& fields = told.region(node_region::heads).fields;
    const cell_ref at{node_region::heads, 0};
    EXPECT_EQ(told.field_words(at, fields[0], of.greatest()), "no end");
    EXPECT_EQ(told.field_words(at, fields[0], 5), "");
    EXPECT_EQ(told.field_words(at, fields[1], next_node::none), "end");
    EXPECT_EQ(told.field_words(at, fields[1], next_node::free), "free");
    EXPECT_EQ(told.field_words(at, fields[1], 4), "");
    EXPECT_EQ(told.field_words(at, fields[2], next_node::none), "");
    const cell_field& count = told.region(node_region::pool).fields[0];
    EXPECT_EQ(told.field_words({node_region::pool, pool_erased_beside}, count, 0xFFFFFFFF), "-1");
    EXPECT_EQ(told.field_words({node_region::pool, pool_taken}, count, 3), "");
    EXPECT_EQ(told.field_words({node_region::bounds, 0}, told.region(node_region::bounds).fields[0], of.greatest()),
              "");
  }
  nodes_on_cpu some("CGRX+NODES node=4", {1, 2, 2, 2, 9});
  some.erase({2});
  index_reader of_some(some.index());
  EXPECT_EQ(some.model().words_of({node_region::pool, pool_erased_beside}, of_some),
            "2 more entries went than there were erases");
  some.erase({3, 4, 9});
  index_reader again(some.index());
  EXPECT_EQ(some.model().words_of({node_region::pool, pool_erased_beside}, again),
            "2 fewer entries went than there were erases");
}

TEST(CgrxNodesTold, AKeysPartIsTheNodeThatHasIt) {
  const nodes_on_cpu index = with_chains();
  const cgrx_nodes_model model = index.model();
  const index_reader reader(index.index());
  std::vector<part_fill> fills(index.state().nodes);
  ASSERT_TRUE(model.fills_of(0, reader, fills));
  for (u32 bucket = 0; bucket < index.state().buckets; ++bucket) {
    for (const nodes_on_cpu::told_node& node : index.chain(bucket)) {
      EXPECT_EQ(fills[node.number], (part_fill{static_cast<u32>(node.entries.size()), node.number < 3 ? 0u : 1u}));
      for (const auto& [key, row] : node.entries) EXPECT_EQ(model.part_of(key, reader), node.number) << key;
    }
  }
  EXPECT_EQ(model.part_of(12345, reader), 2u);
  EXPECT_TRUE(model.build_passes().empty()) << "it is not as it was built";
}

// Every operation about every key: words for each step, and a line of the pseudo code for each line that ran.
TEST(CgrxNodesTold, EveryStepHasWordsAndALineOfPseudoCode) {
  u64 steps = 0;
  for (const char* more : {"", " form=naive", " search=linear"}) {
    nodes_on_cpu index(std::string("CGRX+NODES node=4 x_bits=3 y_bits=2") + more,
                       {3, 5, 40, 41, 60, 61, 62, 63, 80, 81});
    index.insert({10, 11, 12, 13, 14, 90, 91, 92, 7});
    index.erase({60, 61, 62, 63});  // empty buckets
    for (u64 key = 0; key < 100; ++key) {
      for (const operation kind : all_operations) {
        SCOPED_TRACE(fmt::format("{} of {}{}", operation_noun(kind), key, more));
        const question asked = kind == operation::range ? question(kind, key, key + 30) : question(kind, key);
        const auto trace = trace_of(index.index(), asked);
        ASSERT_TRUE(trace.ok()) << trace.error().words;
        EXPECT_FALSE(trace->start.empty());
        EXPECT_FALSE(trace->verdict.empty());
        const linked_code code(family_of(index.index().config())
                                   .pseudo_code_of(index.index().config(), served_as(index.index().config(), kind)));
        for (std::size_t i = 0; i < trace->steps.size(); ++i, ++steps) {
          const trace_step& step = trace->steps[i];
          EXPECT_FALSE(step.where.empty() || step.words.empty());
          EXPECT_EQ(step.left.empty(), is_write(kind));
          EXPECT_EQ(step.next.empty(), i + 1 == trace->steps.size());
          EXPECT_LE(step.left_first, step.left_end);
          EXPECT_LE(step.left_end, index.index().regions()[0].cells);
          for (const source_line& line : step.ran)
            EXPECT_TRUE(code.line_at({line.file, line.line})) << line.file << ":" << line.line;
        }
        if (HasFailure()) return;
      }
    }
    index.expect_answers();
  }
  EXPECT_GT(steps, 3000u);
}

TEST(CgrxNodesTold, AKeyAboveAllOfTheBuildNeedsNoRay) {
  const nodes_on_cpu index = with_chains();
  const auto trace = trace_lookup(index.index(), 1000);
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(
      trace->start,
      "1000 is greater than all keys that the scene was built over: it belongs to the last bucket, 2, which has no "
      "end. No ray is needed.");
}

}  // namespace
}  // namespace pivotscope
