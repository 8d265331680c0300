// Stepping through the build: which slot comes next, and how a slot's correction grows with n.
#include "viz/models/build_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

using testing::config_of;

std::vector<pass_info> passes_of(const char* line, u64 n) { return model_of(config_of(line), n)->build_passes(); }

std::vector<std::vector<pass_info>> some_passes() {
  return {passes_of("EO+BS", 14),   passes_of("EO+KS fanout=3", 26), passes_of("AO+PB+KS fanout=3", 14),
          passes_of("AO+PB+BS", 1), passes_of("AO+BS", 5),           passes_of("PLAIN", 3)};
}

std::vector<build_place> places_of(const std::vector<pass_info>& passes) {
  std::vector<build_place> all;
  for (u32 p = 0; p < passes.size(); ++p)
    for (u64 slot = 0; slot < passes[p].slots; ++slot) all.push_back({p, slot});
  return all;
}

TEST(BuildModel, StepsLeadThroughAllSlotsOfAllPassesAndBack) {
  for (const auto& passes : some_passes()) {
    const std::vector<build_place> all = places_of(passes);
    ASSERT_FALSE(all.empty());
    for (std::size_t from = 0; from < all.size(); ++from) {
      for (std::size_t to = 0; to < all.size(); ++to) {
        const auto slots = static_cast<long long>(to) - static_cast<long long>(from);
        ASSERT_EQ(moved(passes, all[from], slots), all[to]) << from << " to " << to;
        ASSERT_EQ(moved(passes, moved(passes, all[from], slots), -slots), all[from]);
      }
      const auto far = static_cast<long long>(all.size());
      EXPECT_EQ(moved(passes, all[from], far), all.back());
      EXPECT_EQ(moved(passes, all[from], -far), all.front());
      EXPECT_EQ(is_first(all[from]), from == 0);
      EXPECT_EQ(is_last(passes, all[from]), from + 1 == all.size());
      EXPECT_EQ(clamped(passes, all[from]), all[from]);
    }
    EXPECT_EQ(clamped(passes, {7, 1000}), all.back());
    EXPECT_EQ(clamped(passes, {0, 1000}), (build_place{0, passes[0].slots - 1}));
  }
}

TEST(BuildModel, WithoutPassesThereIsNoPlace) {
  const std::vector<pass_info> none;
  EXPECT_EQ(clamped(none, {1, 2}), build_place{});
  EXPECT_EQ(moved(none, {1, 2}, 3), build_place{});
  EXPECT_EQ(moved_by_level(none, {1, 2}, true), build_place{});
  EXPECT_TRUE(is_last(none, {}));
}

TEST(BuildModel, LevelsAreGoneThroughAsThoseOfALookup) {
  const auto tree = passes_of("EO+BS", 14);  // level 0 is slot 1, then 2 to 3, 4 to 7, 8 to 14; slot 0 is empty
  const auto on = [&](u64 slot) { return moved_by_level(tree, {0, slot}, true).slot; };
  const auto back = [&](u64 slot) { return moved_by_level(tree, {0, slot}, false).slot; };
  EXPECT_EQ(on(0), 1u);
  EXPECT_EQ(on(1), 2u);
  EXPECT_EQ(on(2), 4u);
  EXPECT_EQ(on(3), 4u);
  EXPECT_EQ(on(7), 8u);
  EXPECT_EQ(on(8), 14u) << "no further level: the last slot";
  EXPECT_EQ(on(14), 14u);
  EXPECT_EQ(back(14), 7u);
  EXPECT_EQ(back(8), 7u);
  EXPECT_EQ(back(7), 3u);
  EXPECT_EQ(back(3), 1u);
  EXPECT_EQ(back(1), 0u);
  EXPECT_EQ(back(0), 0u);

  const auto two = passes_of("AO+PB+KS fanout=3", 14);  // 14 entries; pivots of levels 0 (2 slots) and 1 (6)
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].levels, std::vector<u64>{0});
  EXPECT_EQ(two[1].levels, (std::vector<u64>{0, 2}));
  EXPECT_EQ(moved_by_level(two, {0, 3}, true), (build_place{1, 0}));
  EXPECT_EQ(moved_by_level(two, {1, 0}, true), (build_place{1, 2}));
  EXPECT_EQ(moved_by_level(two, {1, 3}, true), (build_place{1, two[1].slots - 1}));
  EXPECT_EQ(moved_by_level(two, {1, 3}, false), (build_place{1, 1}));
  EXPECT_EQ(moved_by_level(two, {1, 1}, false), (build_place{0, 13}));
  EXPECT_EQ(moved_by_level(two, {0, 13}, false), build_place{});
  const auto sorted = passes_of("AO+BS", 14);  // levels lie scattered
  EXPECT_EQ(moved_by_level(sorted, {0, 5}, true), (build_place{0, 13}));
  EXPECT_EQ(moved_by_level(sorted, {0, 5}, false), build_place{});
}

TEST(BuildModel, CellsAreWrittenPassByPassAndSlotBySlot) {
  const auto two = passes_of("AO+PB+KS fanout=3", 14);
  const region_id entries = two[0].region, pivots = two[1].region;
  EXPECT_EQ(built_of(two, {0, 3}, {entries, 2}), built::yes);
  EXPECT_EQ(built_of(two, {0, 3}, {entries, 3}), built::now);
  EXPECT_EQ(built_of(two, {0, 3}, {entries, 4}), built::not_yet);
  EXPECT_EQ(built_of(two, {0, 3}, {pivots, 0}), built::not_yet);
  EXPECT_EQ(built_of(two, {1, 1}, {entries, 13}), built::yes);
  EXPECT_EQ(built_of(two, {1, 1}, {pivots, 0}), built::yes);
  EXPECT_EQ(built_of(two, {1, 1}, {pivots, 1}), built::now);
  EXPECT_EQ(built_of(two, {1, 1}, {pivots, 2}), built::not_yet);
}

std::vector<long long> corrections(const std::vector<grown_slot>& grown) {
  std::vector<long long> list;  // -1: not corrected, -2: not there
  for (const grown_slot& g : grown) list.push_back(!g.there ? -2 : g.shift ? static_cast<long long>(g.shift->by) : -1);
  return list;
}

// Figure 10's tree, K = 3, with from 1 to 18 keys on its last level.
TEST(BuildModel, TheCorrectionGrowsWithNUntilTheLevelBelowIsFull) {
  const index_config config = config_of("EO+KS fanout=3");
  const auto root = grow(config, {0, 0});
  ASSERT_EQ(root.size(), 18u);
  EXPECT_EQ(root.front().n, 9u);
  EXPECT_EQ(root.back().n, 26u);
  for (const grown_slot& g : root) {
    ASSERT_TRUE(g.there && g.shift) << g.n;
    EXPECT_EQ(g.shift->by, g.n == 26 ? 0 : std::min<u64>(g.n - 8, 6)) << g.n << ": with 26 the level is a full one";
    EXPECT_EQ(g.rank, g.n == 26 ? 8 : 2 + g.shift->by);
  }
  EXPECT_EQ(corrections(grow(config, {0, 5})).at(5), 6) << "14 keys, as in the figure";
  EXPECT_EQ(corrections(grow(config, {0, 8})).at(0), -1) << "on the last level";
  EXPECT_EQ(corrections(grow(config, {0, 12})).at(0), -2) << "no such slot yet";
  EXPECT_EQ(corrections(grow(config, {0, 9})).at(0), -2) << "the rest of a node is empty";
  EXPECT_FALSE(changes(root, 0));
  EXPECT_TRUE(changes(root, 5));
  EXPECT_FALSE(changes(root, 6));
  for (const grown_slot& g : grow(config_of("AO+PB+KS fanout=3"), {1, 0})) EXPECT_FALSE(g.shift);
  EXPECT_EQ(grow(config_of("AO+BS"), {3, 0}).at(0).rank, no_rank) << "no such pass";
}

TEST(BuildModel, ThePapersKeysGiveWayToDenseOnesAndComeBack) {
  bool from_paper = false;
  workload load{.lookups = 77};
  ASSERT_EQ(load.dist, distribution::paper);
  load = grown_to(load, 15, from_paper);
  EXPECT_EQ(load.keys, 15u);
  EXPECT_EQ(load.dist, distribution::dense);
  EXPECT_EQ(load.lookups, 77u);
  load = grown_to(load, 26, from_paper);
  EXPECT_EQ(load.dist, distribution::dense);
  load = grown_to(load, 14, from_paper);
  EXPECT_EQ(load, (workload{.lookups = 77})) << "the example again";
  for (const distribution other : {distribution::uniform, distribution::dense, distribution::duplicates}) {
    from_paper = false;
    EXPECT_EQ(grown_to({.keys = 9, .dist = other}, 14, from_paper), (workload{.keys = 14, .dist = other}));
  }
  load = grown_to(workload{}, 20, from_paper);
  load.dist = distribution::uniform;  // chosen by hand
  load = grown_to(load, 21, from_paper);
  load.dist = distribution::dense;
  EXPECT_EQ(grown_to(load, 14, from_paper).dist, distribution::dense);
}

}  // namespace
}  // namespace pivotscope::viz
