#include "core/verify/held_cells.hpp"

#include "core/index/model.hpp"

namespace pivotscope {
namespace {

// A field of each cell of a region.
struct field_column {
  std::vector<std::byte> bytes = {};
  u32 cell_bytes = 0, offset = 0, width = 0;

  u64 operator[](u64 cell) const {
    u64 word = 0;
    std::memcpy(&word, bytes.data() + cell * cell_bytes + offset, width);
    return word;
  }
};

outcome<field_column> column(const stored_index& index, const region_info& region, region_id id, field_kind kind) {
  const cell_field* const field = region.field(kind);
  PIVOTSCOPE_EXPECT(field != nullptr);
  field_column all{std::vector<std::byte>(region.cells * region.cell_bytes), region.cell_bytes, field->offset,
                   field->bytes};
  if (auto s = index.read(id, 0, all.bytes); !s) return s.error();
  return all;
}

}  // namespace

outcome<held_cells> held_cells_of(const stored_index& index) {
  const std::shared_ptr<const index_model> model = model_of(index);
  const region_info& main = model->region(main_region);
  region_id rows_at = main_region;  // beside the keys, or in a region of their own
  for (u32 r = 0; r < model->regions().size(); ++r) {
    const region_info& region = model->regions()[r];
    if (region.beside == main_region && region.field(field_kind::row_id)) rows_at = region_id{static_cast<u8>(r)};
  }
  const auto keys = column(index, main, main_region, field_kind::key);
  if (!keys) return keys.error();
  const auto rows = column(index, model->region(rows_at), rows_at, field_kind::row_id);
  if (!rows) return rows.error();
  held_cells held;
  for (u64 i = 0; i < main.cells; ++i) {
    const u32 row = static_cast<u32>((*rows)[i]);
    held.claimed += row == claimed_row;
    if (is_live_row(row)) held.entries.push_back({(*keys)[i], row});
  }
  return held;
}

}  // namespace pivotscope
