#include "viz/cells/scratch_row.hpp"

#include <gtest/gtest.h>

#include "core/families/ordered/mapping.hpp"
#include "tests/support/build_index.hpp"
#include "tests/support/ordered.hpp"
#include "viz/layout/scratch_strip.hpp"

namespace pivotscope::viz {
namespace {

using testing::build_on_cpu;
using testing::config_of;
using testing::paper_keys_in_order;

constexpr const char* pinning_lines[] = {"AO+BS pin=steps scratch=32",          "AO+BS pin=full scratch=32",
                                         "AO+KS fanout=3 pin=full scratch=48",  "EO+BS pin=full scratch=32",
                                         "EO+KS fanout=3 pin=steps scratch=48", "AO+PB+BS pin=full scratch=32"};

TEST(ScratchRow, EveryCellIsASlotAndEverySlotItsCell) {
  for (const char* line : pinning_lines) {
    for (u64 n = 0; n <= 100; ++n) {
      const ordered_config config = config_of(line);
      const index_shape shape = make_shape(config, n);
      const auto model = model_of(config, n);
      const scratch_row row(*model, *model->pinned());
      ASSERT_LE(row.bytes_used(), config.scratch) << line;
      ASSERT_LE(row.pinned().whole, row.count());
      ASSERT_EQ(row.slots().size(), row.count());
      u64 counts[max_levels], all = 0;
      row.count_levels(0, row.count(), counts);
      for (const u64 count : counts) all += count;
      ASSERT_EQ(all, row.count());
      for (u64 cell = 0; cell < row.count(); ++cell) {
        const cell_place place = row.at(cell);
        ASSERT_EQ(row.cell_of_slot(place.array, place.slot), cell) << line << " n=" << n;
        if (place.rank == no_rank) continue;
        ASSERT_EQ(row.cell_of_rank(place.rank), cell);
        ASSERT_TRUE(place.array == ordered_region::pivots || entry_slot(config, shape, place.rank) == place.slot)
            << line;
        // The search of the ascending order begins at the last entry, and may compare it only at its end.
        const bool start = config.order == order_kind::ascending && place.rank + 1 == n;
        ASSERT_TRUE(start || cell >= row.pinned().whole || place.level < row.pinned().steps) << line << " n=" << n;
      }
    }
  }
}

TEST(ScratchRow, MarksWhatALookupReadsThere) {
  for (const char* line : pinning_lines) {
    const auto index = build_on_cpu(config_of(line), paper_keys_in_order());
    const outcome<lookup_trace> trace = trace_lookup(*index, 9);
    ASSERT_TRUE(trace.ok());
    const auto model = model_of(*index);
    const scratch_row row(*model, *model->pinned());
    const auto steps = static_cast<u32>(trace->steps.size());
    u64 seen = 0;
    for (const strip_mark& mark : scratch_reads(row, *trace, steps - 1)) {
      ASSERT_LT(mark.cell, row.count()) << line;
      ++seen;
    }
    EXPECT_EQ(seen * row.pinned().cell_bytes, trace->scratch_bytes) << line;
    EXPECT_GT(seen, 0u) << line;
    for (const strip_mark& mark : scratch_reads(row, *trace, 0)) EXPECT_EQ(mark.mark, read_mark::now);
  }
}

}  // namespace
}  // namespace pivotscope::viz
