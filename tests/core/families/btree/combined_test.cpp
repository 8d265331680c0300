// Batches that are done as a whole. The oracle checks every answer, whole_tree every invariant.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/core/families/btree/whole_tree.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::table_on_cpu;
using testing::whole_tree;

const char* const combined_layouts[] = {"BTREE writes=combined", "BTREE writes=combined layout=soa",
                                        "BTREE writes=combined keys=u64", "BTREE writes=combined keys=u64 layout=soa"};

std::vector<u64> hundreds(u64 count) {
  std::vector<u64> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = 100 * (i + 1);
  return keys;
}
whole_tree tree_after(const std::string& line, const std::vector<u64>& keys, const script& s) {
  table_on_cpu tree(line, keys);
  const script_record record = tree.run(s);
  whole_tree whole(*record.index);
  EXPECT_EQ(whole.fault(), "") << line;
  return whole;
}
script one_batch(key_width width, const std::vector<u64>& keys) {
  script s(width);
  for (const u64 key : keys) s.add({operation::insert, key});
  return s;
}

// All batches of three writes of five keys, one of them the greatest: equal keys, erased and inserted, there or not.
TEST(combined_batches, of_all_threes_of_writes_come_to_what_some_order_does) {
  u64 batches = 0;
  for (const char* layout : combined_layouts) {
    const key_width width = config_from_line(layout)->keys;
    const u64 greatest = width == key_width::u32 ? ~u32{0} : ~u64{0};
    const std::vector<u64> keys = {0, 100, 150, 800, greatest};
    const u64 choices = 2 * keys.size();
    for (u64 drawn = 0; drawn < choices * choices * choices; drawn += width == key_width::u32 ? 1 : 3) {
      script s(width);
      s.begin_mixed();
      for (u64 rest = drawn, i = 0; i < 3; ++i, rest /= choices)
        s.add({rest % 2 == 0 ? operation::insert : operation::erase, keys[rest / 2 % keys.size()]});
      s.add({operation::find, 150});
      s.end_mixed();
      for (const u64 key : keys) s.add({operation::matches, key});
      const whole_tree whole = tree_after(std::string(layout) + " node=8 lanes=1", {100, 200, 800, greatest}, s);
      ASSERT_GE(whole.entries().size(), 1u);
      ++batches;
    }
  }
  EXPECT_EQ(batches, 2u * 1000 + 2 * 334);
}

// Erases come first, and of several inserts the last one counts: the oracle would take any order.
TEST(combined_batches, keep_the_last_insert_of_a_key) {
  for (const char* layout : combined_layouts) {
    script s(config_from_line(layout)->keys);
    s.begin_mixed();
    for (const u64 key : {100u, 150u}) {
      s.add({operation::insert, key}), s.add({operation::insert, key});
      s.add({operation::erase, key});
    }
    s.add({operation::erase, 200});
    s.end_mixed();
    // Row ids 3 to 6 are those of the inserts.
    EXPECT_EQ(tree_after(std::string(layout) + " node=8 lanes=1", hundreds(3), s).entries(),
              (std::map<u64, u32>{{100, 4}, {150, 6}, {300, 2}}))
        << layout;
  }
}

// Runs of every length that come to one leaf: it stays, gets a sibling, or many, so that parents are split, and the root.
TEST(combined_batches, give_a_leaf_as_many_new_entries_as_there_are) {
  u64 trees = 0;
  std::set<u32> levels;
  for (const char* layout : combined_layouts) {
    const key_width width = config_from_line(layout)->keys;
    for (const char* knobs : {" node=8 lanes=1 fill=50", " node=8 lanes=1 fill=100", " node=16 lanes=4 fill=70"}) {
      const std::string line = std::string(layout) + knobs;
      for (const u64 n : {0u, 1u, 40u}) {
        for (u64 run = 1; run <= 400; run += run < 70 ? 1 : 55) {
          std::vector<u64> keys;
          for (u64 i = 0; i < run; ++i) keys.push_back(1000 + (run - i));
          const whole_tree whole = tree_after(line, hundreds(n), one_batch(width, keys));
          u64 there = 0;  // already: 1100, 1200, ...
          for (const u64 key : keys) there += key % 100 == 0 && key / 100 <= n;
          ASSERT_EQ(whole.entries().size(), n + run - there) << line << ", " << n << " and " << run;
          for (const auto& leaf : whole.leaf_keys())
            ASSERT_GE(leaf.size(), n + run > 1 ? 2u : 1u) << line << ", " << run;
          levels.insert(whole.levels());
          ++trees;
        }
      }
    }
  }
  EXPECT_EQ(trees, 4u * 3 * 3 * 76);
  EXPECT_GE(levels.size(), 3u);
}

// The pairs of a node and a run are shared out evenly: what lies where.
TEST(combined_batches, share_the_pairs_of_a_node_out_evenly) {
  using lists = std::vector<std::vector<u64>>;
  for (const char* layout : combined_layouts) {
    const key_width width = config_from_line(layout)->keys;
    const std::string line = std::string(layout) + " node=8 lanes=1 fill=57";
    // Four and four a leaf; three more find room.
    const whole_tree room = tree_after(line, hundreds(8), one_batch(width, {130, 110, 120}));
    EXPECT_EQ(room.leaf_keys(), (lists{{100, 200, 300, 400, 110, 120, 130}, {500, 600, 700, 800}}));
    // Eight pairs for nodes of four: two of them.
    const whole_tree two = tree_after(line, hundreds(8), one_batch(width, {130, 110, 120, 140}));
    EXPECT_EQ(two.leaf_keys(), (lists{{100, 110, 120, 130}, {140, 200, 300, 400}, {500, 600, 700, 800}}));
    EXPECT_EQ(two.separators(0), (lists{{0, 140, 500}}));
    // An erased one makes room, and nothing is split.
    script s(width);
    s.begin_mixed();
    for (const u64 key : {130u, 110u, 120u, 140u}) s.add({operation::insert, key});
    s.add({operation::erase, 300});
    s.end_mixed();
    EXPECT_EQ(tree_after(line, hundreds(8), s).leaf_keys(),
              (lists{{100, 200, 110, 400, 120, 130, 140}, {500, 600, 700, 800}}));
  }
}

// Ascending keys all come to the last leaf.
TEST(combined_batches, of_ascending_keys_raise_the_root_as_often_as_they_need) {
  for (const char* layout : combined_layouts) {
    const key_width width = config_from_line(layout)->keys;
    script s(width);
    for (u64 i = 0; i < 3000; ++i) s.add({operation::insert, 1'000'000 + i});
    s.add({operation::find, 1'000'000});
    for (u64 i = 0; i < 3000; ++i) s.add({operation::insert, 900'000 + 2 * i});
    s.add({operation::successor, 999'999});
    const whole_tree whole = tree_after(std::string(layout) + " node=8 lanes=1", hundreds(10), s);
    EXPECT_EQ(whole.entries().size(), 6010u);
    EXPECT_GE(whole.levels(), 4u);
  }
}

// Every kind of split on every level, many at once, into trees that latched batches have changed, too.
TEST(combined_batches, of_many_writes_leave_a_whole_tree) {
  for (const char* layout : combined_layouts) {
    for (const char* knobs : {" node=8 lanes=1", " node=16 lanes=4", " node=32 lanes=4 fill=100"}) {
      SCOPED_TRACE(fmt::format("{}{}", layout, knobs));
      const key_width width = config_from_line(layout)->keys;
      script s(width);
      constexpr u64 count = 2000;
      for (u64 i = 0; i < count; ++i) s.add({operation::insert, i * 2654435761u % 65536 * 3});
      for (u64 i = 0; i < count; i += 3) s.add({operation::erase, i * 2654435761u % 65536 * 3});
      s.begin_mixed();
      for (u64 i = 0; i < count; i += 10) {
        s.add({operation::insert, i}), s.add({operation::erase, i * 2654435761u % 65536 * 3});
        s.add({operation::find, i}), s.add({operation::range, i, i + 50});
      }
      s.end_mixed();
      s.add(maintenance::rebuild);
      for (u64 i = 0; i < count; i += 5) s.add({operation::insert, 3 * i + 1});
      const whole_tree whole = tree_after(std::string(layout) + knobs, hundreds(20), s);
      EXPECT_GT(whole.levels(), 1u);
    }
  }
}

}  // namespace
}  // namespace pivotscope
