#include "viz/tile_model.hpp"

#include <gtest/gtest.h>

#include "core/order/mapping.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

using testing::build_on_cpu;
using testing::config_of;

workload batch(u64 lookups) {
  workload load;
  load.keys = 1 << 12;
  load.dist = distribution::uniform;
  load.lookups = lookups;
  load.hits = 0.8;
  return load;
}

tile_study study_of(const char* line, const workload& load, u64 number) {
  const index_config config = config_of(line);
  tile_study study(build_on_cpu(config, *make_keys(load, config.keys)), load, number);
  while (study.go_on(1)) {
  }
  return study;
}

TEST(TileModel, IsTheTileOfTheBatchAndHasTheMachinesAnswers) {
  const workload load = batch(1000);
  for (const char* line :
       {"EO+BS reorder=lookup", "AO+PB+KS fanout=5 reorder=double", "AO+BS", "EO+KS keys=u64 reorder=lookup"}) {
    const index_config config = config_of(line);
    const key_array keys = *make_keys(load, config.keys), lookups = *make_lookups(load, config.keys);
    auto cpu = open_machine(machine_kind::cpu);
    const auto resident = *(*cpu)->load(keys, job_control{});
    const auto index = *(*cpu)->build(config, resident, job_control{});
    const lookup_result result = *(*cpu)->lookup(*index, lookups, {}, job_control{});
    ASSERT_EQ(shown_tiles(config, load), 4u);
    for (u64 number = 0; number < 4; ++number) {
      tile_study study(index, load, number);
      while (study.go_on(1)) {
      }
      ASSERT_EQ(study.size(), number == 3 ? 1000u - 768 : 256u);
      for (u32 place = 0; place < study.size(); ++place) {
        const u64 i = number * 256 + place;
        ASSERT_EQ(study.key(place), lookups[i]) << line;
        ASSERT_EQ(study.row(place), result.answers[i]) << line;
        ASSERT_EQ(study.place_of(study.served_of(place)), place);
        ASSERT_TRUE(study.reordered() || study.served_of(place) == place);
      }
    }
  }
}

TEST(TileModel, ServesByTheBitsThatTheMachinesSortBy) {
  const tile_study study = study_of("EO+BS reorder=lookup", batch(256), 0);
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
  const tile_study study = study_of("EO+BS", batch(256), 0);
  EXPECT_LT(study.rank_distance(true) * 10, study.rank_distance(false));
  EXPECT_LT(study.sectors_a_warp(true), study.sectors_a_warp(false));
  EXPECT_DOUBLE_EQ(study.written_a_warp(), 4) << "32 answers of 4 bytes, side by side";
  EXPECT_GT(study_of("EO+BS reorder=lookup", batch(256), 0).written_a_warp(), 8);
  EXPECT_DOUBLE_EQ(study_of("EO+BS reorder=double", batch(256), 0).written_a_warp(), 4);
}

TEST(TileModel, AnEmptyBatchHasNoTile) { EXPECT_EQ(shown_tiles(config_of("EO+BS"), batch(0)), 0u); }

}  // namespace
}  // namespace pivotscope::viz
