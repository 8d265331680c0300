// A write of an index of nodes step by step: what its steps write is what a batch of it alone writes, and the words are of
// what they do.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/core/families/cgrx_nodes/nodes_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::nodes_on_cpu;
using all_bytes = std::vector<std::vector<std::byte>>;

all_bytes bytes_of(const built_index& index) {
  all_bytes all;
  for (std::size_t r = 0; r < index.regions().size(); ++r) {
    all.emplace_back(index.regions()[r].bytes());
    EXPECT_TRUE(index.read(region_id(r), 0, all.back()).ok());
  }
  return all;
}

// Where the index grew, its new cells as a batch finds them: empty, and in no chain.
template <class Key>
void grow(all_bytes& bytes, const built_index& to) {
  const auto fill = [&]<class Cell>(region_id region, const Cell& cell) {
    std::vector<std::byte>& all = bytes[number_of(region)];
    const std::size_t from = all.size();
    all.resize(to.regions()[number_of(region)].bytes());
    for (std::size_t at = from; at < all.size(); at += sizeof(Cell)) std::memcpy(all.data() + at, &cell, sizeof(Cell));
  };
  fill(node_region::entries, make_entry(Key{}, not_found));
  fill(node_region::heads, make_head(Key{}, next_node::free, 0));
}

// Traces the write, then does it, and compares all bytes of the index. Returns the trace.
lookup_trace do_as_traced(nodes_on_cpu& index, const question& write) {
  const std::string words = fmt::format("{} {}", operation_verb(write.kind), write.key);
  all_bytes bytes = bytes_of(index.index());
  const auto trace = trace_write(index.index(), write.kind, write.key);
  EXPECT_TRUE(trace.ok()) << words;
  EXPECT_EQ(bytes_of(index.index()), bytes) << "a trace changes nothing";
  const bool wide = index.index().config().keys == key_width::u64;
  const bool was_there = index.entries().contains(write.key);
  index.update({write});
  wide ? grow<u64>(bytes, index.index()) : grow<u32>(bytes, index.index());
  for (const trace_step& step : trace->steps) {
    for (const changed_word& word : step.changed) {
      const u64 at = word.slot * index.index().regions()[number_of(word.array)].cell_bytes + word.offset;
      EXPECT_LE(at + word.bytes, bytes[number_of(word.array)].size()) << words;
      EXPECT_EQ(std::memcmp(bytes[number_of(word.array)].data() + at, &word.before, word.bytes), 0) << words;
      std::memcpy(bytes[number_of(word.array)].data() + at, &word.after, word.bytes);
    }
  }
  EXPECT_EQ(bytes_of(index.index()), bytes) << words;
  EXPECT_EQ(trace->write->done, write.kind == operation::insert ? write_done::added
                                : was_there                     ? write_done::erased
                                                                : write_done::absent)
      << words;
  return *trace;
}

std::vector<std::string> told(const lookup_trace& trace) {
  std::vector<std::string> all;
  for (const trace_step& step : trace.steps) all.push_back(step.where + ": " + step.words + " " + step.next);
  return all;
}

// Every insert and every erase of a key up to 30, after every one of these batches.
TEST(CgrxNodesTracedWrite, ChangesWhatABatchOfItAloneChanges) {
  using list = std::vector<u64>;
  const std::vector<list> sets = {{},
                                  {7},
                                  {3, 9, 15, 20},
                                  {5, 5, 5, 5, 5, 5},
                                  {2, 8, 8, 8, 8, 14, 20, 20, 26},
                                  {4, 5, 6, 10, 11, 12, 16, 17, 18, 24}};
  const std::vector<list> inserts = {{}, {9, 10, 11, 12, 13}, {8, 8, 8, 5, 5}, {29, 28, 27, 26, 25, 24, 23, 22}};
  const std::vector<list> erases = {{}, {10, 11, 12, 13, 8}, {5, 20, 26, 27}};
  u64 writes = 0, splits = 0, merges = 0, reused = 0, over_buckets = 0;
  const std::pair<const char*, u64> lines[] = {{"CGRX+NODES node=4 x_bits=3 y_bits=2", 1},
                                               {"CGRX+NODES node=8 keys=u64 form=naive", 3}};
  for (const auto& [line, every] : lines) {
    for (const list& set : sets) {
      for (const list& more : inserts) {
        for (const list& gone : erases) {
          for (u64 key = 0; key <= 30; key += every) {
            for (const operation kind : {operation::insert, operation::erase}) {
              nodes_on_cpu index(line, set);
              if (!more.empty()) index.insert(more);
              if (!gone.empty()) index.erase(gone);
              const cgrx_nodes_view before = index.state();
              const lookup_trace trace = do_as_traced(index, {kind, key});
              ASSERT_FALSE(HasFailure()) << index.chain_text(0);
              ++writes;
              splits += trace.verdict.find("was split") != std::string::npos;
              merges += index.state().free > before.free;
              reused += index.state().free < before.free;
              over_buckets += trace.steps.size() > 2 && std::ranges::count_if(trace.steps, [](const trace_step& step) {
                                                          return step.where.starts_with("the bound of bucket");
                                                        }) > 1;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(writes, 6u * 4 * 3 * 2 * (31 + 11));
  EXPECT_GT(splits, 50u);
  EXPECT_GT(merges, 30u);
  EXPECT_GT(reused, 10u);
  EXPECT_GT(over_buckets, 50u);
}

// The pool runs empty, and grows: the trace takes the node that the batch then takes.
TEST(CgrxNodesTracedWrite, TakesANodeThatIsNotThereYet) {
  for (const char* line : {"CGRX+NODES node=4", "CGRX+NODES node=4 keys=u64"}) {
    nodes_on_cpu index(line, {7});
    u64 grown = 0;
    for (u64 key = 1; key < 300; ++key) {
      const u32 room = index.state().room;
      do_as_traced(index, {operation::insert, key % 5 == 0 ? 300 - key : key});
      ASSERT_FALSE(HasFailure()) << key;
      grown += index.state().room > room;
    }
    EXPECT_GT(grown, 1u);
  }
}

// Figure 7 of the paper, from the thread that finds its write to the entry in its place.
TEST(CgrxNodesTracedWrite, TheSplitOfFigure7) {
  nodes_on_cpu index("CGRX+NODES node=4", {2, 5, 8, 17, 19, 22, 30, 33});
  index.insert({3, 10, 12, 25, 27});
  const lookup_trace trace = do_as_traced(index, {operation::insert, 13});
  EXPECT_EQ(
      told(trace),
      (std::vector<std::string>{
          "the bound of bucket 1: 13 is above the bound of bucket 0 and not above that of bucket 1: its thread has "
          "it. Look at the head of node 1.",
          "the head of node 1: 13 belongs here: the node has 4 entries and room for 4. It is full. Split it: take a "
          "node from the pool.",
          "node 1 and linked node 4: The pool gives node 4. The upper 2 entries go there, with the old greatest key "
          "and what follows in the chain. The other 2 stay in node 1; the last of them, 10, is its greatest key now, "
          "and "
          "it leads to node 4. Look at the head of linked node 4.",
          "the head of linked node 4: 13 belongs here: the node has 2 entries and room for 4. There is room: put "
          "the entry in.",
          "linked node 4, slots 16 to 18: From the back, 1 entry with a greater key moves one cell, and 13 goes into "
          "slot 17, with row id 13. The head gets the size 3. "}));
  EXPECT_EQ(trace.verdict, "13 goes in: row id 13. Node 1 was split.");
  EXPECT_EQ(index.chain_text(1), "1: 8 10 <= 10, 4: 12 13 17 <= 17");
}

TEST(CgrxNodesTracedWrite, AnEraseGoesOnInTheNextBucketAndMergesNodes) {
  nodes_on_cpu index("CGRX+NODES node=4", {1, 5, 5, 5, 5, 9});
  index.insert({6, 7, 8});
  index.erase({6});
  ASSERT_EQ(index.chain_text(2), "2: 5 <= 6, 3: 7 8 9 <= all");
  const lookup_trace trace = do_as_traced(index, {operation::erase, 5});
  const std::vector<std::string> steps = told(trace);
  const auto begin =
      std::ranges::find_if(steps, [](const auto& one) { return one.starts_with("the bound of bucket 2"); });
  EXPECT_EQ(std::ranges::count_if(steps, [](const auto& one) { return one.starts_with("the bound of"); }), 3);
  EXPECT_EQ(
      std::vector<std::string>(begin, steps.end()),
      (std::vector<std::string>{
          "the bound of bucket 2: The bucket before ends with 5 itself. The build cuts buckets anywhere, so more "
          "entries of it may begin here. Look at the head of node 2.",
          "the head of node 2: More entries of 5 may be here: the node has 1 entry and room for 4. Look at slot 8.",
          "node 2, slot 8: 5 is equal: it or one before it is the first. Look at slot 8.",
          "node 2, slot 8: Slot 8 has 5: this entry goes. Move up what stays.",
          "node 2: What stays moves up, the cells behind it are emptied, and the head gets the size 0. Look at the "
          "head of node 2.",
          "the head of node 2: It has 0 entries now. Can it be merged with the next one?",
          "node 2 and linked node 3: In node 2 and linked node 3 are 0 and 3 entries: one of the two is empty. The "
          "second is merged into the first, and is free. A counter notes: 1 entry more went than there were "
          "erases. "}));
  EXPECT_EQ(trace.verdict, "5 is erased. A node left the chain.");
  EXPECT_EQ(index.chain_text(2), "2: 7 8 9 <= all");
}

// Each of these was told wrongly at first.
TEST(CgrxNodesTracedWrite, WordsOfStatesThatAreRare) {
  nodes_on_cpu one("CGRX+NODES node=4", {7});
  EXPECT_EQ(told(do_as_traced(one, {operation::erase, 7})).back(),
            "the head of node 0: It has 0 entries now, and no node follows. ");
  const lookup_trace absent = do_as_traced(one, {operation::erase, 5});
  EXPECT_EQ(
      told(absent).back(),
      "the head of node 0: 5 belongs here: the node has 0 entries and room for 4. A counter notes: 1 entry fewer went "
      "than there were erases. ");
  nodes_on_cpu full("CGRX+NODES node=4", {7});
  bool grown = false;
  for (u64 key = 8; key < 60 && !grown; ++key) {
    const u32 room = full.state().room;
    const lookup_trace trace = do_as_traced(full, {operation::insert, key});
    grown = full.state().room > room;
    for (const trace_step& step : trace.steps) {
      EXPECT_LE(step.left_first, step.left_end);
      EXPECT_LE(step.left_end, trace.cells);
      const bool splits = step.where.find(" and linked node ") != std::string::npos;
      EXPECT_EQ(step.words.starts_with("The pool is empty: it grows, and gives node"), grown && splits);
    }
  }
  EXPECT_TRUE(grown);
}

TEST(CgrxNodesTracedWrite, CountersBeginAtZeroAgain) {
  nodes_on_cpu index("CGRX+NODES node=4", {2, 5, 8, 17});
  index.insert({1, 3, 4, 6, 7});  // takes a node
  const lookup_trace trace = do_as_traced(index, {operation::erase, 6});
  EXPECT_EQ(trace.steps.front().where, "the pool's counters");
  ASSERT_EQ(trace.steps.front().changed.size(), 1u) << "those that are 0 stay";
  EXPECT_EQ(trace.steps.front().changed.front().after, 0u);
}

TEST(CgrxNodesTracedWrite, WhatIsNotThereIsNotErased) {
  nodes_on_cpu index("CGRX+NODES node=4", {2, 5, 8, 17});
  const lookup_trace trace = do_as_traced(index, {operation::erase, 6});
  EXPECT_EQ(
      told(trace),
      (std::vector<std::string>{
          "the bound of bucket 1: The last bucket has no end: 6 is above the bound of bucket 0, and belongs here. "
          "Look at the head of node 1.",
          "the head of node 1: 6 belongs here: the node has 2 entries and room for 4. Look at slot 5.",
          "node 1, slot 5: 17 is greater than 6. Look at slot 4.",
          "node 1, slot 4: 8 is greater than 6. Look at slot 4.",
          "node 1, slot 4: 8 is greater than 6: no entry of it is left in this node. Nothing is erased. A counter "
          "notes: "
          "1 entry fewer went than there were erases. "}));
  EXPECT_EQ(trace.verdict, "6 is not in the index, so there is nothing to erase.");
}

}  // namespace
}  // namespace pivotscope
