// Batches that look for their leaves before anything is written: operations that begin at a leaf as it was, beside others
// that have changed it since.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/families/btree/btree.hpp"
#include "core/families/btree/hot_configs.hpp"
#include "core/families/btree/tight_starts.hpp"
#include "core/index/config_text.hpp"
#include "core/index/family.hpp"
#include "core/simt/host_block.hpp"
#include "core/simt/looked_ahead.hpp"
#include "core/verify/interleaving.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::table_on_cpu;

// The memory before any operation of the case that is tried now.
const shared_regions* before_the_batch = nullptr;
// Of the tree in it. A find afterwards, in a tree that has grown, goes down by itself.
std::optional<u32> levels_before_the_batch;

template <class Key>
u32 leaf_before_the_batch(const index_config& config, const state_view& view, Key key) {
  direct_source source;
  for (std::size_t r = 0; r < before_the_batch->size(); ++r) source.regions[r] = (*before_the_batch)[r].data();
  no_recorder nobody;
  host_memory<no_recorder, direct_source> memory(source, nobody);
  const dynamic_config search{btree::for_writes(btree_config::of(config))};
  host_lanes<no_recorder> lanes(search.value.lanes, nobody);
  auto one = wave_of(lanes, memory, key);
  return btree::look_ahead(search, one, view)[0];
}

// Does an operation of a batch that looked ahead.
write_done from_its_leaf(const index_config& config, interleaved_memory& memory, const build_view& view,
                         const question& asked, script_answer& answer) {
  const dynamic_config here{btree::for_writes(btree_config::of(config))};
  const auto perform_as = [&]<class Key>(Key key) {
    host_lanes alone(here.value.lanes, memory.recorder());
    lanes_that_looked lanes(alone, leaf_before_the_batch(config, view, key));
    memory.recorder().all_lanes();
    const write_done done =
        perform<btree>(here, lanes, memory, view, asked.kind, key, static_cast<Key>(asked.high), asked.row, answer);
    memory.recorder().lane(0);
    return done;
  };
  return config.keys == key_width::u32 ? perform_as(static_cast<u32>(asked.key)) : perform_as(asked.key);
}

std::unique_ptr<interleaving> looked_ahead(machine& cpu, const index_config& config, const interleaved_case& c) {
  // What comes before the batch goes down by itself, too.
  before_the_batch = nullptr;
  levels_before_the_batch.reset();
  const auto from_leaves = [](const index_config& of, interleaved_memory& memory, const build_view& view,
                              const question& asked, script_answer& answer) {
    const u32 levels = view.as<btree_view>().levels;
    if (before_the_batch && !levels_before_the_batch) levels_before_the_batch = levels;
    if (!before_the_batch || levels != *levels_before_the_batch)
      return family_of(of).on_trace().interleaved(of, memory, view, asked, answer);
    return from_its_leaf(of, memory, view, asked, answer);
  };
  auto made = interleaving::make(cpu, config, c, from_leaves);
  EXPECT_TRUE(made) << made.error().words;
  before_the_batch = &(*made)->begin();
  return std::move(*made);
}

constexpr const char* configs[] = {"BTREE node=8 lanes=2", "BTREE node=8 lanes=1 layout=soa",
                                   "BTREE node=8 lanes=2 keys=u64", "BTREE node=8 lanes=1 duplicates=on",
                                   "BTREE node=8 lanes=2 wait=spin"};

// A leaf that has no room, or was split, is looked for from the root.
TEST(looking_ahead, begins_at_leaves_and_goes_from_there_as_others_have_changed_them) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0, pairs = 0, right_away = 0;
  for (const char* line : {configs[0], configs[1], configs[3]}) {
    const index_config config = *config_from_line(line);
    const family& f = family_of(config);
    for (const tight_start& start : f.tight_starts(config)) {
      const u64 key = start.next[0];
      for (const operation first : all_operations) {
        for (const operation second : all_operations) {
          if (!f.serves(first) || !f.serves(second) || (!is_write(first) && !is_write(second))) continue;
          for (const u64 other : {key, start.next[1]}) {
            interleaved_case c{.keys = start.keys, .before = start.before};
            c.operations = {{first, key}, {second, other}};
            for (question& o : c.operations)
              if (o.kind == operation::range) o.high = o.key + 2;
            const auto pair = looked_ahead(*cpu, config, c);
            const interleaving_report report = pair->two_switches();
            schedules += report.schedules, ++pairs;
            ASSERT_FALSE(report.failing) << start.name << ", " << line << ": " << report.words << "\n" << to_text(c);
            const auto alone = pair->run({}).accesses;
            right_away +=
                std::ranges::none_of(alone, [](const shared_access& a) { return a.region == btree_region::inner; });
          }
        }
      }
    }
  }
  EXPECT_GT(pairs, 500u);
  EXPECT_GT(schedules, 6 * pairs);
  EXPECT_GT(right_away, pairs / 4) << "no inner node is read where no leaf is split";
}

// Leaves that were found before are split several times before an operation comes to them.
TEST(looking_ahead, drawn_schedules_of_many_operations_come_to_what_some_order_of_them_does) {
  const auto cpu = detail::open_cpu();
  u64 schedules = 0;
  for (const char* line : configs) {
    const index_config config = *config_from_line(line);
    for (u64 seed = 0; seed < 12; ++seed) {
      u64 drawn = 0;
      const auto below = [&](u64 n) { return random_bits(seed, drawn++) % n; };
      interleaved_case c;
      for (u64 key = 0; key < 21; ++key) c.keys.push_back(10 * key);
      const u64 base = 10 * below(20);
      for (u64 i = 0; i < 24; ++i) {
        const u64 key = base + below(12);
        const u64 kind = below(10);
        if (kind < 6)
          c.operations.push_back({operation::insert, key});
        else if (kind < 8)
          c.operations.push_back({operation::erase, key});
        else if (kind < 9)
          c.operations.push_back({operation::find, key});
        else
          c.operations.push_back({operation::range, key, key + 5});
      }
      const auto made = looked_ahead(*cpu, config, c);
      const interleaving_report report = made->random(20, seed);
      schedules += report.schedules;
      ASSERT_FALSE(report.failing) << line << ", seed " << seed << ": " << report.words;
    }
  }
  EXPECT_EQ(schedules, std::size(configs) * 12 * 20);
}

// A batch makes many leaves of one. Who comes later goes by a few links, not by all, and then from the root.
TEST(looking_ahead, goes_from_the_root_behind_a_few_links) {
  const auto cpu = detail::open_cpu();
  constexpr u64 inserts = 31;  // with one more they are as many as are interleaved
  for (const char* line : {configs[0], configs[1], configs[2]}) {
    const index_config config = *config_from_line(line);
    const u32 node = btree_config::of(config).node;
    for (const question& last : {question{operation::find, inserts}, question{operation::erase, inserts},
                                 question{operation::insert, inserts + 1}, question{operation::find, 2}}) {
      interleaved_case c{.keys = {0}};
      for (u64 key = 1; key <= inserts; ++key) c.operations.push_back({operation::insert, key});
      c.operations.push_back(last);
      const auto made = looked_ahead(*cpu, config, c);
      const interleaved_run run = made->run({});
      ASSERT_EQ(run.fault, "") << line;
      std::set<u64> leaves, all_leaves;
      bool from_root = false;
      for (const shared_access& a : run.accesses) {
        if (a.what == shared_access::kind::fence || a.what == shared_access::kind::arrival) continue;
        if (a.region == btree_region::inner) from_root |= a.task == inserts;
        if (a.region != btree_region::entries) continue;
        const u64 leaf = a.byte / made->model()->region(a.region).cell_bytes / node;
        all_leaves.insert(leaf);
        if (a.task == inserts) leaves.insert(leaf);
      }
      const bool is_near = last.key == 2;
      EXPECT_GE(all_leaves.size(), 8u) << line;
      EXPECT_EQ(from_root, !is_near) << line;
      EXPECT_LE(leaves.size(), is_near ? 1 : btree::most_links + 1 + 2) << line;  // the leaf at last, and a new one
    }
  }
}

// Many threads, thousands of operations on few leaves, on the cpu machine as it is.
TEST(looking_ahead, of_thousands_of_operations_on_few_leaves_is_right) {
  for (const char* line : {"BTREE node=8 lanes=2", "BTREE", "BTREE layout=soa", "BTREE keys=u64", "BTREE duplicates=on",
                           "BTREE wait=spin", "BTREE node=8 lanes=1 look=each"}) {
    std::vector<u64> keys;
    for (u64 i = 0; i < 40; ++i) keys.push_back(100 * i);
    table_on_cpu tree(line, keys);
    script s(tree.width());
    for (u64 round = 0; round < 3; ++round) {
      for (u64 i = 0; i < 3000; ++i) s.add({operation::insert, (i * 7919 + round * 31) % 4001});
      for (u64 i = 0; i < 3000; ++i) s.add({operation::find, (i * 104729) % 4001});
      for (u64 i = 0; i < 1000; ++i) s.add({operation::erase, (i * 7907 + round) % 4001});
    }
    tree.run(s);
  }
}

// The cpu machine has code of its own for usual configs: not for writes that go otherwise.
TEST(looking_ahead, and_every_other_knob_of_writes_is_what_the_config_says) {
  const auto chosen = [](const char* line) {
    const btree_config asked = btree_config::of(*config_from_line(line));
    btree_config got;
    with_hot_config_of_writes<btree_hot_configs>(asked, [&](auto config, auto) { got = config.value; });
    got.lanes = asked.lanes, got.fill = asked.fill, got.look = asked.look;
    EXPECT_EQ(got, asked) << line;
    return got;
  };
  for (const char* line : {"BTREE", "BTREE wait=spin", "BTREE fences=none", "BTREE links=none", "BTREE latches=coupled",
                           "BTREE l1=bypassed", "BTREE look=each", "BTREE duplicates=on", "BTREE writes=combined"})
    chosen(line);
  const auto looks = [](const char* line) { return btree::looks_ahead(btree_config::of(*config_from_line(line))); };
  EXPECT_TRUE(looks("BTREE"));
  EXPECT_TRUE(looks("BTREE duplicates=on keys=u64"));
  for (const char* line : {"BTREE look=each", "BTREE latches=coupled", "BTREE writes=combined"})
    EXPECT_FALSE(looks(line)) << line;
}

}  // namespace
}  // namespace pivotscope
