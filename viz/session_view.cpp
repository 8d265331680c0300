#include "viz/session_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/index/cell_state.hpp"
#include "viz/reads.hpp"

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

void written_pages::show(std::shared_ptr<const index_model> model, const lookup_trace* trace, u32 step) {
  model_ = std::move(model);
  trace_ = trace && trace->write ? trace : nullptr;
  step_ = step;
  pages_.clear();
}

const std::vector<std::byte>* written_pages::page(region_id array, u64 number) {
  const std::vector<std::byte>* bytes = under_.page(array, number);
  if (!bytes || !trace_) return bytes;
  const auto known = pages_.find({array, number});
  if (known != pages_.end()) return &known->second;
  std::vector<std::byte> written = *bytes;
  if (!write_over(*model_, *trace_, step_, array, number * page_bytes, written)) return bytes;
  return &(pages_[{array, number}] = std::move(written));
}

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
  return slot_content{*value, read_row(model, index, source, {array, slot})};
}

std::optional<u32> read_row(const index_model& model, const built_index& index, slot_source& source, cell_ref at) {
  const std::optional<row_place> place = place_of_row(model, at);
  if (!place) return std::nullopt;
  const auto row = read_value(index, source, place->region, place->byte_offset, sizeof(u32));
  return row ? std::optional(static_cast<u32>(*row)) : std::nullopt;
}

std::string row_words(u32 row) {
  const cell_state state = state_of_row(row);
  return state == cell_state::live ? fmt::format("row {}", row) : state_name(state);
}

}  // namespace pivotscope::viz
