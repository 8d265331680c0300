// Trees as they are built and as single writes change them. Every invariant is checked after every batch, and every entry.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "core/families/btree/tight_starts.hpp"
#include "core/verify/interleaving.hpp"
#include "tests/core/families/btree/whole_tree.hpp"
#include "tests/support/table_on_cpu.hpp"

namespace pivotscope {
namespace {

using testing::table_on_cpu;
using testing::whole_tree;

const char* const all_layouts[] = {"BTREE", "BTREE layout=soa", "BTREE keys=u64", "BTREE keys=u64 layout=soa"};

btree_config btree_of(const char* line) { return btree_config::of(*config_from_line(line)); }
std::vector<u64> tens(u64 count) {
  std::vector<u64> keys(count);
  for (u64 i = 0; i < count; ++i) keys[i] = 10 * (i + 1);
  return keys;
}
// Does a script, one batch after the other, and looks through the tree after each.
whole_tree after(const std::string& line, const std::vector<u64>& keys, const script& s) {
  table_on_cpu tree(line, keys);
  const script_record record = tree.run(s);
  whole_tree whole(*record.index);
  EXPECT_EQ(whole.fault(), "") << line;
  return whole;
}
script inserts(key_width width, const std::vector<u64>& keys) {
  script s(width);
  for (const u64 key : keys) s.add({operation::insert, key}), s.add({operation::find, key});
  return s;
}

// All numbers of 31 bits would take long: those around multiples, where a quotient goes up, and the greatest.
TEST(small_divisors, divide_as_division_does) {
  for (u32 by = 1; by <= 32; ++by) {
    const small_divisor divisor = small_divisor::of(by);
    for (u32 n = 0; n < 1u << 12; ++n) ASSERT_EQ(divisor.divide(n), n / by) << n << " by " << by;
    for (u64 near = by; near < 1ull << 31; near += u64{by} * 4099)
      for (u64 n = near - 1; n <= near; ++n)
        ASSERT_EQ(divisor.divide(static_cast<u32>(n)), n / by) << n << " by " << by;
    for (u32 n = (1u << 31) - 1000; n < 1u << 31; ++n) ASSERT_EQ(divisor.divide(n), n / by) << n << " by " << by;
  }
}

// Every rank is in the leaf whose first key is the last one before it; at the ends of the greatest tree, too.
TEST(shapes, tell_where_the_key_of_a_rank_is) {
  const btree_config configs[] = {btree_of("BTREE"), btree_of("BTREE fill=100 node=32 lanes=8"),
                                  btree_of("BTREE fill=50 node=8 lanes=2")};
  for (const btree_config& c : configs) {
    std::vector<u64> sizes(700);
    std::iota(sizes.begin(), sizes.end(), 1);
    for (const u64 n : {(1ull << 30) - 1, 1ull << 30}) sizes.push_back(n);
    for (const u64 n : sizes) {
      const btree_shape shape = btree_shape::over(c, n);
      ASSERT_EQ(shape.first_key(0), 0u);
      ASSERT_EQ(shape.first_key(shape.leaves), n);
      for (u64 i = 0; i<n; i = n> 700 && i == 1000 ? n - 1000 : i + 1) {
        const leaf_place at = shape.place_of(static_cast<u32>(i));
        ASSERT_EQ(shape.first_key(at.leaf) + at.slot, i) << n << " keys";
        ASSERT_EQ(shape.first_key(at.leaf + 1) - shape.first_key(at.leaf), at.keys) << n << " keys";
        ASSERT_LT(at.slot, at.keys) << n << " keys";
      }
      for (u32 level = 0; level < shape.levels; ++level) {
        const u32 below = level + 1 == shape.levels ? shape.leaves : shape.nodes(level + 1);
        ASSERT_EQ(shape.first_child(level, shape.nodes(level)), below) << n << " keys";
        ASSERT_EQ(shape.level_of(shape.first(level)), level);
        ASSERT_EQ(shape.level_of(shape.begin[level + 1] - 1), level);
      }
    }
  }
}

// Every number of keys, every size of a node, at the ends of the fill.
TEST(trees, of_every_small_size_are_whole) {
  const auto cpu = detail::open_cpu();
  u64 trees = 0;
  for (const char* layout : all_layouts) {
    for (const u32 node : {8u, 16u, 32u}) {
      for (const u32 fill : {50u, 70u, 100u}) {
        index_config config =
            *config_from_line(fmt::format("{} node={} lanes={} fill={}", layout, node, node / 4, fill));
        for (u64 n = 0; n <= 200; n += n < 40 ? 1 : 7) {
          key_array keys(config.keys, n);
          keys.visit([&]<class Key>(std::vector<Key>& list) {
            for (u64 i = 0; i < n; ++i) list[i] = static_cast<Key>(i + 1 == n ? ~Key{0} : 7 * i);
          });
          const auto set = *key_set::load(*cpu, std::move(keys), {});
          const auto index = cpu->build(config, set->resident(), {});
          ASSERT_TRUE(index) << index.error().words;
          const whole_tree whole(**index);
          ASSERT_EQ(whole.fault(), "") << to_line(config) << ", " << n << " keys";
          ASSERT_EQ(whole.entries().size(), n);
          for (const auto& leaf : whole.leaf_keys()) ASSERT_TRUE(std::ranges::is_sorted(leaf));
          ++trees;
        }
      }
    }
  }
  EXPECT_EQ(trees, 4u * 3 * 3 * 63);
}

TEST(trees, of_equal_keys_keep_one_of_each) {
  for (const char* layout : all_layouts) {
    for (const u64 distinct : {1u, 2u, 5u, 40u}) {
      std::vector<u64> keys(300);
      for (u64 i = 0; i < keys.size(); ++i) keys[i] = i * 7 % distinct;
      const index_config config = *config_from_line(layout);
      script s(config.keys);
      for (u64 key = 0; key <= distinct; ++key) s.add({operation::matches, key});
      s.add({operation::insert, distinct});
      EXPECT_EQ(after(std::string(layout) + " node=8 lanes=2", keys, s).entries().size(), distinct + 1);
    }
  }
}

std::vector<u64> tens_between(u64 first, u64 last) {
  std::vector<u64> keys;
  for (u64 key = first; key <= last; key += 10) keys.push_back(key);
  return keys;
}

// One insertion, and a split of each kind: what lies where, before and after.
TEST(splits, of_a_leaf_an_inner_node_and_the_root) {
  for (const std::string layout : all_layouts) {
    SCOPED_TRACE(layout);
    const key_width width = config_from_line(layout)->keys;
    const std::string line = layout + " node=8 lanes=1 fill=57 look=each";
    using keys = std::vector<std::vector<u64>>;
    const std::vector<u64> built = tens(8);
    EXPECT_EQ(after(line, built, script(width)).leaf_keys(), (keys{{10, 20, 30, 40}, {50, 60, 70, 80}}));
    // Into a free cell, where it comes.
    EXPECT_EQ(after(line, built, inserts(width, {15})).leaf_keys(), (keys{{10, 20, 30, 40, 15}, {50, 60, 70, 80}}));
    // A leaf of seven is split: its four least keys stay, and 14 goes to the first cell that is freed.
    const whole_tree leaf = after(line, built, inserts(width, {15, 12, 13, 14}));
    EXPECT_EQ(leaf.leaf_keys(), (keys{{10, 14, 15, 12, 13}, {20, 30, 40}, {50, 60, 70, 80}}));
    EXPECT_EQ(leaf.separators(0), (keys{{0, 20, 50}}));
    // With ever greater keys every fourth insert splits the last leaf, until the root has seven.
    const whole_tree full_root = after(line, built, inserts(width, tens_between(90, 280)));
    EXPECT_EQ(full_root.separators(0), (keys{{0, 50, 90, 130, 170, 210, 250}}));
    // The next insert splits it, in place.
    const whole_tree root = after(line, built, inserts(width, tens_between(90, 290)));
    EXPECT_EQ(root.separators(0), (keys{{0, 170}}));
    EXPECT_EQ(root.separators(1), (keys{{0, 50, 90, 130}, {170, 210, 250}}));
    EXPECT_EQ(root.leaf_keys().back(), (std::vector<u64>{250, 260, 270, 280, 290}));
    // Four leaves more under its right child, which is full then, and the insert that comes through it splits it.
    const whole_tree full = after(line, built, inserts(width, tens_between(90, 440)));
    EXPECT_EQ(full.separators(1).back(), (std::vector<u64>{170, 210, 250, 290, 330, 370, 410}));
    const whole_tree inner = after(line, built, inserts(width, tens_between(90, 450)));
    EXPECT_EQ(inner.separators(0), (keys{{0, 170, 330}}));
    EXPECT_EQ(inner.separators(1), (keys{{0, 50, 90, 130}, {170, 210, 250, 290}, {330, 370, 410}}));
    EXPECT_EQ(inner.levels(), 2u);
  }
}

// All orders in which eight keys come to an empty leaf, of which the last one splits it.
TEST(splits, of_all_orders_of_eight_keys_leave_whole_trees) {
  std::vector<u64> keys = {0, 10, 20, 30, 40, 50, 60, ~u32{0}};
  u64 orders = 0;
  do {
    if (orders++ % 16 != 0) continue;
    const whole_tree whole = after("BTREE node=8 lanes=1", {}, inserts(key_width::u32, keys));
    ASSERT_EQ(whole.entries().size(), 8u);
    ASSERT_EQ(whole.leaf_keys().size(), 2u);
  } while (std::next_permutation(keys.begin(), keys.end()));
  EXPECT_EQ(orders, 40320u);
}

// Thousands of inserts at once, by all threads, into small nodes: every kind of split on every level, many at once.
TEST(splits, of_many_at_once_leave_a_whole_tree) {
  for (const char* layout : all_layouts) {
    for (const char* knobs :
         {" node=8 lanes=1", " node=8 lanes=1 look=each", " node=16 lanes=4", " node=32 lanes=4 fill=100",
          " node=8 lanes=1 latches=coupled", " node=8 lanes=2 l1=bypassed wait=spin"}) {
      SCOPED_TRACE(fmt::format("{}{}", layout, knobs));
      const key_width width = config_from_line(layout)->keys;
      script s(width);
      constexpr u64 count = 6000;
      for (u64 i = 0; i < count; ++i) s.add({operation::insert, i * 2654435761u % 65536 * 3});
      for (u64 i = 0; i < count; i += 3) s.add({operation::erase, i * 2654435761u % 65536 * 3});
      for (u64 i = 0; i < count; i += 2) s.add({operation::insert, i});
      const whole_tree whole = after(std::string(layout) + knobs, tens(20), s);
      EXPECT_GT(whole.levels(), 1u);
    }
  }
}

TEST(trees, that_lost_all_their_keys_are_searched_and_filled_again) {
  for (const char* layout : all_layouts) {
    const key_width width = config_from_line(layout)->keys;
    script s(width);
    for (const u64 key : tens(100)) s.add({operation::erase, key});
    for (const u64 key : {u64{0}, u64{500}, u64{2000}}) {
      s.add({operation::find, key});
      s.add({operation::successor, key}), s.add({operation::range, key, 5000});
    }
    EXPECT_EQ(after(std::string(layout) + " node=8 lanes=2", tens(100), s).entries().size(), 0u);
    for (const u64 key : tens(120)) s.add({operation::insert, key - 5});
    s.add(maintenance::rebuild);
    for (const u64 key : {u64{0}, u64{500}, u64{2000}}) s.add({operation::successor, key});
    const whole_tree filled = after(std::string(layout) + " node=8 lanes=2", tens(100), s);
    EXPECT_EQ(filled.entries().size(), 120u);
    EXPECT_EQ(filled.view().leaves, leaves_for(btree_config{.keys = width, .lanes = 2, .node = 8}, 120)) << "rebuilt";
  }
}

// A null link at the greatest key leads nowhere; keys below the leftmost separator belong to the leftmost leaf.
TEST(trees, take_the_ends_of_the_key_space) {
  for (const char* layout : all_layouts) {
    const key_width width = config_from_line(layout)->keys;
    const u64 greatest = width == key_width::u32 ? ~u32{0} : ~u64{0};
    const std::vector<u64> ends = {0, 1, greatest, greatest - 1};
    script s(width);
    for (const u64 key : ends) s.add({operation::find, key}), s.add({operation::successor, key});
    for (const u64 key : ends) s.add({operation::insert, key});
    for (u64 i = 0; i < 30; ++i) s.add({operation::insert, greatest - i});
    for (const u64 key : ends) s.add({operation::find, key}), s.add({operation::successor, key});
    s.add({operation::range, 0, greatest}), s.add({operation::range, greatest, greatest});
    for (const u64 key : ends) s.add({operation::erase, key});
    for (const u64 key : ends) s.add({operation::find, key}), s.add({operation::lower_bound, key});
    for (const u64 key : ends) s.add({operation::erase, key});  // which are not there
    for (const u64 n : {0u, 1u, 100u}) after(std::string(layout) + " node=8 lanes=1", tens(n), s);
  }
}

// Full leaves, each of which the first insert splits: more nodes than a batch is likely to need.
TEST(rooms, for_splits_of_full_leaves_are_made_and_no_node_is_lost) {
  std::vector<std::string> lines(std::begin(all_layouts), std::end(all_layouts));
  for (const char* layout : all_layouts) lines.push_back(std::string(layout) + " latches=coupled");
  for (const std::string& layout : lines) {
    SCOPED_TRACE(layout);
    const std::string line = layout + " node=8 lanes=2 fill=100";
    const key_width width = config_from_line(line)->keys;
    script s(width);
    for (u64 i = 0; i < 2000; i += 7) s.add({operation::insert, 10 * i + 5});
    for (u64 i = 0; i < 2000; i += 2) s.add({operation::find, 10 * i + 5});
    for (u64 i = 0; i < 2000; i += 3) s.add({operation::insert, 10 * i + 6});
    table_on_cpu tree(line, tens(2000));
    const script_record record = tree.run(s);
    const whole_tree whole(*record.index);
    EXPECT_EQ(whole.fault(), "");
    EXPECT_EQ(record.batches[0].counts, (write_counts{.added = 286}));
    EXPECT_GE(testing::stages(record.batches[0], "empty leaves"), 2u) << "once before the batch, and once more";
  }
}

TEST(tight_trees, are_one_insert_before_a_split) {
  const auto cpu = detail::open_cpu();
  std::map<std::string, u64> seen;
  for (const key_width keys : {key_width::u32, key_width::u64}) {
    for (const cell_layout layout : {cell_layout::aos, cell_layout::soa}) {
      for (const u32 node : {8u, 16u}) {
        for (const u32 fill : {50u, 70u, 100u}) {
          const btree_config config{keys, node / 4, node, fill, layout};
          for (const tight_start& start : tight_trees(config)) {
            SCOPED_TRACE(to_line(index_config(config)) + ": " + start.name);
            const auto made = interleaving::make(
                *cpu, config,
                {.keys = start.keys, .before = start.before, .operations = {{operation::insert, start.next[0]}}});
            ASSERT_TRUE(made) << made.error().words;
            const interleaved_run ran = (*made)->run({});
            EXPECT_EQ(ran.fault, "");
            const auto took = [&](u32 which) {
              return std::ranges::count_if(ran.accesses, [&](const shared_access& a) {
                return a.what == shared_access::kind::add && a.region == btree_region::pool && a.byte == which * 4;
              });
            };
            EXPECT_EQ(took(pool_leaves), start.name.find("leaf") != std::string::npos ? 1 : 0);
            EXPECT_EQ(took(pool_inner),
                      start.name.find("is full") != std::string::npos && start.name.find("leaf") == std::string::npos
                          ? 1
                          : 0);
            EXPECT_EQ(took(pool_levels), start.name.starts_with("the root is full") ? 1 : 0);
            ++seen[start.name];
          }
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 5u);
  for (const auto& [name, count] : seen) EXPECT_GE(count, 12u) << name;
}

}  // namespace
}  // namespace pivotscope
