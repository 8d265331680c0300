#include "viz/cells/cell_bits.hpp"

#include <fmt/format.h>

namespace pivotscope::viz {

std::vector<const bit_field*> bits_of(const region_info& region, u64 cell) {
  const auto number = static_cast<u32>(cell % region.cells_a_pack);
  std::vector<const bit_field*> list;
  for (const bit_field& f : region.bits)
    if (f.cell.value_or(region.cells_a_pack - 1) == number) list.push_back(&f);
  return list;
}

std::vector<const bit_field*> bits_among(const region_info& region, u64 first, u64 end) {
  std::vector<const bit_field*> list;
  for (const bit_field& f : region.bits)
    if (f.first < 8 * end && 8 * first < f.end()) list.push_back(&f);
  return list;
}

std::optional<u64> bits_value(const bit_field& field, std::span<const std::byte> bytes) {
  if (field.bits > 64 || field.end() > 8 * bytes.size()) return std::nullopt;
  u64 value = 0;
  for (u32 i = 0; i < field.bits; ++i) {
    const u32 bit = field.first + i;
    value |= (std::to_integer<u64>(bytes[bit / 8]) >> bit % 8 & 1) << i;
  }
  return value;
}

std::string bits_numbers(const bit_field& field) {
  return field.bits == 1 ? std::to_string(field.first) : fmt::format("{}-{}", field.first, field.end() - 1);
}

std::string bits_name(const bit_field& field) { return field.name + " " + bits_numbers(field); }

}  // namespace pivotscope::viz
