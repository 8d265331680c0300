// The tree and the rows of cells against searches of every key and loops over every cell.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

#include "core/families/ordered/mapping.hpp"
#include "core/index/config_text.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "tests/support/walk.hpp"
#include "viz/cells/cells.hpp"
#include "viz/models/tree_model.hpp"

namespace pivotscope::viz {
namespace {

using testing::config_of;
using testing::walked_step;

constexpr const char* searched_lines[] = {"AO+BS",
                                          "AO+KS fanout=5",
                                          "EO+BS",
                                          "EO+KS fanout=3",
                                          "EO+KS fanout=9",
                                          "AO+PB+BS",
                                          "AO+PB+KS fanout=3",
                                          "AO+PB+KS fanout=9",
                                          "AO+PB+BS pivots=2",
                                          "AO+PB+KS fanout=3 pivots=1"};

class drawn_tree {
 public:
  drawn_tree(const char* line, u64 n) : config_(config_of(line)) {
    tree = make_tree(*model_of(config_, n));
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      at_[{tree.nodes[i].region, tree.nodes[i].first}] = static_cast<int>(i);
    }
  }

  int node_of(region_id array, u64 first) const {
    const auto found = at_.find({array, first});
    return found == at_.end() ? -2 : found->second;
  }
  const ordered_config& config() const { return config_; }

  tree_model tree;

 private:
  ordered_config config_;
  std::map<std::pair<region_id, u64>, int> at_;
};

// A lookup goes from a node to one whose parent it is; every node is on some lookup's path, with the level of that
// step.
TEST(TreeBySearch, EveryLookupWalksFromParentToChild) {
  for (const char* line : searched_lines) {
    const bool trimmed = knobs_of(config_of(line)).pivots != 0;
    for (const u64 n : {1ull, 2ull, 3ull, 7ull, 8ull, 9ull, 26ull, 27ull, 28ull, 80ull, 150ull}) {
      SCOPED_TRACE(std::string(line) + " n=" + std::to_string(n));
      const drawn_tree drawn(line, n);
      std::vector<u64> sorted(n);
      for (u64 i = 0; i < n; ++i) sorted[i] = 2 * i + 1;
      testing::walker walk(drawn.config(), sorted);
      std::vector<bool> visited(drawn.tree.nodes.size(), false);
      for (u64 key = 0; key <= 2 * n; ++key) {
        walk.find(key);
        int before = -1;
        u32 gap = 0;
        for (const walked_step& step : walk.steps()) {
          if (step.reads.empty()) continue;
          if (trimmed && step.reads[0].array == ordered_region::entries) break;  // within a leaf
          // The entry arrived at: of those that were read before, but the last one, to which a way leads of its own.
          const bool arrived = drawn.config().order == order_kind::ascending && step.length == 0;
          if (arrived && step.reads[0].slot != n - 1) break;
          std::set<u64> slots;
          for (const testing::walked_read& read : step.reads) slots.insert(read.slot);
          const int node = drawn.node_of(step.reads[0].array, *slots.begin());
          ASSERT_GE(node, 0) << "slot " << *slots.begin();
          const tree_node& here = drawn.tree.nodes[static_cast<std::size_t>(node)];
          EXPECT_EQ(here.level, arrived ? step.level - 1 : step.level) << "beside the node from which it is arrived at";
          ASSERT_EQ(here.cells, slots.size());
          u32 cell = 0;
          for (const u64 slot : slots) EXPECT_EQ(here.cell(cell++), slot);
          EXPECT_EQ(here.parent, before) << "slot " << here.first;
          EXPECT_EQ(here.gap, before < 0 ? 0 : gap) << "slot " << here.first;
          visited[static_cast<std::size_t>(node)] = true;
          before = node;
          // Of the keys just read, so many lie to the left of where the search goes on: those that are less.
          gap = 0;
          for (const testing::walked_read& read : step.reads) gap += read.rank != no_rank && sorted[read.rank] < key;
        }
      }
      for (std::size_t i = 0; i < visited.size(); ++i) {
        const tree_node& node = drawn.tree.nodes[i];
        if (trimmed && node.region == ordered_region::entries) continue;  // read at the very end
        EXPECT_TRUE(visited[i]) << "node " << i;
      }
    }
  }
}

// Of a pivot buffer every node stands over the middle of its leaves, of an Eytzinger tree over that of a full one's; in
// ascending order in the middle of its ranks.
TEST(TreeBySearch, NodesStandWhereTheirKeysAre) {
  for (const char* line : searched_lines) {
    for (const u64 n : {1ull, 5ull, 14ull, 27ull, 100ull}) {
      SCOPED_TRACE(std::string(line) + " n=" + std::to_string(n));
      const drawn_tree drawn(line, n);
      const std::vector<tree_node>& nodes = drawn.tree.nodes;
      const u64 leaves = static_cast<u64>(std::count_if(
          nodes.begin(), nodes.end(), [&](const tree_node& node) { return node.region == ordered_region::entries; }));
      std::vector<double> least(nodes.size(), 2), greatest(nodes.size(), -1);  // middles of the leaves below
      for (std::size_t i = nodes.size(); i-- > 0;) {
        const tree_node& node = nodes[i];
        if (drawn.config().order == order_kind::ascending) {
          const double between = static_cast<double>(node.first + node.cell(node.cells - 1)) / 2;
          EXPECT_DOUBLE_EQ(node.middle, (between + 0.5) / static_cast<double>(n));
          continue;
        }
        if (drawn.config().order == order_kind::eytzinger) {
          u64 level_nodes = 1, before = 0;
          for (u32 l = 0; l < node.level; ++l) before += level_nodes, level_nodes *= drawn.config().fanout;
          EXPECT_DOUBLE_EQ(node.middle, (static_cast<double>(i - before) + 0.5) / static_cast<double>(level_nodes));
          continue;
        }
        if (node.region == ordered_region::entries) {
          const double number = static_cast<double>(node.first / node.cells);
          EXPECT_DOUBLE_EQ(node.middle, (number + 0.5) / static_cast<double>(leaves));
          least[i] = greatest[i] = node.middle;
        }
        EXPECT_DOUBLE_EQ(node.middle, (least[i] + greatest[i]) / 2);
        if (node.parent < 0) continue;
        const auto parent = static_cast<std::size_t>(node.parent);
        least[parent] = std::min(least[parent], least[i]);
        greatest[parent] = std::max(greatest[parent], greatest[i]);
      }
      std::map<u32, u64> slots;
      for (const tree_node& node : nodes) slots[node.level] += node.cells;
      u64 widest = 0;
      for (const auto& [level, count] : slots) widest = std::max(widest, count);
      EXPECT_EQ(drawn.tree.widest, widest);
      EXPECT_EQ(drawn.tree.levels, make_shape(drawn.config(), n).levels);
    }
  }
}

// The three rows of an index.
TEST(CellsByLoop, EveryRowFindsItsCellsAndCountsItsLevels) {
  for (const char* line : searched_lines) {
    for (const u64 n : {1ull, 2ull, 14ull, 61ull}) {
      SCOPED_TRACE(std::string(line) + " n=" + std::to_string(n));
      std::vector<u32> keys(n);
      std::iota(keys.begin(), keys.end(), 0u);
      const ordered_config config = config_of(line);
      const auto index = testing::build_on_cpu(config, key_array(keys));
      const index_shape& shape = shape_of(*index);
      const auto model = model_of(*index);
      const std::unique_ptr<cell_row> rows[] = {sorted_row(model), region_row(model, ordered_region::entries),
                                                region_row(model, ordered_region::pivots)};
      const u64 sizes[] = {n, shape.entry_slots, shape.pivot_slots};
      for (std::size_t r = 0; r < 3; ++r) {
        SCOPED_TRACE(r);
        const cell_row& row = *rows[r];
        ASSERT_EQ(row.count(), sizes[r]);
        EXPECT_EQ(row.in_memory(), r != 0);
        EXPECT_EQ(row.stride(), r == 0 ? 0 : r == 1 ? entry_bytes(config) : key_bytes(config.keys));
        EXPECT_EQ(row.fields().size(), r == 0 ? 0u : r == 1 ? 2u : 1u);
        const bool ascend = r == 0 || (r == 1 && config.order != order_kind::eytzinger);
        EXPECT_EQ(row.left_ascends(), ascend);
        std::map<u64, u64> cell_of;  // by rank
        for (u64 cell = 0; cell < row.count(); ++cell) {
          const cell_place place = row.at(cell);
          EXPECT_EQ(place.array, r == 2 ? ordered_region::pivots : ordered_region::entries);
          const u64 right = r == 2 ? pivot_rank(config, shape, place.slot) : entry_rank(config, shape, place.slot);
          EXPECT_EQ(place.rank, right);
          EXPECT_EQ(!place.live(), right == no_rank);
          EXPECT_EQ(place.level,
                    r == 2 ? pivot_level(config, shape, place.slot) : entry_level(config, shape, place.slot));
          if (r == 0) {
            EXPECT_EQ(place.rank, cell);
          }
          if (r != 0) {
            EXPECT_EQ(place.slot, cell);
          }
          if (place.rank != no_rank) {
            EXPECT_EQ(row.cell_of_slot(place.array, place.slot), cell);
            cell_of[place.rank] = cell;
          } else if (r != 0) {
            EXPECT_EQ(row.cell_of_slot(place.array, place.slot), cell) << "empty, but a cell";
          }
        }
        for (u64 rank = 0; rank <= n; ++rank) {
          const auto found = row.cell_of_rank(rank);
          EXPECT_EQ(found.has_value(), cell_of.contains(rank)) << rank;
          if (found) {
            EXPECT_EQ(row.at(*found).rank, rank);
          }
        }
        if (r != 0) {
          EXPECT_FALSE(row.cell_of_slot(r == 2 ? ordered_region::pivots : ordered_region::entries, row.count()));
          EXPECT_FALSE(row.cell_of_slot(r == 2 ? ordered_region::entries : ordered_region::pivots, 0));
        }
        for (u64 first = 0; first <= row.count(); first += 1 + row.count() / 9) {
          for (u64 end = first; end <= row.count(); end += 1 + row.count() / 7) {
            u64 counted[max_levels], right[max_levels] = {};
            std::fill(std::begin(counted), std::end(counted), 77);
            row.count_levels(first, end, counted);
            for (u64 cell = first; cell < end; ++cell) {
              if (r == 2 || row.at(cell).rank != no_rank) ++right[row.at(cell).level];
            }
            for (u32 level = 0; level < max_levels; ++level) {
              EXPECT_EQ(counted[level], right[level]) << first << " to " << end << ", level " << level;
            }
          }
        }
      }
      if (shape.pivot_slots > 0) {
        const u64 rank = pivot_rank(config, shape, 0);
        if (rank != no_rank) {
          EXPECT_EQ(rows[0]->cell_of_slot(ordered_region::pivots, 0), rank) << "the entry of a pivot";
        }
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope::viz
