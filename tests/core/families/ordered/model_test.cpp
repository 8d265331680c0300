// What views are told of an index against the formulas, for every order, K, layout, width and trimming, cell by cell.
#include "core/families/ordered/ordered_model.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <string>

#include "core/families/ordered/mapping.hpp"
#include "core/families/ordered/rank_counts.hpp"
#include "core/index/check.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"

namespace pivotscope {
namespace {

using testing::config_of;

constexpr u64 sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 14, 15, 16, 26, 27, 28, 61, 80, 100};

std::vector<ordered_config> configs() {
  std::vector<ordered_config> list;
  for (const char* method : {"AO+BS", "AO+KS", "EO+BS", "EO+KS", "AO+PB+BS", "AO+PB+KS"}) {
    for (const char* fanout : {"2", "3", "5", "9"}) {
      const bool binary = std::string(method).ends_with("BS");
      if (binary != (std::string(fanout) == "2")) continue;
      for (const char* rest : {"", " layout=soa", " keys=u64", " keys=u64 layout=soa"}) {
        const std::string line = std::string(method) + (binary ? "" : std::string(" fanout=") + fanout) + rest;
        list.push_back(config_of(line));
        if (line.starts_with("AO+PB")) list.push_back(config_of(line + " pivots=1"));
      }
    }
  }
  return list;
}

// f(config, n, its model), with the scenario in every failure's words.
template <class F>
void each_model(F&& f) {
  for (const ordered_config& config : configs()) {
    for (const u64 n : sizes) {
      SCOPED_TRACE(to_line(config) + " n=" + std::to_string(n));
      f(config, n, *model_of(config, n));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

region_id id_of(std::size_t i) { return static_cast<region_id>(i); }

TEST(OrderedModel, DescribesEveryCell) {
  each_model([](const ordered_config& config, u64 n, const index_model& model) {
    const index_shape shape = make_shape(config, n);
    EXPECT_EQ(model.keys(), n);
    EXPECT_EQ(model.levels(), shape.levels);
    for (std::size_t r = 0; r < model.regions().size(); ++r) {
      const region_info& region = model.regions()[r];
      const bool pivots = id_of(r) == ordered_region::pivots;
      u64 full = 0;
      for (u64 cell = 0; cell < region.cells; ++cell) {
        const cell_info info = model.describe(id_of(r), cell);
        ASSERT_EQ(info.rank, pivots ? pivot_rank(config, shape, cell) : entry_rank(config, shape, cell));
        ASSERT_EQ(info.empty, info.rank == no_rank);
        ASSERT_EQ(info.level, pivots ? pivot_level(config, shape, cell) : entry_level(config, shape, cell));
        ASSERT_LT(info.level, model.levels());
        full += info.empty ? 0 : 1;
      }
      EXPECT_TRUE(pivots || region.cells == 0 || full == n) << region.name;
      for (const u64 beyond : {region.cells, region.cells + 1, ~u64{0}}) {
        EXPECT_TRUE(model.describe(id_of(r), beyond).empty);
        EXPECT_EQ(model.describe(id_of(r), beyond).rank, no_rank);
      }
    }
  });
}

TEST(OrderedModel, FieldsFillACellWithoutOverlap) {
  each_model([](const ordered_config& config, u64, const index_model& model) {
    for (const region_info& region : model.regions()) {
      u32 at = 0;
      for (const cell_field& field : region.fields) {
        ASSERT_EQ(field.offset, at) << region.name;
        ASSERT_GT(field.bytes, 0u);
        EXPECT_EQ(region.field(field.kind), &field) << "one of a kind";
        at += field.bytes;
      }
      EXPECT_EQ(at, region.cell_bytes) << region.name;
      EXPECT_FALSE(region.name.empty() || region.cell_name.empty() || region.title.empty() || region.meaning.empty());
    }
    // Every key with its row id, in one cell or in two side by side.
    const region_info &entries = model.region(ordered_region::entries), &rows = model.region(ordered_region::rows);
    ASSERT_TRUE(entries.field(field_kind::key));
    EXPECT_EQ(entries.field(field_kind::key)->bytes, key_bytes(config.keys));
    EXPECT_EQ(entries.field(field_kind::row_id) != nullptr, config.layout == entry_layout::aos);
    EXPECT_TRUE(config.layout == entry_layout::soa || rows.cells == 0);
    EXPECT_EQ(rows.beside, main_region);
    EXPECT_TRUE(config.layout == entry_layout::aos || rows.cells == entries.cells);
    EXPECT_FALSE(model.region(ordered_region::pivots).field(field_kind::row_id));
  });
}

TEST(OrderedModel, RegionsAreWhatIsAllocated) {
  for (const ordered_config& config : configs()) {
    for (const u64 n : {0ull, 1ull, 14ull, 61ull}) {
      SCOPED_TRACE(to_line(config) + " n=" + std::to_string(n));
      std::vector<u64> keys(n);
      std::iota(keys.begin(), keys.end(), 5u);
      const auto index = testing::build_on_cpu(config, config.keys == key_width::u64
                                                           ? key_array(keys)
                                                           : key_array(std::vector<u32>(keys.begin(), keys.end())));
      ASSERT_TRUE(index);
      const auto model = model_of(*index);
      EXPECT_EQ(model->keys(), n);
      u64 all = 0;
      for (std::size_t r = 0; r < model->regions().size(); ++r) {
        const region_info& region = model->regions()[r];
        EXPECT_EQ(index->bytes(id_of(r)), region.cells * region.cell_bytes) << region.name;
        all += region.cells * region.cell_bytes;
      }
      EXPECT_EQ(index->bytes(), all);
    }
  }
}

TEST(OrderedModel, NodesHoldEveryCellAndEveryRankOnce) {
  each_model([](const ordered_config&, u64 n, const index_model& model) {
    const std::vector<tree_node> nodes = model.nodes();
    EXPECT_EQ(nodes.size(), model.node_count());
    std::set<std::pair<region_id, u64>> seen;
    std::set<u64> ranks;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const tree_node& node = nodes[i];
      ASSERT_LT(node.parent, static_cast<int>(i));
      ASSERT_LT(node.level, model.levels());
      for (u32 c = 0; c < node.cells; ++c) {
        ASSERT_TRUE(seen.emplace(node.region, node.cell(c)).second) << node.cell(c);
        const cell_info info = model.describe(node.region, node.cell(c));
        if (info.empty) continue;
        EXPECT_EQ(info.level, node.level);
        if (node.region == main_region) {
          EXPECT_TRUE(ranks.insert(info.rank).second);
        }
      }
    }
    EXPECT_EQ(ranks.size(), n);
    if (n == 0) return;
    for (u64 cell = 0; cell < model.region(ordered_region::pivots).cells; ++cell)
      EXPECT_TRUE(seen.contains({ordered_region::pivots, cell}));
  });
}

TEST(OrderedModel, RanksAreTheInverseOfCells) {
  each_model([](const ordered_config&, u64 n, const index_model& model) {
    const index_ranks* ranks = model.ranks();
    ASSERT_TRUE(ranks);
    EXPECT_EQ(ranks->count(), n);
    for (u64 rank = 0; rank < n; ++rank) {
      const cell_ref at = ranks->cell(rank);
      EXPECT_EQ(at.region, main_region);
      EXPECT_EQ(model.describe(at.region, at.cell).rank, rank);
      EXPECT_EQ(ranks->cell_in(main_region, rank), at.cell);
    }
    for (std::size_t r = 0; r < model.regions().size(); ++r) {
      std::map<u64, u64> cells;  // by rank
      u64 last = 0;
      bool ascend = true;
      for (u64 cell = 0; cell < model.regions()[r].cells; ++cell) {
        const cell_info info = model.describe(id_of(r), cell);
        if (info.empty) continue;
        EXPECT_TRUE(cells.emplace(info.rank, cell).second) << "a key is in one cell only";
        ascend = ascend && info.rank >= last;
        last = info.rank;
      }
      EXPECT_TRUE(ascend || !ranks->ascend_along(id_of(r)));
      for (u64 rank = 0; rank <= n; ++rank) {
        const auto found = ranks->cell_in(id_of(r), rank);
        ASSERT_EQ(found.has_value(), cells.contains(rank)) << rank;
        if (found) {
          EXPECT_EQ(*found, cells[rank]);
        }
      }
    }
  });
}

TEST(OrderedModel, CountsTheLevelsOfCellsAndRanks) {
  each_model([](const ordered_config&, u64 n, const index_model& model) {
    u64 counted[max_levels];
    const auto by_hand = [&](u64 first, u64 end, auto&& cell_of) {
      for (u64 i = first; i < end; ++i) {
        const cell_ref at = cell_of(i);
        const cell_info info = model.describe(at.region, at.cell);
        if (at.region == ordered_region::pivots || !info.empty) {
          ASSERT_GT(counted[info.level]--, 0u) << first << " to " << end;
        }
      }
      for (const u64 left : counted) ASSERT_EQ(left, 0u) << first << " to " << end;
    };
    for (u64 first = 0; first <= n; first += 1 + n / 6) {
      for (u64 end = first; end <= n; end += 1 + n / 5) {
        model.ranks()->count_levels(first, end, counted);
        by_hand(first, end, [&](u64 rank) { return model.ranks()->cell(rank); });
      }
    }
    for (const region_id region : {ordered_region::entries, ordered_region::pivots}) {
      const u64 cells = model.region(region).cells;
      for (u64 first = 0; first <= cells; first += 1 + cells / 6) {
        model.count_levels(region, first, cells, counted);
        by_hand(first, cells, [&](u64 cell) { return cell_ref{region, cell}; });
      }
    }
  });
}

TEST(OrderedModel, ALevelsRunIsThatLevel) {
  each_model([](const ordered_config& config, u64 n, const index_model& model) {
    for (u32 level = 0; level < model.levels(); ++level) {
      const auto run = model.level_run(level);
      EXPECT_EQ(run.has_value(), config.order != order_kind::ascending);
      if (!run || n == 0) continue;
      for (u64 i = 0; i < run->count; ++i)
        ASSERT_EQ(model.describe(run->region, run->first + i).level, level) << "cell " << run->first + i;
    }
  });
}

TEST(OrderedModel, PinnedCellsAreDistinctAndFit) {
  each_model([](ordered_config config, u64 n, const index_model& unpinned) {
    EXPECT_FALSE(unpinned.pinned());
    for (const pin_kind pin : {pin_kind::steps, pin_kind::full}) {
      for (const u32 scratch : {16u, 64u, 4096u}) {
        config.pin = pin;
        config.scratch = scratch;
        const auto model = model_of(config, n);
        const auto pinned = model->pinned();
        ASSERT_TRUE(pinned);
        EXPECT_EQ(pinned->room, scratch);
        EXPECT_EQ(pinned->cell_bytes, key_bytes(config.keys));
        EXPECT_LE(pinned->cells.size() * pinned->cell_bytes, pinned->room);
        EXPECT_LE(pinned->whole, pinned->cells.size());
        EXPECT_LE(pinned->steps, model->levels());
        std::set<u64> distinct;
        for (const cell_ref& from : pinned->cells) {
          EXPECT_EQ(from.region, pinned->cells.front().region);
          EXPECT_LT(from.cell, model->region(from.region).cells);
          EXPECT_TRUE(distinct.insert(from.cell).second) << from.cell;
        }
      }
    }
  });
}

TEST(OrderedModel, LevelsThatAreLeftOutCanBeHad) {
  each_model([](const ordered_config& config, u64 n, const index_model& model) {
    const auto levels = model.optional_levels();
    const std::vector<missing_node> missing = model.left_out();
    if (!levels) {
      EXPECT_TRUE(missing.empty());
      EXPECT_EQ(model.keep_levels(config, 1), config) << "nothing to store";
      return;
    }
    EXPECT_EQ(config.order, order_kind::pivot_buffer);
    EXPECT_EQ(missing.empty(), levels->kept == levels->whole());
    EXPECT_EQ(knobs_of(model.keep_levels(config, levels->kept)).pivots,
              levels->kept == levels->whole() ? 0 : levels->kept);
    const auto whole = model_of(model.keep_levels(config, levels->whole()), n);
    EXPECT_TRUE(whole->left_out().empty());
    EXPECT_EQ(whole->optional_levels()->cells, levels->cells);
    EXPECT_EQ(whole->region(levels->region).cells, std::accumulate(levels->cells.begin(), levels->cells.end(), u64{0}));
    EXPECT_EQ(model.region(levels->region).cells * key_bytes(config.keys), levels->kept_bytes);
    u64 cells = model.region(levels->region).cells;
    for (const auto& [node, ranks] : missing) {
      ASSERT_EQ(ranks.size(), node.cells);
      for (u32 i = 0; i < node.cells; ++i) {
        const cell_info there = whole->describe(levels->region, node.first + i);
        EXPECT_EQ(there.rank, ranks[i]);
        EXPECT_EQ(there.level, node.level);
      }
      cells += node.cells;
    }
    EXPECT_EQ(cells, whole->region(levels->region).cells);
  });
}

TEST(OrderedModel, LanesAreThoseOfTheConfig) {
  const lookup_lanes alone = model_of(config_of("EO+BS"), 14)->lanes();
  EXPECT_EQ(alone.count, 1u);
  EXPECT_EQ(alone.keys_each, 1u);
  const lookup_lanes three = model_of(config_of("EO+KS fanout=9 lanes=3"), 14)->lanes();
  EXPECT_EQ(three.count, 3u);
  EXPECT_EQ(three.keys_each, 3u);
}

TEST(RankCounts, RanksOnALevelAreCountedAsByHand) {
  for (const char* line : {"EO+BS", "EO+KS fanout=3", "EO+KS fanout=5", "EO+KS"}) {
    const ordered_config config = config_of(line);
    for (const u64 n : {1ull, 2ull, 14ull, 15ull, 16ull, 100ull, 257ull, 1000ull}) {
      const index_shape shape = make_shape(config, n);
      for (u32 level = 0; level < shape.levels; ++level) {
        u64 by_hand = 0;
        for (u64 rank = 0; rank <= n; ++rank) {
          ASSERT_EQ(ranks_on_level_below(config, shape, level, rank), by_hand)
              << line << " n=" << n << " level " << level;
          if (rank < n && entry_level(config, shape, entry_slot(config, shape, rank)) == level) ++by_hand;
        }
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope
