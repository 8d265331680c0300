// Batches of writes in an index of nodes: what is hard for it, by name.
#include <gtest/gtest.h>

#include <random>

#include "tests/core/families/cgrx_nodes/nodes_on_cpu.hpp"
#include "tests/support/each_list.hpp"
#include "tests/support/hard_keys.hpp"

namespace pivotscope {
namespace {

using testing::nodes_on_cpu;

std::vector<u64> run_of(u64 count, u64 first, u64 apart = 1) {
  std::vector<u64> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = first + i * apart;
  return keys;
}

const char* const forms[] = {"CGRX+NODES node=4 x_bits=3 y_bits=2", "CGRX+NODES node=4 x_bits=3 y_bits=2 form=naive"};

TEST(CgrxNodes, AnIndexWithoutKeysHasABucketForInserts) {
  for (const char* line : forms) {
    nodes_on_cpu index(line, {});
    EXPECT_EQ(index.state().buckets, 1u);
    index.expect_answers();
    index.erase({7});
    index.insert({0, index.greatest(), 7, 7});
    index.expect_answers();
    index.insert(run_of(100, 3, 5));
    index.expect_answers();
    EXPECT_EQ(index.state().buckets, 1u) << "the scene stays";
  }
}

TEST(CgrxNodes, KeysAboveTheGreatestOneOfTheBuildBelongToTheLastBucket) {
  for (const char* line : forms) {
    nodes_on_cpu index(line, {1, 2, 20, 21, 22});
    index.insert({23, 30, 1000, index.greatest(), index.greatest() - 1, 24});
    EXPECT_EQ(index.chain(index.state().buckets - 1).back().entries.back().first, index.greatest());
    index.expect_answers();
    index.erase({index.greatest(), 22, 30});
    index.expect_answers();
  }
}

TEST(CgrxNodes, KeysBelowTheLeastOneBelongToBucket0) {
  for (const char* line : forms) {
    nodes_on_cpu index(line, {100, 101, 200, 201});
    index.insert({0, 1, 5, 99, 3});
    EXPECT_EQ(index.chain(0).front().entries.front().first, 0u);
    index.expect_answers();
  }
}

// Between a representative and the place to which its triangle was moved: rays lead to it.
TEST(CgrxNodes, AKeyBehindAMovedRepresentativeGoesToItsBucket) {
  nodes_on_cpu index("CGRX+NODES node=4 x_bits=3 y_bits=2", {1, 2, 17, 18});
  EXPECT_EQ(index.bounds(), (std::vector<u64>{7, index.greatest()})) << "2 stands at the end of its row";
  index.insert({3, 7, 8});
  EXPECT_EQ(index.chain_text(0), "0: 1 2 3 7 <= 7");
  EXPECT_EQ(index.chain_text(1), "1: 8 17 18 <= all");
  index.expect_answers();
  nodes_on_cpu naive("CGRX+NODES node=4 x_bits=3 y_bits=2 form=naive", {1, 2, 17, 18});
  EXPECT_EQ(naive.bounds(), (std::vector<u64>{2, naive.greatest()}));
  naive.insert({3, 7, 8});
  EXPECT_EQ(naive.chain_text(0), "0: 1 2 <= 2");
  naive.expect_answers();
}

TEST(CgrxNodes, AllKeysEqual) {
  for (const char* line : forms) {
    for (const u64 key : {u64{0}, u64{7}, u64{0xFFFFFFFF}}) {
      nodes_on_cpu index(line, std::vector<u64>(11, key));
      index.expect_answers();
      index.insert(std::vector<u64>(9, key));
      index.expect_answers();
      index.erase({key});
      EXPECT_EQ(index.entries().size(), 0u);
      index.expect_answers();
      index.insert({key, key, 5});
      index.expect_answers();
    }
  }
}

// The build cuts buckets anywhere, so a key may fill several and be the first of the next one.
TEST(CgrxNodes, AnEraseFindsAKeyInAllBucketsThatHaveIt) {
  for (const char* line : forms) {
    for (u64 times = 1; times <= 9; ++times) {
      for (const u64 before : {0u, 1u, 2u, 3u}) {
        std::vector<u64> keys = run_of(before, 1);
        for (u64 i = 0; i < times; ++i) keys.push_back(15);
        for (const u64 key : {16u, 17u, 18u, 40u}) keys.push_back(key);
        nodes_on_cpu index(line, keys);
        index.insert({15, 15, 15, 15, 15});
        index.expect_answers();
        index.update({{operation::erase, 15}, {operation::insert, 16}, {operation::erase, 14}});
        index.expect_answers();
        index.insert({15, 15});
        index.expect_answers();
        ASSERT_FALSE(HasFailure()) << line << ", " << times << " times behind " << before;
      }
    }
  }
}

TEST(CgrxNodes, AChainOfManyNodes) {
  nodes_on_cpu index("CGRX+NODES node=4", {10, 1'000'000});
  for (u64 batch = 0; batch < 10; ++batch) index.insert(run_of(50, 20 + batch, 11));
  EXPECT_GT(index.chain(0).size(), 100u);
  index.expect_answers();
  std::vector<u64> odd;
  for (const auto& [key, row] : index.entries())
    if (key % 8 != 0) odd.push_back(key);
  index.erase(odd);
  EXPECT_LT(index.chain(0).size(), 50u) << "small nodes were merged";
  index.expect_answers();
}

TEST(CgrxNodes, EraseAllThenInsert) {
  for (const char* line : forms) {
    const std::vector<u64> keys = run_of(64, 5, 3);
    nodes_on_cpu index(line, keys);
    index.insert(run_of(100, 6, 3));
    index.erase(run_of(400, 0));
    EXPECT_EQ(index.state().entries, 0u);
    EXPECT_EQ(index.state().nodes - index.state().free, index.state().buckets) << "all linked nodes are free";
    index.expect_answers();  // through empty buckets
    const u32 nodes = index.state().nodes;
    index.insert(run_of(100, 6, 3));
    EXPECT_EQ(index.state().nodes, nodes) << "free nodes are used again before new ones";
    index.expect_answers();
  }
}

TEST(CgrxNodes, TheLastEntryOfALinkedNodeGoesAndItsNodeIsFree) {
  nodes_on_cpu index("CGRX+NODES node=4", {1, 100});
  index.insert({2, 3, 4});
  EXPECT_EQ(index.chain_text(0), "0: 1 2 <= 2, 1: 3 4 100 <= all");
  index.erase({3, 4, 100});
  EXPECT_EQ(index.chain_text(0), "0: 1 2 <= all");
  EXPECT_EQ(index.state().free, 1u);
}

// The first node of a chain is where the triangle leads: the other one comes into it.
TEST(CgrxNodes, AFirstNodeThatIsEmptyTakesTheNextOneIn) {
  nodes_on_cpu index("CGRX+NODES node=4", {1, 100});
  index.insert({2, 3, 4});
  index.erase({1, 2});
  EXPECT_EQ(index.chain_text(0), "0: 3 4 100 <= all");
  EXPECT_EQ(index.state().free, 1u);
  index.expect_answers();
}

TEST(CgrxNodes, NodesThatComeToHalfANodeAreMergedAndOthersAreNot) {
  nodes_on_cpu index("CGRX+NODES node=8", run_of(4, 100));
  index.insert(run_of(12, 10));
  EXPECT_EQ(index.chain_text(0), "0: 10 11 12 13 <= 13, 1: 14 15 16 17 <= 17, 2: 18 19 20 21 100 101 102 103 <= all");
  index.erase({10, 11, 14});
  EXPECT_EQ(index.chain(0).size(), 3u) << "2 and 3 are more than 4";
  index.erase({15});
  EXPECT_EQ(index.chain_text(0), "0: 12 13 16 17 <= 17, 2: 18 19 20 21 100 101 102 103 <= all");
  index.expect_answers();
}

// What is left of a key that a batch both inserts and erases is what some order of them leaves: here nothing.
TEST(CgrxNodes, InsertsOfAKeyThatTheBatchErasesAreCancelled) {
  for (const char* line : forms) {
    nodes_on_cpu index(line, {5, 6, 7, 8});
    using enum operation;
    index.update(
        {{insert, 6}, {erase, 6}, {insert, 9}, {erase, 9}, {insert, 9}, {erase, 20}, {erase, 20}, {insert, 7}});
    EXPECT_FALSE(index.entries().contains(6));
    EXPECT_FALSE(index.entries().contains(9));
    EXPECT_EQ(index.entries().count(7), 2u);
    index.expect_answers();
  }
}

// The pool grows while some buckets are done and others are not, in the middle of a bucket's part of the batch.
TEST(CgrxNodes, APoolThatRunsEmptyGrowsAndNothingIsLost) {
  for (const char* line : forms) {
    nodes_on_cpu index(line, run_of(40, 0, 100));
    const u32 room = index.state().room;
    std::vector<u64> many;
    for (u64 i = 0; i < 3000; ++i) many.push_back(i * 13 % 4100);
    index.insert(many);
    EXPECT_GT(index.state().nodes, room);
    index.expect_answers();
    std::vector<question> mixed;
    for (u64 i = 0; i < 4000; ++i) mixed.push_back({i % 3 == 0 ? operation::erase : operation::insert, i * 7 % 9001});
    index.update(mixed);
    index.expect_answers();
  }
}

// One bucket frees what another one needs, in one batch.
TEST(CgrxNodes, ABatchThatFreesNodesEnoughDoesNotGrowThePool) {
  nodes_on_cpu index("CGRX+NODES node=4", run_of(40, 0, 100));
  index.insert(run_of(60, 1));
  u64 next = 1001;
  while (index.state().nodes < index.state().room && next < 1090) index.insert({next++});
  ASSERT_EQ(index.state().nodes, index.state().room);
  ASSERT_EQ(index.state().free, 0u);
  const u32 room = index.state().room;
  std::vector<question> writes;
  for (const u64 key : run_of(60, 1)) writes.push_back({operation::erase, key});
  for (const u64 key : run_of(25, 201)) writes.push_back({operation::insert, key});
  index.update(writes);
  EXPECT_EQ(index.state().room, room);
  index.expect_answers();
}

TEST(CgrxNodes, EntriesOfAKeyStandInTheOrderInWhichTheyCame) {
  nodes_on_cpu index("CGRX+NODES node=8", {5, 9, 5});
  index.insert({5, 7, 5});
  EXPECT_EQ(index.chain(0)[0].entries,
            (std::vector<std::pair<u64, u32>>{{5, 0}, {5, 2}, {5, 3}, {5, 5}, {7, 4}, {9, 1}}));
}

TEST(CgrxNodes, ABatchForOneBucket) {
  nodes_on_cpu index("CGRX+NODES node=8", run_of(64, 0, 100));
  index.insert(run_of(5000, 100'000));
  EXPECT_GT(index.chain(index.state().buckets - 1).size(), 1000u);
  index.expect_invariants();
  index.insert(std::vector<u64>(500, 250));
  index.expect_invariants();
  index.erase(run_of(6000, 99'900));
  index.expect_answers();
}

TEST(CgrxNodes, ARebuildIsABuildOfWhatIsThere) {
  for (const char* line : forms) {
    nodes_on_cpu index(line, run_of(20, 3, 7));
    index.insert(run_of(300, 1, 5));
    index.erase(run_of(40, 1, 5));
    index.maintain(maintenance::rebuild);
    EXPECT_EQ(index.state().buckets, ceil_div<u64>(index.entries().size(), 2));
    EXPECT_EQ(index.state().nodes, index.state().buckets) << "no chains";
    index.expect_answers();
    std::vector<u64> keys;
    for (const auto& [key, row] : index.entries()) keys.push_back(key);
    EXPECT_EQ(index.bounds(), nodes_on_cpu(line, keys).bounds()) << "as if it were built from them";
    index.erase(keys);
    index.maintain(maintenance::rebuild);
    EXPECT_EQ(index.state().buckets, 1u) << "of nothing";
    index.insert({4, 2});
    index.maintain(maintenance::clear);
    index.expect_answers();
    index.insert({4, 2});
    index.expect_answers();
  }
}

// All batches of up to two writes after all others, over small indexes.
TEST(CgrxNodes, AllSmallBatchesAfterAllSmallBatches) {
  std::vector<question> writes;
  for (const u64 key : {u64{2}, u64{3}, u64{7}})
    for (const operation what : {operation::insert, operation::erase}) writes.push_back({what, key});
  u64 ran = 0;
  for (const std::vector<u64>& keys :
       {std::vector<u64>{}, {2}, {2, 3, 3, 3, 7}, {3, 3, 3, 3, 3, 3}, {1, 2, 2, 2, 3, 7, 7, 8, 9}}) {
    testing::each_list(writes, 2, [&](const std::vector<question>& first) {
      testing::each_list(writes, 2, [&](const std::vector<question>& second) {
        if (first.empty() || second.empty() || HasFailure()) return;
        nodes_on_cpu index(forms[ran++ % 2], keys);
        index.update(first);
        index.update(second);
        index.expect_answers();
      });
    });
  }
  EXPECT_GT(ran, 5000u);
}

// Random batches over keys that are hard to tell apart, of all sizes of nodes and both widths.
TEST(CgrxNodes, BatchesOverHardKeys) {
  std::mt19937_64 random(5);
  for (const std::string node : {"4", "8", "16", "32", "64"}) {
    for (const char* more : {" keys=u64", " keys=u64 form=naive search=linear", " x_bits=3 y_bits=4 wide=8"}) {
      const index_config config = testing::config_of("CGRX+NODES node=" + node + more);
      for (const auto& set : testing::all_hard_keys<u32>(200, 9)) {
        SCOPED_TRACE(to_line(config) + ", " + set.name);
        std::vector<u64> keys(set.keys.begin(), set.keys.end());
        if (config.keys == key_width::u64)
          for (u64& key : keys) key = key << 31 | key;
        nodes_on_cpu index(config, std::vector<u64>(keys.begin(), keys.begin() + 60));
        for (u32 batch = 0; batch < 6; ++batch) {
          std::vector<question> some;
          for (u32 i = 0; i < 60; ++i)
            some.push_back({random() % 3 < (batch < 3 ? 2u : 1u) ? operation::insert : operation::erase,
                            keys[random() % keys.size()]});
          index.update(some);
          if (batch == 4) index.maintain(maintenance::rebuild);
          if (HasFailure()) return;
        }
        index.expect_answers();
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
