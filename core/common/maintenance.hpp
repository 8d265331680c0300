// What is done to an index as a whole, in a batch of its own (docs/updates.md).
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/common/portable.hpp"

namespace pivotscope {

enum class maintenance : u8 {
  clear,    // takes all entries out
  rebuild,  // makes the index as if it were built from the entries that it holds
};

struct maintenance_info {
  maintenance kind;
  std::string_view name;  // in a script, JSON and a table; also of its stage
  std::string_view sign;  // in a list
};
// In the order of the enumeration.
inline constexpr std::array maintenance_table = std::to_array<maintenance_info>({
    {maintenance::clear, "clear", "-*"},
    {maintenance::rebuild, "rebuild", "@"},
});

constexpr const maintenance_info& info_of(maintenance kind) {
  return maintenance_table[static_cast<std::size_t>(kind)];
}
constexpr std::optional<maintenance> maintenance_of_name(std::string_view name) {
  for (const maintenance_info& one : maintenance_table)
    if (one.name == name) return one.kind;
  return std::nullopt;
}
constexpr std::optional<maintenance> maintenance_of_sign(std::string_view sign) {
  for (const maintenance_info& one : maintenance_table)
    if (one.sign == sign) return one.kind;
  return std::nullopt;
}

}  // namespace pivotscope
