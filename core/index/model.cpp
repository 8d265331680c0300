#include "core/index/model.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/common/answers.hpp"
#include "core/index/family.hpp"

namespace pivotscope {

const cell_field* region_info::field(field_kind kind) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const cell_field& f) { return f.kind == kind; });
  return found == fields.end() ? nullptr : &*found;
}

bool region_info::has(field_kind kind) const {
  return field(kind) || std::any_of(bits.begin(), bits.end(), [&](const bit_field& f) { return f.kind == kind; });
}

std::pair<u64, u64> region_info::own_bytes(u64 cell) const {
  const u64 begin = pack_of(cell) * cell_bytes;
  if (cells_a_pack == 1) return {begin, begin + cell_bytes};
  const auto is_its = [&](const bit_field& f) { return f.cell == cell % cells_a_pack; };
  const auto first = std::find_if(bits.begin(), bits.end(), is_its);
  const auto end = std::find_if_not(first, bits.end(), is_its);
  PIVOTSCOPE_EXPECT(first != end && first->first % 8 == 0);
  return {begin + first->first / 8, begin + std::prev(end)->end() / 8};
}

u64 region_info::cell_at(u64 byte) const {
  u64 cell = byte / cell_bytes * cells_a_pack;
  for (u32 i = 1; i < cells_a_pack && byte_of(cell + 1) <= byte; ++i) ++cell;
  return cell;
}

bool index_model::values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const {
  PIVOTSCOPE_EXPECT(out.size() == cells.count);
  std::fill(out.begin(), out.end(), cell_value{});
  std::array<std::byte, 64> few;  // traces and views ask cell by cell
  std::vector<std::byte> many;
  for (std::size_t r = 0; r < regions().size(); ++r) {
    const auto id = static_cast<region_id>(r);
    const region_info& info = regions()[r];
    if (info.cells == 0 || out.empty() || (id != cells.region && info.beside != cells.region)) continue;
    const cell_field* const key = id == cells.region ? info.field(field_kind::key) : nullptr;
    const cell_field* const row = info.field(field_kind::row_id);
    if (!key && !row) continue;
    const u64 size = cells.count * info.cell_bytes;
    if (size > few.size()) many.resize(size);
    const std::span<std::byte> bytes = size > few.size() ? std::span(many) : std::span(few).first(size);
    if (!read(id, cells.first * info.cell_bytes, bytes)) return false;
    const auto value_at = [&](std::size_t i, const cell_field& field) {
      u64 value = 0;  // little-endian, as every machine that CUDA runs on
      std::memcpy(&value, bytes.data() + i * info.cell_bytes + field.offset, field.bytes);
      return value;
    };
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (key) out[i].key = value_at(i, *key);
      if (row) out[i].row = static_cast<u32>(value_at(i, *row));
    }
  }
  return true;
}

bool index_model::held(const region_reader& read, const entry_taker& f) const {
  constexpr u64 at_once = 1 << 16;
  const u64 cells = region(main_region).cells;  // of a region that has room for more, those in use
  std::vector<cell_value> values;
  std::vector<stored_entry> entries;
  for (u64 first = 0; first < cells; first += at_once) {
    values.resize(std::min(at_once, cells - first));
    if (!values_of({main_region, first, values.size()}, read, values)) return false;
    entries.clear();
    for (const cell_value& value : values)
      if (value.key && value.row && is_live_row(*value.row)) entries.push_back({*value.key, *value.row});
    if (!f(entries, static_cast<double>(first + values.size()) / static_cast<double>(cells))) return false;
  }
  return true;
}

bool index_model::links_of(std::span<const tree_node> nodes, const region_reader&, std::vector<node_link>& out) const {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].parent >= 0) out.push_back({static_cast<u32>(nodes[i].parent), static_cast<u32>(i), nodes[i].gap});
  return true;
}

std::shared_ptr<const index_model> model_of(const index_config& config, u64 keys) {
  return family_of(config).model(config, keys);
}

std::shared_ptr<const index_model> model_of(const stored_index& index) {
  return family_of(index.config()).model_of(index);
}

}  // namespace pivotscope
