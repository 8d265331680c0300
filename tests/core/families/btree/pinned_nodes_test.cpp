// Trees whose first inner nodes lie in a block's scratch: lookups read those there, and all others where they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/machine/trace/trace.hpp"
#include "tests/core/families/btree/whole_tree.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::table_on_cpu;
using testing::whole_tree;

constexpr const char* shapes[] = {"BTREE node=8 lanes=1", "BTREE node=16 lanes=4", "BTREE node=8 lanes=2 keys=u64",
                                  "BTREE node=8 lanes=1 duplicates=on", "BTREE node=8 lanes=2 writes=combined"};

std::vector<u64> sevens(u64 count) {
  std::vector<u64> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = 7 * i;
  return keys;
}

struct reads {
  u64 scratch = 0, global = 0;  // of inner nodes
};
// Looks up keys that are there and keys that are not, and says where their inner nodes were read.
reads look_up_everything(const stored_index& index) {
  const auto model = model_of(index);
  const auto pinned = model->pinned();
  EXPECT_TRUE(pinned);
  const btree_config config = btree_config::of(index.config());
  const auto tree = index.state_as<btree_view>();
  const u64 nodes = std::min<u64>(config.scratch / (config.node * 2 * key_bytes(config.keys)), tree.inner);
  EXPECT_EQ(pinned->cells.size(), nodes * config.node);
  for (u32 i = 0; i < pinned->cells.size(); ++i) EXPECT_EQ(pinned->cells[i], (cell_ref{btree_region::inner, i}));
  reads all;
  const auto look = [&](u64 key, u32 row) {
    const outcome<lookup_trace> trace = trace_lookup(index, key);
    ASSERT_TRUE(trace) << trace.error().words;
    ASSERT_EQ(trace->row, row) << to_line(index.config()) << ", key " << key;
    for (const trace_step& step : trace->steps) {
      for (const memory_access& access : step.accesses) {
        if (access.array != btree_region::inner) continue;
        const bool there = access.slot < pinned->cells.size();
        ASSERT_EQ(access.space, there ? memory_space::scratch : memory_space::global);
        ASSERT_TRUE(there || access.step >= pinned->steps) << "all that the first steps read is pinned";
        ASSERT_TRUE(!there || access.byte_offset == access.slot * pinned->cell_bytes);
        ++(there ? all.scratch : all.global);
      }
    }
  };
  const whole_tree whole(index);
  EXPECT_EQ(whole.fault(), "");
  for (const auto& [key, row] : whole.entries()) look(key, row);
  for (const auto& [key, row] : whole.entries())
    if (!whole.entries().contains(key + 1)) look(key + 1, not_found);
  return all;
}

TEST(pinned_nodes, are_read_in_scratch_and_others_where_they_are) {
  reads all;
  for (const char* shape : shapes) {
    for (const u32 scratch : {16u, 64u, 256u, 1024u, 64u * 1024}) {
      for (const u64 n : {0u, 1u, 7u, 40u, 200u, 700u}) {
        const table_on_cpu tree(fmt::format("{} scratch={}", shape, scratch), sevens(n));
        const reads here = look_up_everything(*tree.built());
        all.scratch += here.scratch, all.global += here.global;
        ASSERT_TRUE(here.scratch == 0 || scratch != 16) << "no node is so small";
        ASSERT_TRUE(here.global == 0 || scratch != 64 * 1024) << "all of them fit";
      }
    }
  }
  EXPECT_GT(all.scratch, 10000u);
  EXPECT_GT(all.global, 10000u);
}

// Inner nodes are split, the root too: what is pinned is what lies there behind the batch.
TEST(pinned_nodes, are_those_of_the_tree_that_writes_left) {
  for (const char* shape : shapes) {
    for (const u32 scratch : {64u, 256u, 64u * 1024}) {
      for (const u64 n : {0u, 40u, 200u}) {
        table_on_cpu tree(fmt::format("{} scratch={}", shape, scratch), sevens(n));
        script s(tree.width());
        for (u64 key = 0; key < 4 * n + 150; ++key) s.add({operation::insert, 3 * key + 1});
        for (u64 key = 0; key < 12 * n + 450; ++key) s.add({operation::find, key});
        const script_record record = tree.run(s);
        const u32 before = tree.built()->state_as<btree_view>().inner, now = record.index->state_as<btree_view>().inner;
        ASSERT_GT(now, before) << "an inner node was split";
        look_up_everything(*record.index);
      }
    }
  }
}

TEST(pinned_nodes, need_whole_cells_side_by_side) {
  const auto refused = [](const char* line) {
    const auto config = config_from_line(line);
    return config ? "" : config.error().words;
  };
  EXPECT_EQ(refused("BTREE layout=soa scratch=16KiB"),
            "the config BTREE layout=soa scratch=16KiB is refused: scratch=16KiB needs layout=aos: with soa children "
            "do not lie beside their separators");
  EXPECT_EQ(refused("BTREE scratch=100"),
            "the config BTREE scratch=100 is refused: scratch=100 is not a multiple of 16 bytes up to 227KiB");
  EXPECT_EQ(refused("BTREE scratch=16KiB"), "");
}

}  // namespace
}  // namespace pivotscope
