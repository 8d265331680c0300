#include "viz/models/tile_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/families/ordered/mapping.hpp"
#include "core/index/family.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"
#include "tests/viz/tile_load.hpp"

namespace pivotscope::viz {
namespace {

using testing::build_on_cpu;
using testing::config_of;

tile_study study_of(const char* line, const workload& load, u64 number) {
  const index_config config = config_of(line);
  tile_study study(build_on_cpu(config, *make_keys(load, config.keys)), load, number);
  while (study.go_on(1)) {
  }
  return study;
}

TEST(TileModel, IsTheTileOfTheBatchAndHasTheMachinesAnswers) {
  const workload load = load_of(1000);
  for (const char* line :
       {"EO+BS reorder=lookup", "AO+PB+KS fanout=5 reorder=double", "AO+BS", "EO+KS keys=u64 reorder=lookup"}) {
    const index_config config = config_of(line);
    const key_array keys = *make_keys(load, config.keys), lookups = *make_lookups(load, config.keys);
    auto cpu = open_machine(machine_kind::cpu);
    const auto resident = *(*cpu)->load(keys, job_control{});
    const auto index = *(*cpu)->build(config, resident, job_control{});
    const batch_result result = *(*cpu)->run(*index, {operation::find, lookups}, {}, job_control{});
    ASSERT_EQ(shown_tiles(config, load), 4u);
    for (u64 number = 0; number < 4; ++number) {
      tile_study study(index, load, number);
      while (study.go_on(1)) {
      }
      ASSERT_EQ(study.size(), number == 3 ? 1000u - 768 : 256u);
      for (u32 place = 0; place < study.size(); ++place) {
        const u64 i = number * 256 + place;
        ASSERT_EQ(study.key(place), lookups[i]) << line;
        ASSERT_EQ(study.row(place), result.answers.found[i]) << line;
        ASSERT_EQ(study.place_of(study.served_of(place)), place);
        ASSERT_TRUE(study.reordered() || study.served_of(place) == place);
      }
    }
  }
}

TEST(TileModel, ServesByTheBitsThatTheMachinesSortBy) {
  const tile_study study = study_of("EO+BS reorder=lookup", load_of(256), 0);
  const auto [begin, end] = study.bits();
  ASSERT_LT(begin, end);
  const u64 mask = (end == 64 ? ~0ull : (1ull << end) - 1) >> begin;
  for (u32 i = 1; i < study.size(); ++i) {
    const u64 before = study.key(study.place_of(i - 1)) >> begin & mask,
              here = study.key(study.place_of(i)) >> begin & mask;
    ASSERT_LE(before, here);
    ASSERT_TRUE(before < here || study.place_of(i - 1) < study.place_of(i)) << "stable";
  }
}

TEST(TileModel, SortingBringsNeighboursTogether) {
  const tile_study study = study_of("EO+BS", load_of(256), 0);
  EXPECT_LT(study.rank_distance(true) * 10, study.rank_distance(false));
  EXPECT_LT(study.sectors_a_warp(true), study.sectors_a_warp(false));
  EXPECT_DOUBLE_EQ(study.written_a_warp(), 4) << "32 answers of 4 bytes, side by side";
  EXPECT_GT(study_of("EO+BS reorder=lookup", load_of(256), 0).written_a_warp(), 8);
  EXPECT_DOUBLE_EQ(study_of("EO+BS reorder=double", load_of(256), 0).written_a_warp(), 4);
}

// A tile's figures again, from the batch, the sorted keys and the lookups' traces.
struct figures {
  std::pair<u32, u32> bits;
  std::vector<u32> sorted;      // as ServesByTheBitsThatTheMachinesSortBy wants them
  std::vector<float> heights;   // of places
  double distance[2], read[2];  // as they come, sorted
  double written;
};

figures by_hand(const built_index& index, const workload& load, const tile_study& study) {
  const index_config& config = index.config();
  const key_array made = *make_keys(load, config.keys);
  std::vector<u64> keys, tile;
  for (u64 i = 0; i < made.size(); ++i) keys.push_back(made[i]);
  std::sort(keys.begin(), keys.end());
  for (u32 place = 0; place < study.size(); ++place) tile.push_back(study.key(place));
  figures out;
  index_config sorting = config;
  sorting.launch.reorder = reorder_kind::lookup;
  out.bits = keys.empty() ? std::pair<u32, u32>(0, 0) : sort_bits_for(sorting.launch, keys.front(), keys.back());
  const u64 mask = (out.bits.second == 64 ? ~0ull : (1ull << out.bits.second) - 1) >> out.bits.first;
  std::vector<std::pair<u64, u32>> by_bits, by_key;
  for (u32 i = 0; i < tile.size(); ++i) by_bits.emplace_back(tile[i] >> out.bits.first & mask, i);
  for (u32 i = 0; i < tile.size(); ++i) by_key.emplace_back(tile[i], i);
  std::sort(by_bits.begin(), by_bits.end());
  std::sort(by_key.begin(), by_key.end());
  for (const auto& [digits, place] : by_bits) out.sorted.push_back(place);
  out.heights.resize(tile.size());
  for (u32 i = 0; i < tile.size(); ++i)
    out.heights[by_key[i].second] = static_cast<float>(i) / static_cast<float>(tile.size() - 1);

  const u32 group = group_threads(config);
  for (const bool sorted : {false, true}) {
    std::set<std::tuple<u32, u32, u32, region_id, u64>> read;  // warp, round, step, array, sector
    double distance = 0;
    u64 last = 0;
    for (u32 i = 0; i < tile.size(); ++i) {
      const u64 key = tile[sorted ? out.sorted[i] : i];
      const auto rank = static_cast<u64>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
      if (i > 0) distance += std::abs(static_cast<double>(rank) - static_cast<double>(last));
      last = rank;
      const lookup_trace trace = *trace_lookup(index, key);
      for (const trace_step& step : trace.steps)
        for (const memory_access& a : step.accesses)
          for (u64 byte = a.byte_offset; byte < a.byte_offset + a.bytes; ++byte)
            if (a.space == memory_space::global) read.emplace(i / 32, i % group, a.step, a.array, byte / 32);
    }
    out.distance[sorted] = distance / static_cast<double>(tile.size() - 1);
    out.read[sorted] = static_cast<double>(read.size()) / static_cast<double>((tile.size() + 31) / 32);
  }
  std::set<std::pair<u32, u32>> written;  // warp, sector of 8 answers
  for (u32 i = 0; i < tile.size(); ++i)
    written.emplace(i / 32, (config.launch.reorder == reorder_kind::lookup ? out.sorted[i] : i) / 8);
  out.written = static_cast<double>(written.size()) / static_cast<double>((tile.size() + 31) / 32);
  return out;
}

TEST(TileModel, ItsFiguresAreThoseCountedByHand) {
  for (const char* line : {"EO+BS", "EO+BS reorder=lookup layout=soa", "EO+BS reorder=double keys=u64",
                           "EO+KS fanout=9 lanes=4 reorder=lookup", "AO+KS fanout=5 lanes=3 keys=u64 layout=soa",
                           "AO+PB+KS fanout=5 lanes=4 reorder=double", "AO+BS pin=full scratch=32 reorder=lookup",
                           "AO+PB+BS threads=64 per_thread=2 reorder=lookup"}) {
    SCOPED_TRACE(line);
    const index_config config = config_of(line);
    for (const u64 lookups : {600ull, 2ull, 33ull}) {
      const workload load = load_of(lookups);
      const auto index = build_on_cpu(config, *make_keys(load, config.keys));
      for (const u64 number : {u64{0}, shown_tiles(config, load) - 1}) {
        tile_study study(index, load, number);
        while (study.go_on(1)) {
        }
        ASSERT_TRUE(study.complete());
        ASSERT_EQ(study.size(),
                  std::min<u64>(tile_lookups(config.launch), lookups - number * tile_lookups(config.launch)));
        const figures right = by_hand(*index, load, study);
        EXPECT_EQ(study.bits(), right.bits);
        for (u32 i = 0; i < study.size(); ++i) {
          ASSERT_EQ(study.place_of(i), study.reordered() ? right.sorted[i] : i);
          ASSERT_FLOAT_EQ(study.height(i), right.heights[i]);
        }
        for (const bool sorted : {false, true}) {
          EXPECT_DOUBLE_EQ(study.rank_distance(sorted), right.distance[sorted]);
          EXPECT_DOUBLE_EQ(study.sectors_a_warp(sorted), right.read[sorted]);
        }
        EXPECT_DOUBLE_EQ(study.written_a_warp(), right.written);
      }
    }
  }
}

TEST(TileModel, IsTracedWarpByWarp) {
  const workload load = load_of(70);
  const index_config config = config_of("EO+BS");
  tile_study study(build_on_cpu(config, *make_keys(load, config.keys)), load, 0);
  EXPECT_FALSE(study.traced(0));
  for (const u32 done : {32u, 64u, 70u}) {
    EXPECT_EQ(study.go_on(0), done < 70) << "one, whatever the time";
    EXPECT_TRUE(study.traced(done - 1));
    EXPECT_FALSE(study.traced(done));
    EXPECT_EQ(study.complete(), done == 70);
  }
  EXPECT_FALSE(study.go_on(0));
}

TEST(TileModel, WithoutRanksDistancesAreBetweenSlots) {
  const workload load = load_of(32);
  const auto index = build_on_cpu(config_of("PLAIN"), *make_keys(load, key_width::u32));
  tile_study study(index, load, 0);
  while (study.go_on(1)) {
  }
  EXPECT_FALSE(study.ranked());
  EXPECT_TRUE(study_of("EO+BS", load, 0).ranked());
  double sum = 0;
  for (u32 i = 1; i < study.size(); ++i) {
    const auto ended = [&](u32 place) { return study.row(place) == not_found ? load.keys : study.row(place); };
    sum += std::abs(static_cast<double>(ended(i)) - static_cast<double>(ended(i - 1)));
  }
  EXPECT_DOUBLE_EQ(study.rank_distance(false), sum / 31);
}

TEST(TileModel, OfOneLookupOfNoneAndOfNoKeys) {
  const tile_study one = study_of("EO+BS reorder=lookup", load_of(1), 0);
  EXPECT_EQ(one.size(), 1u);
  EXPECT_EQ(one.height(0), 1);
  EXPECT_EQ(one.rank_distance(true), 0);
  EXPECT_GE(one.sectors_a_warp(true), 1);
  EXPECT_EQ(one.written_a_warp(), 1);
  for (const u64 lookups : {0ull, 256ull}) {  // the second tile of 256 lookups has none
    tile_study none(build_on_cpu(config_of("EO+BS"), *make_keys(load_of(0), key_width::u32)), load_of(lookups), 1);
    EXPECT_EQ(none.size(), 0u);
    EXPECT_FALSE(none.go_on(1));
    EXPECT_EQ(none.rank_distance(true), 0);
    EXPECT_EQ(none.sectors_a_warp(true), 0);
    EXPECT_EQ(none.written_a_warp(), 0);
  }
  workload empty = load_of(40);
  empty.keys = 0;
  const tile_study misses = study_of("EO+BS reorder=lookup", empty, 0);
  ASSERT_EQ(misses.size(), 40u);
  EXPECT_EQ(misses.bits(), (std::pair<u32, u32>(0, 0)));
  for (u32 i = 0; i < 40; ++i) {
    EXPECT_EQ(misses.row(i), not_found);
    EXPECT_EQ(misses.place_of(i), i);
  }
  EXPECT_EQ(misses.rank_distance(true), 0);
  EXPECT_EQ(misses.sectors_a_warp(false), 0);
}

TEST(TileModel, OnlyTheFirstTilesOfALongBatchAreShown) {
  EXPECT_EQ(shown_tiles(config_of("EO+BS"), load_of(0)), 0u);
  EXPECT_EQ(shown_tiles(config_of("EO+BS"), load_of(1)), 1u);
  EXPECT_EQ(shown_tiles(config_of("EO+BS"), load_of(257)), 2u);
  EXPECT_EQ(shown_tiles(config_of("EO+BS"), load_of((1 << 20) + 1)), 4096u);
  EXPECT_EQ(shown_tiles(config_of("EO+BS threads=64 per_thread=2"), load_of(1 << 30)), 8192u);
}

// Counted by looking: of the sectors and lines that a lookup touches, those that another of the tile's touches too.
TEST(TileModel, SharedReadsAreThoseOfAnotherLookup) {
  using blocks = std::set<std::pair<region_id, u64>>;
  const auto touched = [](const lookup_trace& trace, u64 size) {
    blocks out;
    for (const trace_step& step : trace.steps)
      for (const memory_access& a : step.accesses)
        for (u64 byte = a.byte_offset; a.space == memory_space::global && byte < a.byte_offset + a.bytes; ++byte)
          out.insert({a.array, byte / size});
    return out;
  };
  for (const char* line : {"EO+BS", "AO+BS", "AO+PB+KS fanout=5 layout=soa", "EO+KS fanout=9 pin=steps scratch=256"}) {
    const workload load = load_of(100);
    const tile_study study = study_of(line, load, 0);
    std::vector<lookup_trace> traces;
    for (u32 i = 0; i < study.size(); ++i) traces.push_back(*trace_lookup(*study.index(), study.key(i)));
    const auto expect_shared = [&](u64 key) {
      const lookup_trace trace = *trace_lookup(*study.index(), key);
      const tile_study::shared_reads shared = study.shared(trace);
      for (const u64 size : {32u, 128u}) {
        const blocks own = touched(trace, size);
        std::map<std::pair<region_id, u64>, u32> users;
        for (u32 i = 0; i < study.size(); ++i)
          for (const auto& block : touched(traces[i], size)) ++users[block];
        bool of_the_tile = false;
        for (u32 i = 0; i < study.size(); ++i) of_the_tile |= study.key(i) == key;
        u64 count = 0;
        for (const auto& block : own) count += users[block] > (of_the_tile ? 1u : 0u) ? 1 : 0;
        EXPECT_EQ(size == 32 ? shared.sectors : shared.lines, count) << line << " key " << key << ", " << size;
        EXPECT_EQ(size == 32 ? trace.distinct_sectors : trace.distinct_lines, own.size()) << line;
      }
    };
    for (u32 i = 0; i < 20; ++i) expect_shared(study.key(i));
    for (const u64 key : {u64{0}, u64{1} << 31, u64{0xFFFFFFFF}}) expect_shared(key);
  }
}

}  // namespace
}  // namespace pivotscope::viz
