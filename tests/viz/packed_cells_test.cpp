// Packed cells as views have them: read through pages, in rows of memory, in strips, and bit by bit.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/packed_index.hpp"
#include "viz/cells/cell_bits.hpp"
#include "viz/cells/cells.hpp"
#include "viz/cells/scratch_row.hpp"
#include "viz/layout/scratch_strip.hpp"
#include "viz/models/memory_model.hpp"
#include "viz/models/reads.hpp"
#include "viz/models/session_view.hpp"

namespace pivotscope::viz {
namespace {

using testing::packed_blocks;
using testing::packed_index;
using testing::packed_model;
using testing::packs_of_three;

// Pages that come one frame after they were asked for.
class late_pages final : public slot_source {
 public:
  explicit late_pages(const built_index& index) : index_(index) {}
  const std::vector<std::byte>* page(region_id array, u64 number) override {
    const auto known = pages_.find({array, number});
    if (known == pages_.end()) asked_.emplace_back(array, number);
    return known == pages_.end() ? nullptr : &known->second;
  }
  void next_frame() {
    for (const auto& key : asked_) {
      std::vector<std::byte>& bytes = pages_[key];
      bytes.resize(std::min(page_bytes, index_.bytes(key.first) - key.second * page_bytes));
      EXPECT_TRUE(index_.read(key.first, key.second * page_bytes, bytes).ok());
    }
    asked_.clear();
  }

 private:
  const built_index& index_;
  std::vector<std::pair<region_id, u64>> asked_;
  std::map<std::pair<region_id, u64>, std::vector<std::byte>> pages_;
};

TEST(PackedCells, AreReadOnceAllTheirPagesAreHere) {
  const packed_index index(200);
  late_pages pages(index);
  const auto read = [&] { return read_slot(index.model, index, pages, main_region, 500); };
  EXPECT_FALSE(read()) << "asks for the block";
  pages.next_frame();
  EXPECT_FALSE(read()) << "asks for the pack";
  pages.next_frame();
  ASSERT_TRUE(read());
  EXPECT_EQ(read()->key, packed_index::key(500));
  EXPECT_EQ(read()->row, 3500u);
  EXPECT_EQ(read_row(index.model, index, pages, {main_region, 500}), 3500u);
  EXPECT_FALSE(read_slot(index.model, index, pages, packed_blocks, 166)) << "no keys there";
  EXPECT_EQ(index.model.words_of({packed_blocks, 166}, reader_of(index, pages)), "from key 166000");
}

TEST(PackedCells, FillRowsOfMemoryWithWhatTheyShareBetween) {
  for (const u32 row_bytes : {32u, 64u, 128u}) {
    const region_info region = packs_of_three(3 * 11);
    EXPECT_EQ(rows_of(region, row_bytes), (11 * 16 + row_bytes - 1) / row_bytes);
    u64 cells = 0, shared = 0;
    for (u64 row = 0; row < rows_of(region, row_bytes); ++row) {
      u32 last = 0;
      for (const cell_part& part : cells_of_row(region, row, row_bytes)) {
        EXPECT_EQ(part.begin, last);
        EXPECT_EQ(part.end, part.begin + 4);
        EXPECT_TRUE(part.whole);
        last = part.end;
        const u64 byte = row * row_bytes + part.begin;
        EXPECT_EQ(part.shared, byte % 16 == 12);
        EXPECT_EQ(part.cell, part.shared ? byte / 16 * 3 : cells);
        ++(part.shared ? shared : cells);
      }
    }
    EXPECT_EQ(cells, 33u);
    EXPECT_EQ(shared, 11u);
  }
}

TEST(PackedCells, TakeTheirShareOfAStrip) {
  const auto model = std::make_shared<const packed_model>(4);
  const auto row = region_row(model, main_region);
  EXPECT_EQ(row->count(), 12u);
  EXPECT_DOUBLE_EQ(row->stride(), 16.0 / 3);
  EXPECT_EQ(row->in_bits(), &model->region(main_region));
  EXPECT_TRUE(row->fields().empty());
  const auto blocks = region_row(model, packed_blocks);
  EXPECT_DOUBLE_EQ(blocks->stride(), 16);
  EXPECT_FALSE(blocks->in_bits());
  EXPECT_EQ(blocks->fields().size(), 2u);
  EXPECT_TRUE(holds_key(*model, place_of(*model, {main_region, 11})));
  EXPECT_FALSE(holds_key(*model, place_of(*model, {main_region, 12})));
  EXPECT_FALSE(holds_key(*model, place_of(*model, {packed_blocks, 0})));
}

TEST(PackedCells, AreNamedBitByBit) {
  const region_info region = packs_of_three(6);
  const auto names = [](const std::vector<const bit_field*>& list) {
    std::string all;
    for (const bit_field* f : list) all += bits_name(*f) + "; ";
    return all;
  };
  EXPECT_EQ(names(bits_of(region, 3)), "row id 0-19; low bits of the key 20-31; high bits of the key 96-105; ");
  EXPECT_EQ(names(bits_of(region, 5)),
            "row id 64-83; low bits of the key 84-95; high bits of the key 116-125; flags 126-127; ");
  EXPECT_EQ(names(bits_among(region, 6, 7)), "row id 32-51; low bits of the key 52-63; ");
  EXPECT_EQ(names(bits_among(region, 15, 16)), "high bits of the key 116-125; flags 126-127; ");
  EXPECT_EQ(bits_name({"flag", 7, 1}), "flag 7");
  // Each bit is one part's: the parts of every cell are the pack's, and together all of it.
  u64 parts = 0, bits = 0;
  for (u64 cell = 0; cell < 3; ++cell)
    for (const bit_field* f : bits_of(region, cell)) ++parts, bits += f->bits;
  EXPECT_EQ(parts, region.bits.size());
  EXPECT_EQ(bits, 128u);
  const packed_index index(2);
  std::vector<std::byte> pack(16);
  ASSERT_TRUE(index.read(main_region, 16, pack).ok());
  EXPECT_EQ(bits_value(region.bits[2], pack), 7u * 4) << "row id of the second";
  EXPECT_EQ(bits_value(region.bits[8], pack), 10000u >> 12);
  EXPECT_FALSE(bits_value({"separators", 0, 96}, pack));
  EXPECT_FALSE(bits_value({"beyond", 120, 9}, pack));
}

TEST(PackedCells, BlocksInScratchAreWholeCells) {
  const packed_model model(9);
  const scratch_row row(model, *model.pinned());
  EXPECT_EQ(row.count(), 9u);
  EXPECT_STREQ(row.name(), "blocks");
  EXPECT_EQ(row.bytes_used(), 144u);
  EXPECT_EQ(row.fields().size(), 2u);
  EXPECT_EQ(row.cell_of_slot(packed_blocks, 4), 4u);
  lookup_trace trace;
  trace.steps.resize(2);
  trace.steps[0].accesses.push_back({packed_blocks, memory_space::scratch, 4, 1, 64 + 8, 8});
  trace.steps[1].accesses.push_back({packed_blocks, memory_space::global, 6, 2, 96, 32});
  const auto marks = scratch_reads(row, trace, 1);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].cell, 4u);
  // Of cells without keys a load is what marks them.
  EXPECT_EQ(loads_of(trace, 0, packed_blocks, 4).mark, read_mark::now);
  EXPECT_EQ(loads_of(trace, 1, packed_blocks, 4).mark, read_mark::before);
  EXPECT_EQ(loads_of(trace, 1, packed_blocks, 7).step, 1u);
  EXPECT_EQ(loads_of(trace, 1, packed_blocks, 8).mark, read_mark::none);
  EXPECT_EQ(loads_of(trace, 0, packed_blocks, 7).mark, read_mark::none);
  EXPECT_EQ(compared_words(trace.steps[0]), "compares no key");
  EXPECT_EQ(compared_words({}), "nothing to read");
}

}  // namespace
}  // namespace pivotscope::viz
