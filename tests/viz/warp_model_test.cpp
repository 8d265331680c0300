// The warps of a tile: their lookups are the tile's, their sectors the tile's and the traffic counter's.
#include "viz/models/warp_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/index/family.hpp"
#include "core/traffic/traffic.hpp"
#include "tests/support/build_index.hpp"
#include "tests/viz/tile_load.hpp"

namespace pivotscope::viz {
namespace {

using testing::build_on_cpu;
using testing::config_of;

std::shared_ptr<tile_study> tile_of(const char* line, const workload& load) {
  const index_config config = config_of(line);
  auto tile = std::make_shared<tile_study>(build_on_cpu(config, *make_keys(load, config.keys)), load, 0);
  while (tile->go_on(1)) {
  }
  return tile;
}

constexpr const char* warp_lines_tried[] = {"EO+BS",
                                            "EO+BS reorder=lookup layout=soa",
                                            "EO+KS fanout=9 lanes=4 reorder=double keys=u64",
                                            "AO+KS fanout=5 lanes=3 layout=soa",
                                            "AO+PB+KS fanout=5 lanes=4 reorder=lookup",
                                            "AO+BS pin=full scratch=32 reorder=lookup",
                                            "EO+KS fanout=33 lanes=32",
                                            "PLAIN lanes=8"};

TEST(WarpModel, SectorsOfAllWarpsAreTheTilesAndTheTrafficCounters) {
  for (const char* line : warp_lines_tried) {
    SCOPED_TRACE(line);
    workload load = load_of(250);  // the last warp is not full
    if (std::string_view(line).starts_with("PLAIN")) load.keys = 200;
    const auto tile = tile_of(line, load);
    ASSERT_EQ(tile->size(), 250u);
    ASSERT_EQ(warps_of(*tile), 8u);
    u64 sectors[2] = {}, written = 0;
    for (u32 number = 0; number < 8; ++number) {
      warp_study warp(tile, number);
      EXPECT_TRUE(warp.go_on()) << "one order at a time";
      EXPECT_TRUE(warp.of(tile->reordered())) << "first the one that is served";
      EXPECT_FALSE(warp.of(!tile->reordered()));
      EXPECT_FALSE(warp.go_on());
      for (const bool sorted : {false, true}) {
        ASSERT_TRUE(warp.of(sorted));
        const warp_study::service& s = *warp.of(sorted);
        ASSERT_EQ(s.places.size(), number == 7 ? 250u - 7 * 32 : 32u);
        ASSERT_EQ(s.rounds.size(), group_threads(tile->index()->config()));
        for (u32 t = 0; t < s.places.size(); ++t) {
          const u32 i = number * 32 + t;
          EXPECT_EQ(s.places[t], sorted ? tile->sorted_place(i) : i);
          EXPECT_EQ(s.traces[t].key, tile->key(s.places[t]));
          EXPECT_EQ(s.traces[t].row, tile->row(s.places[t]));
        }
        sectors[sorted] += s.sectors;
        EXPECT_EQ(s.written_in_order(), (s.places.size() + 7) / 8);
      }
      const reorder_kind reorder = tile->index()->config().launch.reorder;
      written += reorder == reorder_kind::lookup ? warp.of(true)->written() : warp.of(false)->written();
    }
    EXPECT_DOUBLE_EQ(static_cast<double>(sectors[0]) / 8, tile->sectors_a_warp(false));
    EXPECT_DOUBLE_EQ(static_cast<double>(sectors[1]) / 8, tile->sectors_a_warp(true));
    EXPECT_DOUBLE_EQ(static_cast<double>(written) / 8, tile->written_a_warp());
    const key_array lookups = *make_lookups(load, tile->index()->config().keys);
    const traffic counted = *count_traffic(*tile->index(), lookups, lookups.size(), traffic_machine{}, job_control{});
    EXPECT_EQ(counted.sectors(), sectors[tile->reordered()]);
  }
}

TEST(WarpModel, AKeysThreadServesIt) {
  const auto tile = tile_of("EO+BS", load_of(256));
  for (const bool sorted : {false, true}) {
    for (u32 place = 0; place < tile->size(); place += 11) {
      const auto at = serves(*tile, tile->key(place), sorted);
      ASSERT_TRUE(at);
      const u32 i = at->warp * 32 + at->thread;
      EXPECT_EQ(tile->key(sorted ? tile->sorted_place(i) : i), tile->key(place));
    }
  }
  std::set<u64> keys;
  for (u32 place = 0; place < tile->size(); ++place) keys.insert(tile->key(place));
  u64 missing = 0;
  while (keys.contains(missing)) ++missing;
  EXPECT_FALSE(serves(*tile, missing, false));
}

// Threads of one label read one sector, threads of different ones different sectors.
TEST(WarpModel, TheSameLabelIsTheSameSector) {
  for (const char* line : {"EO+BS", "EO+KS fanout=9 lanes=4", "AO+BS keys=u64", "AO+BS pin=full scratch=32"}) {
    SCOPED_TRACE(line);
    warp_study warp(tile_of(line, load_of(32)), 0);
    while (warp.go_on()) {
    }
    u32 labelled = 0, letters = 0;
    for (const auto& steps : warp.of(false)->rounds) {
      for (const warp_step& step : steps) {
        const std::vector<std::string> labels = sector_labels(step);
        ASSERT_EQ(labels.size(), 32u);
        std::map<std::string, memory_block> sector_of;
        std::map<memory_block, std::string> label_of;
        std::set<u32> seen;
        for (const thread_load& l : step.loads) {
          if (l.access.space != memory_space::global || !seen.insert(l.thread).second) continue;
          const memory_block sector{l.access.array, l.access.byte_offset / 32};
          ASSERT_FALSE(labels[l.thread].empty());
          EXPECT_LE(labels[l.thread].size(), 3u);
          EXPECT_EQ(sector_of.emplace(labels[l.thread], sector).first->second, sector);
          EXPECT_EQ(label_of.emplace(sector, labels[l.thread]).first->second, labels[l.thread]);
          ++labelled;
          letters += labels[l.thread][0] > '9' ? 1 : 0;
        }
        for (u32 t = 0; t < 32; ++t) EXPECT_EQ(labels[t].empty(), !seen.contains(t));
      }
    }
    EXPECT_GT(labelled, 0u);
    if (std::string_view(line) == "AO+BS keys=u64") {
      EXPECT_GT(letters, 0u) << "2 048 sectors have four digits";
    }
  }
}

TEST(WarpModel, LinesHoldTheThreadsOfTheirSectors) {
  warp_study warp(tile_of("EO+KS fanout=9 lanes=4 layout=soa", load_of(64)), 1);
  while (warp.go_on()) {
  }
  for (const warp_step& step : warp.of(false)->rounds[0]) {
    const std::vector<touched_line> touched = lines_of(step, nullptr);
    EXPECT_EQ(touched.size(), step.lines);
    u64 sectors = 0;
    for (const touched_line& line : touched) {
      for (u32 s = 0; s < 4; ++s) {
        std::set<u32> readers;
        for (const thread_load& l : step.loads)
          for (u64 b = l.access.byte_offset; b < l.access.byte_offset + l.access.bytes; ++b)
            if (l.access.array == line.line.array && b / 32 == line.line.number * 4 + s) readers.insert(l.thread);
        EXPECT_EQ(line.threads[s], std::vector<u32>(readers.begin(), readers.end()));
        sectors += readers.empty() ? 0 : 1;
      }
    }
    EXPECT_EQ(sectors, step.sectors.size());
  }
}

// One over the other: a line has its place in both pictures, and the two pictures are each other's mirror.
TEST(WarpModel, EitherOrdersLinesHoldTheOtherOnesAsAGhost) {
  for (const char* line : {"EO+BS", "EO+KS fanout=9 lanes=4 layout=soa", "AO+BS pin=full scratch=32"}) {
    SCOPED_TRACE(line);
    warp_study warp(tile_of(line, load_of(256)), 1);
    while (warp.go_on()) {
    }
    u64 both = 0, one = 0;
    const auto &came = warp.of(false)->rounds[0], &sorted = warp.of(true)->rounds[0];
    for (std::size_t s = 0; s < std::min(came.size(), sorted.size()); ++s) {
      const std::vector<touched_line> a = lines_of(came[s], &sorted[s]), b = lines_of(sorted[s], &came[s]);
      ASSERT_EQ(a.size(), b.size());
      std::set<memory_block> in_a, in_b;
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].line, b[i].line);
        if (i > 0) {
          EXPECT_LT(a[i - 1].line, a[i].line);
        }
        for (u32 q = 0; q < 4; ++q) {
          EXPECT_EQ(a[i].threads[q], b[i].otherwise[q]);
          EXPECT_EQ(a[i].otherwise[q], b[i].threads[q]);
          const memory_block sector{a[i].line.array, a[i].line.number * 4 + q};
          if (!a[i].threads[q].empty()) in_a.insert(sector);
          if (!b[i].threads[q].empty()) in_b.insert(sector);
        }
      }
      EXPECT_EQ(in_a, std::set(came[s].sectors.begin(), came[s].sectors.end()));
      EXPECT_EQ(in_b, std::set(sorted[s].sectors.begin(), sorted[s].sectors.end()));
      u64 in_both = 0;
      for (const memory_block& sector : in_a) in_both += in_b.count(sector);
      const shared_sectors shared = count_shared(a);
      EXPECT_EQ(shared.both, in_both);
      EXPECT_EQ(shared.here, in_a.size() - in_both);
      EXPECT_EQ(shared.there, in_b.size() - in_both);
      both += shared.both, one += shared.here + shared.there;
    }
    EXPECT_GT(both, 0u);
    EXPECT_GT(one, 0u);
  }
}

}  // namespace
}  // namespace pivotscope::viz
