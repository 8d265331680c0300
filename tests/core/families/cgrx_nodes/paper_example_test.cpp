// Figure 7 of the paper cgrx: <13, 13> comes to a node that is full, which is split. Of the figure we have the caption
// and the words about it alone. So the state is made here: nodes of 4, and 13 entries before, so that key 13 gets row
// id 13.
#include <gtest/gtest.h>

#include "tests/core/families/cgrx_nodes/nodes_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::nodes_on_cpu;
using entry = std::pair<u64, u32>;

nodes_on_cpu before_figure_7() {
  nodes_on_cpu index("CGRX+NODES node=4", {2, 5, 8, 17, 19, 22, 30, 33});
  index.insert({3, 10, 12, 25, 27});
  return index;
}

TEST(CgrxNodesPaper, TheStateBeforeFigure7HasARepresentativeNodeABucket) {
  const nodes_on_cpu index = before_figure_7();
  EXPECT_EQ(index.state().buckets, 4u);
  EXPECT_EQ(index.state().nodes, 4u) << "no node was split yet";
  EXPECT_EQ(index.chain_text(0), "0: 2 3 5 <= 5");
  EXPECT_EQ(index.chain_text(1), "1: 8 10 12 17 <= 17");
  EXPECT_EQ(index.chain_text(2), "2: 19 22 <= 22");
  EXPECT_EQ(index.chain_text(3), "3: 25 27 30 33 <= all");
}

TEST(CgrxNodesPaper, Figure7SplitsTheNodeThatKey13ComesTo) {
  nodes_on_cpu index = before_figure_7();
  index.insert({13});
  // The new node gets the old one's greatest key; the old one's largest key after the split becomes its own.
  EXPECT_EQ(index.chain_text(1), "1: 8 10 <= 10, 4: 12 13 17 <= 17");
  EXPECT_EQ(index.chain(1)[1].entries, (std::vector<entry>{{12, 10}, {13, 13}, {17, 3}}));
  EXPECT_EQ(index.state().nodes, 5u) << "node 4 is the first of the linked node region";
  index.expect_answers();
}

TEST(CgrxNodesPaper, ANodeThatIsSplitInTheMiddleOfItsChainLeadsToTheFollowingOne) {
  nodes_on_cpu index = before_figure_7();
  index.insert({13});
  index.insert({6, 7, 9});
  EXPECT_EQ(index.chain_text(1), "1: 6 7 <= 7, 5: 8 9 10 <= 10, 4: 12 13 17 <= 17");
  index.expect_answers();
}

TEST(CgrxNodesPaper, NothingFollowsTheNewNodeOfTheLastBucket) {
  nodes_on_cpu index = before_figure_7();
  index.insert({40});
  EXPECT_EQ(index.chain_text(3), "3: 25 27 <= 27, 4: 30 33 40 <= all");
  index.expect_answers();
}

// The scene stays as it was, so a lookup goes by the same rays, and on along the chain.
TEST(CgrxNodesPaper, ATraceTellsTheRaysAndTheChain) {
  nodes_on_cpu index = before_figure_7();
  index.insert({13});
  const auto trace = trace_lookup(index.index(), 13);
  ASSERT_TRUE(trace.ok()) << trace.error().words;
  EXPECT_EQ(trace->row, 13u);
  std::vector<std::string> told;
  for (const trace_step& step : trace->steps) told.push_back(step.where + ": " + step.words + " " + step.next);
  EXPECT_EQ(told,
            (std::vector<std::string>{
                "triangles 0 to 1: The ray along x hits the front of triangle 1, at (17, 0, 0). It leads to bucket "
                "1. Bucket 1 begins with node 1: look at its head.",
                "the head of node 1: This node is for keys up to 10, and 13 is greater. On to the next node of the "
                "chain.",
                "the head of linked node 4: 13 belongs here, if it is there: the node has 3 entries. Search them "
                "by halves.",
                "linked node 4, slot 17: 13 is equal: it or one before it is the first. Look at slot 16.",
                "linked node 4, slot 16: 12 is less than 13. Look at slot 17.",
                "linked node 4, slot 17: Slot 17 has 13. Found. "}));
}

}  // namespace
}  // namespace pivotscope
