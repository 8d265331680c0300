#include "viz/session_view.hpp"

#include <algorithm>
#include <cstring>

namespace pivotscope::viz {
namespace {

// A number of at most eight bytes, little-endian, as every machine that CUDA runs on has it.
std::optional<u64> read_value(const built_index& index, slot_source& source, region_id array, u64 offset, u32 size) {
  const std::vector<std::byte> bytes = read_bytes(index, source, array, offset, size);
  if (bytes.size() != size) return std::nullopt;
  u64 value = 0;
  std::memcpy(&value, bytes.data(), size);
  return value;
}

}  // namespace

std::vector<std::byte> read_bytes(const built_index& index, slot_source& source, region_id array, u64 offset,
                                  u64 count) {
  if (offset + count > index.bytes(array)) return {};
  std::vector<std::byte> out;
  out.reserve(count);
  bool whole = true;
  for (u64 at = offset; at < offset + count;) {
    const u64 number = at / slot_source::page_bytes, within = at % slot_source::page_bytes;
    const std::vector<std::byte>* page = source.page(array, number);
    const u64 here = std::min(offset + count - at, slot_source::page_bytes - within);
    if (!page || page->size() < within + here)
      whole = false;
    else
      out.insert(out.end(), page->begin() + static_cast<std::ptrdiff_t>(within),
                 page->begin() + static_cast<std::ptrdiff_t>(within + here));
    at += here;
  }
  return whole ? out : std::vector<std::byte>{};
}

std::optional<slot_content> read_slot(const index_model& model, const built_index& index, slot_source& source,
                                      region_id array, u64 slot) {
  const region_info& region = model.region(array);
  const cell_field* key = region.field(field_kind::key);
  if (!key) return std::nullopt;
  const auto value = read_value(index, source, array, slot * region.cell_bytes + key->offset, key->bytes);
  if (!value) return std::nullopt;
  slot_content content{*value, {}};
  const auto take_row = [&](region_id from, const region_info& info) {
    const cell_field* row = info.field(field_kind::row_id);
    if (!row) return;
    const auto id = read_value(index, source, from, slot * info.cell_bytes + row->offset, row->bytes);
    if (id) content.row = static_cast<u32>(*id);
  };
  take_row(array, region);
  for (std::size_t i = 0; i < model.regions().size(); ++i) {
    const region_info& other = model.regions()[i];
    if (other.cells > 0 && other.beside == array) take_row(static_cast<region_id>(i), other);
  }
  return content;
}

}  // namespace pivotscope::viz
