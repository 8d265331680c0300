// Memory's rows: their cells, the sectors that a path has read, and heat over parts of an array.
#include "viz/models/memory_model.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/index/model.hpp"
#include "core/machine/trace/trace.hpp"
#include "tests/support/build_index.hpp"

namespace pivotscope::viz {
namespace {

TEST(MemoryModel, RowsHoldEveryByteOfEveryCellOnce) {
  for (const u32 cell_bytes : {4u, 8u, 16u, 24u, 40u, 200u}) {
    for (const u32 row_bytes : {32u, 64u, 128u}) {
      for (const u64 cells : {0u, 1u, 7u, 8u, 9u, 33u}) {
        region_info region;
        region.cells = cells;
        region.cell_bytes = cell_bytes;
        const u64 rows = rows_of(region, row_bytes);
        EXPECT_EQ(rows, (cells * cell_bytes + row_bytes - 1) / row_bytes);
        std::vector<u32> of_cell(cells);
        for (u64 row = 0; row < rows; ++row) {
          u32 last = 0;
          for (const cell_part& part : cells_of_row(region, row, row_bytes)) {
            ASSERT_LT(part.cell, cells);
            EXPECT_EQ(part.begin, last) << "one after the other";
            last = part.end;
            of_cell[part.cell] += part.end - part.begin;
            EXPECT_EQ(part.whole, part.end - part.begin == cell_bytes);
            EXPECT_LE(part.end, row_bytes);
          }
        }
        EXPECT_EQ(of_cell, std::vector<u32>(cells, cell_bytes));
        EXPECT_TRUE(cells_of_row(region, rows, row_bytes).empty());
      }
    }
  }
}

TEST(MemoryModel, SectorsAreReadByTheLastStepThatDid) {
  for (const char* line : {"EO+BS", "AO+PB+KS fanout=5 lanes=4", "EO+KS fanout=9 lanes=2 layout=soa keys=u64",
                           "AO+BS pin=full scratch=32"}) {
    SCOPED_TRACE(line);
    const index_config config = testing::config_of(line);
    const workload load{.keys = 1000, .dist = distribution::uniform};
    const auto index = testing::build_on_cpu(config, *make_keys(load, config.keys));
    const lookup_trace trace = *trace_lookup(*index, (*make_keys(load, config.keys))[17]);
    for (u32 current = 0; current < trace.steps.size(); ++current) {
      std::map<memory_block, u32> last;
      for (u32 s = 0; s <= current; ++s)
        for (const memory_access& a : trace.steps[s].accesses)
          for (u64 b = a.byte_offset; a.space == memory_space::global && b < a.byte_offset + a.bytes; ++b)
            last[{a.array, b / 32}] = s;
      const std::vector<sector_read> reads = sectors_read(trace, current);
      ASSERT_EQ(reads.size(), last.size());
      for (const sector_read& read : reads) {
        ASSERT_TRUE(last.contains(read.sector));
        EXPECT_EQ(read.step, last[read.sector]);
        EXPECT_EQ(read.mark, last[read.sector] == current ? read_mark::now : read_mark::before);
        EXPECT_EQ(find_read(reads, read.sector), &read);
      }
      EXPECT_EQ(find_read(reads, {main_region, ~0ull}), nullptr);
    }
  }
}

TEST(MemoryModel, HeatIsTheMostOfAPart) {
  const region_id a{0}, b{1};
  const std::vector<sector_heat> heat = {{{a, 1}, 5}, {{a, 4}, 2}, {{a, 9}, 7}, {{b, 0}, 30}};
  EXPECT_EQ(most_lookups(heat, a, 0, 1), 0u);
  EXPECT_EQ(most_lookups(heat, a, 0, 2), 5u);
  EXPECT_EQ(most_lookups(heat, a, 2, 9), 2u);
  EXPECT_EQ(most_lookups(heat, a, 2, 10), 7u);
  EXPECT_EQ(most_lookups(heat, a, 10, 1000), 0u) << "another array's do not count";
  EXPECT_EQ(most_lookups(heat, b, 0, 1), 30u);
  EXPECT_EQ(most_lookups({}, a, 0, 10), 0u);
}

TEST(MemoryModel, PartsAreAsEqualAsCanBeAndHoldEverySectorOnce) {
  for (u64 sectors = 1; sectors < 70; ++sectors) {
    for (u64 parts = 1; parts <= sectors; ++parts) {
      EXPECT_EQ(first_of_part(0, sectors, parts), 0u);
      EXPECT_EQ(first_of_part(parts, sectors, parts), sectors);
      for (u64 i = 0; i < parts; ++i) {
        const u64 first = first_of_part(i, sectors, parts), end = first_of_part(i + 1, sectors, parts);
        ASSERT_GE(end - first, sectors / parts);
        ASSERT_LE(end - first, sectors / parts + 1);
        for (u64 s = first; s < end; ++s) ASSERT_EQ(part_of_sector(s, sectors, parts), i);
      }
    }
  }
}

}  // namespace
}  // namespace pivotscope::viz
