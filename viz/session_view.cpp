#include "viz/session_view.hpp"

#include <algorithm>
#include <cstring>

namespace pivotscope::viz {
namespace {

template <class Value>
std::optional<Value> read_value(const built_index& index, slot_source& source, region_id array, u64 offset) {
  const std::vector<std::byte> bytes = read_bytes(index, source, array, offset, sizeof(Value));
  if (bytes.size() != sizeof(Value)) return std::nullopt;
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
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

std::optional<slot_content> read_slot(const built_index& index, slot_source& source, region_id array, u64 slot) {
  const index_config& config = index.config();
  const bool wide = config.keys == key_width::u64;
  const u64 stride = array == ordered_region::pivots ? key_bytes(config) : entry_bytes(config);
  slot_content content;
  if (wide) {
    const auto key = read_value<u64>(index, source, array, slot * stride);
    if (!key) return std::nullopt;
    content.key = *key;
  } else {
    const auto key = read_value<u32>(index, source, array, slot * stride);
    if (!key) return std::nullopt;
    content.key = *key;
  }
  if (array == ordered_region::pivots) return content;
  const auto row = config.layout == entry_layout::soa
                       ? read_value<u32>(index, source, ordered_region::rows, slot * 4)
                       : read_value<u32>(index, source, array, slot * stride + key_bytes(config));
  content.row = row;
  return content;
}

}  // namespace pivotscope::viz
