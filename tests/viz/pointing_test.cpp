// What is pointed at: which cells it is, and which lanes and which of a tile's lookups read it, against a count by hand.
#include "viz/cells/pointing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/viz/tile_load.hpp"
#include "viz/models/tile_model.hpp"

namespace pivotscope::viz {
namespace {

constexpr const char* pointed_lines[] = {"EO+BS",
                                         "EO+KS fanout=9 lanes=4 layout=soa",
                                         "AO+PB+KS fanout=5 lanes=4",
                                         "AO+BS pin=full scratch=64",
                                         "AO+KS fanout=5 lanes=3 keys=u64",
                                         "PLAIN lanes=8"};

struct pointed_tile {
  std::shared_ptr<const built_index> index;
  std::shared_ptr<const index_model> model;
  std::unique_ptr<tile_study> tile;
  std::vector<lookup_trace> traces;  // of the tile's lookups
};

pointed_tile pointed_tile_of(const char* line) {
  workload load = load_of(64);
  load.keys = 200;
  pointed_tile t;
  const index_config config = testing::config_of(line);
  t.index = testing::build_on_cpu(config, *make_keys(load, config.keys));
  t.model = model_of(*t.index);
  t.tile = std::make_unique<tile_study>(t.index, load, 0);
  while (t.tile->go_on(1)) {
  }
  for (u32 i = 0; i < t.tile->size(); ++i) t.traces.push_back(*trace_lookup(*t.index, t.tile->key(i)));
  return t;
}

// Byte by byte and slot by slot, from the accesses alone.
template <class Reads>
void expect_readers(const pointed_tile& t, const pointing& what, Reads&& reads, bool lane = false) {
  const read_target target = target_of(what, t.model);
  ASSERT_NE(target.what, read_target::kind::nothing);
  EXPECT_FALSE(target.name.empty());
  std::vector<u32> lookups;
  for (const lookup_trace& trace : t.traces) {
    lookups.resize(std::max(lookups.size(), trace.steps.size()));
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
      std::set<u32> lanes;
      for (const memory_access& a : trace.steps[s].accesses)
        if (reads(trace.steps[s], a)) lanes.insert(a.lane);
      EXPECT_EQ(lanes_reading(trace.steps[s], target), lanes.size()) << target.name << " step " << s;
      lookups[s] += lanes.empty() ? 0 : 1;
    }
  }
  std::vector<u32> counted = t.tile->lookups_by_step(target);
  if (lane) {
    EXPECT_TRUE(std::all_of(counted.begin(), counted.end(), [](u32 n) { return n == 0; })) << "each has its own";
  } else {
    EXPECT_EQ(counted, lookups) << target.name;
  }
}

TEST(Pointing, WhoReadsItIsWhatTheAccessesSay) {
  for (const char* line : pointed_lines) {
    SCOPED_TRACE(line);
    const pointed_tile t = pointed_tile_of(line);
    for (std::size_t r = 0; r < t.model->regions().size(); ++r) {
      const region_info& region = t.model->regions()[r];
      if (region.cells == 0) continue;
      const auto id = static_cast<region_id>(r);
      expect_readers(t, {.array = id}, [&](const trace_step&, const memory_access& a) { return a.array == id; });
      for (u64 sector = 0; sector < region.cells * region.cell_bytes / 32; sector += 7)
        expect_readers(t, {.sector = memory_block{id, sector}}, [&](const trace_step&, const memory_access& a) {
          if (a.space != memory_space::global || a.array != id) return false;
          for (u64 b = a.byte_offset; b < a.byte_offset + a.bytes; ++b)
            if (b / 32 == sector) return true;
          return false;
        });
      for (u64 cell = 0; cell < region.cells && !region.beside; cell += 13) {
        pointing what;
        point_at(what, place_of(*t.model, {id, cell}));
        const u64 rank = t.model->describe(id, cell).rank;
        expect_readers(t, what, [&](const trace_step&, const memory_access& a) {
          for (u64 slot = a.slot; slot < a.slot + a.slots; ++slot) {
            if (a.array == id && slot == cell) return true;
            if (t.model->region(a.array).beside) continue;
            if (rank != no_rank && t.model->describe(a.array, slot).rank == rank) return true;
          }
          return false;
        });
      }
    }
    for (u32 level = 0; level < t.model->levels(); ++level)
      expect_readers(t, {.level = level},
                     [&](const trace_step& step, const memory_access&) { return step.level == level; });
    for (u32 lane = 0; lane < t.model->lanes().count; ++lane)
      expect_readers(
          t, {.lane = lane}, [&](const trace_step&, const memory_access& a) { return a.lane == lane; }, true);
  }
}

TEST(Pointing, ACellAnswersToItselfItsKeyAndItsLevel) {
  const pointed_tile t = pointed_tile_of("AO+PB+KS fanout=5 lanes=4");
  std::size_t r = 1;  // behind the entries, the region that does not go beside them
  while (t.model->regions()[r].cells == 0 || t.model->regions()[r].beside) ++r;
  const auto pivots = region_row(t.model, static_cast<region_id>(r));
  const cell_place pivot = pivots->at(0);
  ASSERT_TRUE(pivot.live());
  ASSERT_NE(pivot.rank, no_rank);
  pointing what;
  EXPECT_FALSE(points_at(what, pivot));
  point_at(what, pivot);
  EXPECT_TRUE(points_at(what, pivot));
  const auto entries = region_row(t.model, main_region);
  for (u64 cell = 0; cell < entries->count(); ++cell) {
    const cell_place place = entries->at(cell);
    EXPECT_EQ(points_at(what, place), place.rank == pivot.rank) << "the entry of the pivot's key";
    EXPECT_EQ(points_at({.level = place.level}, pivot), place.level == pivot.level);
  }
  EXPECT_EQ(target_of({}, t.model).what, read_target::kind::nothing);
  EXPECT_EQ(target_of({.sector = memory_block{region_id{99}, 0}}, t.model).what, read_target::kind::nothing)
      << "another index has come";
  const read_target left = target_of({.cell = cell_ref{region_id{99}, 0}, .rank = 3}, t.model);
  ASSERT_EQ(left.what, read_target::kind::key) << "with the same keys";
  for (const cell_ref& cell : left.cells) EXPECT_EQ(t.model->describe(cell.region, cell.cell).rank, 3u);
  EXPECT_EQ(target_of({.rank = 1000}, t.model).what, read_target::kind::nothing) << "with fewer";
  // An empty slot is itself, and of no level.
  const cell_place empty{.array = main_region, .slot = 3};
  EXPECT_FALSE(points_at({.level = 0}, empty));
  EXPECT_TRUE(points_at({.cell = cell_ref{main_region, 3}}, empty));
}

TEST(Pointing, AnotherIndexTakesOverRanksAlone) {
  const pointing from{memory_block{}, cell_ref{}, 3, 1, 2, 5, main_region};
  pointing same, other;
  same.take(from, true);
  other.take(from, false);
  EXPECT_EQ(same, from);
  EXPECT_EQ(other, (pointing{.rank = 3}));
  same.take({}, true);
  EXPECT_EQ(same, from) << "who points at nothing takes nothing away";
}

TEST(Pointing, ALaneReadsTheCellsThatItLoads) {
  const pointed_tile t = pointed_tile_of("EO+KS fanout=9 lanes=4");
  const trace_step& step = t.traces[0].steps[0];
  for (u32 lane = 0; lane < 4; ++lane) {
    u32 cells = 0;
    for (u64 cell = 0; cell < 8; ++cell) cells += read_by_lane(step, lane, {main_region, cell}) ? 1 : 0;
    EXPECT_EQ(cells, 2u);
  }
}

}  // namespace
}  // namespace pivotscope::viz
