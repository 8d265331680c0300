// Cells that share their bytes: where they lie, what they hold, and what a trace says of loads that bring several.
#include <gtest/gtest.h>

#include "core/index/cell_state.hpp"
#include "core/simt/host_block.hpp"
#include "tests/support/packed_index.hpp"

namespace pivotscope {
namespace {

using testing::pack_of_three;
using testing::packed_block;
using testing::packed_blocks;
using testing::packed_index;
using testing::traced_packs;

// Packs of 16 and of 32 bytes, with words of 4 and of 8 and one more behind them.
region_info packs_of(u32 cells_a_pack, u32 word_bytes, u64 cells) {
  region_info region;
  region.cells = cells;
  region.cells_a_pack = cells_a_pack;
  region.cell_bytes = (cells_a_pack + 1) * word_bytes;
  const u32 word = 8 * word_bytes;
  for (u32 i = 0; i < cells_a_pack; ++i) {
    region.bits.push_back({"row id", word * i, word / 2, field_kind::row_id, i});
    region.bits.push_back({"low bits", word * i + word / 2, word / 2, field_kind::key, i});
  }
  region.bits.push_back({"first's high bits", word * cells_a_pack, 5, field_kind::key, 0});
  region.bits.push_back({"flags", word * cells_a_pack + 5, word - 5, field_kind::other});
  return region;
}

TEST(packed_cells, every_byte_is_one_cells_or_its_packs) {
  for (const u32 cells_a_pack : {2u, 3u, 5u}) {
    for (const u32 word : {4u, 8u}) {
      for (u64 cells = 1; cells < 20; ++cells) {
        const region_info region = packs_of(cells_a_pack, word, cells);
        const u64 packs = (cells + cells_a_pack - 1) / cells_a_pack;
        EXPECT_EQ(region.packs(), packs);
        EXPECT_EQ(region.bytes(), packs * region.cell_bytes);
        for (u64 cell = 0; cell < cells; ++cell) {
          const u64 pack = cell / cells_a_pack, begin = pack * region.cell_bytes + cell % cells_a_pack * word;
          EXPECT_EQ(region.pack_of(cell), pack);
          EXPECT_EQ(region.byte_of(cell), begin);
          EXPECT_EQ(region.own_bytes(cell), std::pair(begin, begin + word));
          for (u64 byte = begin; byte < begin + word; ++byte) EXPECT_EQ(region.cell_at(byte), cell);
        }
        for (u64 pack = 0; pack < packs; ++pack)
          for (u64 byte = (pack + 1) * region.cell_bytes - word; byte < (pack + 1) * region.cell_bytes; ++byte)
            EXPECT_EQ(region.cell_at(byte), (pack + 1) * cells_a_pack - 1) << "shared: the last of the pack";
      }
    }
  }
  const region_info region = packs_of(3, 4, 9);
  EXPECT_FALSE(region.field(field_kind::key)) << "not in whole bytes";
  EXPECT_TRUE(region.has(field_kind::key));
  EXPECT_TRUE(region.has(field_kind::row_id));
  EXPECT_FALSE(region.has(field_kind::padding));
}

TEST(packed_cells, of_whole_bytes_lie_as_ever) {
  region_info region;
  region.cells = 7, region.cell_bytes = 12, region.fields = {{"key", 0, 8, field_kind::key}};
  for (u64 byte = 0; byte < 84; ++byte) EXPECT_EQ(region.cell_at(byte), byte / 12);
  EXPECT_EQ(region.own_bytes(3), (std::pair<u64, u64>(36, 48)));
  EXPECT_EQ(region.packs(), 7u);
  EXPECT_EQ(region.bytes(), 84u);
  EXPECT_TRUE(region.has(field_kind::key));
}

TEST(packed_cells, hold_what_their_model_decodes) {
  const packed_index index(5);
  index_reader reader(index);
  for (u64 cell = 0; cell < 15; ++cell) {
    const auto value = index.model.value_of({main_region, cell}, std::ref(reader));
    ASSERT_TRUE(value);
    EXPECT_EQ(value->key, packed_index::key(cell)) << cell;
    EXPECT_EQ(value->row, cell == 14 ? not_found : 7 * cell) << cell;
  }
  EXPECT_EQ(index.model.words_of({packed_blocks, 3}, std::ref(reader)), "from key 3000");
  EXPECT_EQ(index.model.value_of({packed_blocks, 3}, std::ref(reader)), cell_value{}) << "neither key nor row id";
  EXPECT_TRUE(reader.failure().ok());
  EXPECT_FALSE(index.model.value_of({main_region, 15}, std::ref(reader)));
  EXPECT_EQ(reader.failure().error().words, "beyond the end");
  // Bytes that are not at hand, of the other region.
  const region_reader without_blocks = [&](region_id region, u64 byte, std::span<std::byte> out) {
    return region == main_region && index.read(region, byte, out).ok();
  };
  EXPECT_FALSE(index.model.value_of({main_region, 4}, without_blocks));
}

TEST(packed_cells, tell_what_they_are_by_their_row_ids) {
  const packed_index index(40);
  EXPECT_TRUE(tells_state(index.model, {main_region, 0}));
  EXPECT_FALSE(tells_state(index.model, {main_region, 120})) << "beyond the end";
  EXPECT_FALSE(tells_state(index.model, {packed_blocks, 0})) << "no row ids";
  EXPECT_FALSE(place_of_row(index.model, {main_region, 0})) << "no whole bytes";
  EXPECT_EQ(*read_state(index, index.model, {main_region, 118}), cell_state::live);
  EXPECT_EQ(*read_state(index, index.model, {main_region, 119}), cell_state::empty);
  EXPECT_EQ(*count_states(index, index.model, {main_region, 0, 500}), (state_counts{.empty = 1, .live = 119}));
  EXPECT_EQ(*count_states(index, index.model, {packed_blocks, 0, 500}), (state_counts{.live = 40}));
  EXPECT_EQ(*live_cell_from(index, index.model, 119), (cell_ref{main_region, 0}));
}

TEST(packed_cells, are_what_loads_of_packs_are_told_in) {
  const packed_index index(9);
  traced_packs here(index);
  const pack_of_three pack = here.memory.load<pack_of_three>(main_region, 4);
  EXPECT_EQ(pack.entries[1] & 0xFFFFF, 7u * 13);
  here.memory.load_part<u32>(main_region, 4, 16, 4);
  here.memory.load_part<u32>(main_region, 4, 16, 12);
  here.memory.load_part<u64>(main_region, 4, 16, 4);
  here.memory.each_of_run<pack_of_three>(main_region, 2, node_run{.node = 4, .per_lane = 2, .align = 1}, 1,
                                         [](u32, const pack_of_three&) {});
  here.memory.load<packed_block>(packed_blocks, 4);
  here.memory.saw(main_region, 13, packed_index::key(13));
  std::vector<std::pair<u64, u32>> told;
  for (const memory_access& a : here.step().accesses) told.emplace_back(a.slot, a.slots);
  EXPECT_EQ(told, (std::vector<std::pair<u64, u32>>{{12, 3}, {13, 1}, {14, 1}, {13, 2}, {12, 3}, {15, 3}, {4, 1}}));
  EXPECT_EQ(here.step().accesses[0].byte_offset, 64u);
  EXPECT_EQ(here.step().accesses[0].bytes, 16u);
  ASSERT_EQ(here.step().compared.size(), 1u);
  EXPECT_EQ(here.step().compared[0].slot, 13u);
  EXPECT_EQ(here.step().compared[0].state, cell_state::live);
  here.memory.saw(main_region, 26, 0);
  EXPECT_EQ(here.step().compared[1].state, cell_state::empty) << "as its bits say";
  here.memory.met(packed_blocks, 2, relation::hit);
  const comparison& block = here.step().compared[2];
  EXPECT_TRUE(block.keyless && block.array == packed_blocks && block.slot == 2 && block.met == relation::hit);
  EXPECT_FALSE(here.step().compared[0].keyless);
  EXPECT_TRUE(here.source.failure().ok());
}

TEST(packed_cells, what_is_told_of_them_costs_few_reads) {
  const packed_index index(30);
  traced_packs here(index);
  for (u64 cell = 0; cell < 90; ++cell) here.memory.saw(main_region, cell, packed_index::key(cell));
  EXPECT_EQ(index.reads, 2u) << "480 bytes of either region";
}

TEST(packed_cells, blocks_lie_in_scratch_whole) {
  const packed_index index(9);
  traced_packs here(index);
  EXPECT_EQ(here.memory.load_scratch<packed_block>(3).least, 3000u);
  EXPECT_EQ(here.memory.load_scratch<u64>(7), 0u) << "the second half of block 3";
  EXPECT_EQ(static_cast<u32>(here.memory.load_scratch<u64>(6)), 3000u);
  ASSERT_EQ(here.step().accesses.size(), 3u);
  for (const memory_access& a : here.step().accesses) {
    EXPECT_EQ(a.array, packed_blocks);
    EXPECT_EQ(a.space, memory_space::scratch);
    EXPECT_EQ(a.slot, 3u);
    EXPECT_EQ(a.byte_offset / 16, 3u);
  }
  EXPECT_EQ(here.step().accesses[1].byte_offset, 56u);

  // A block of the cpu machine, too: what fills scratch has its own size, whatever the key's.
  index_view view;
  std::vector<std::byte> blocks(9 * 16);
  ASSERT_TRUE(index.read(packed_blocks, 0, blocks).ok());
  view.regions[number_of(packed_blocks)] = blocks.data();
  host_block<any_lanes, u32> block({1}, launch_config{}, view);
  block.fill_scratch(9, [](auto& memory, u32 i) { return memory.template load<packed_block>(packed_blocks, i); });
  std::vector<u32> least;
  const std::vector<u32> any_keys(9);
  block.each_as_it_comes(any_keys.data(), 9, [&](auto&, auto& memory, u32 place, u32, bool) {
    least.push_back(memory.template load_scratch<packed_block>(place).least);
  });
  EXPECT_EQ(least, (std::vector<u32>{0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000}));
}

}  // namespace
}  // namespace pivotscope
