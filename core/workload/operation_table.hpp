// The table of operations: what each is called, and how it is written.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/common/answers.hpp"
#include "core/common/operation.hpp"

namespace pivotscope {

struct operation_info {
  operation kind;
  std::string_view verb;  // in a script, a scenario, JSON: "find"
  std::string_view noun;  // of many, and the option that draws so many: "lookups"
  char sign;              // before the key in a list: "+5"; 0: a range, which has dots between its keys
};

// In the order of the enumeration.
inline constexpr std::array operation_table = {operation_info{operation::find, "find", "lookups", '?'},
                                               operation_info{operation::range, "range", "ranges", 0},
                                               operation_info{operation::successor, "successor", "successors", '>'},
                                               operation_info{operation::insert, "insert", "inserts", '+'},
                                               operation_info{operation::erase, "erase", "erases", '-'}};

constexpr const operation_info& info_of(operation kind) { return operation_table[static_cast<std::size_t>(kind)]; }
constexpr std::string_view operation_verb(operation kind) { return info_of(kind).verb; }
constexpr std::string_view operation_noun(operation kind) { return info_of(kind).noun; }
constexpr std::optional<operation> operation_of_sign(char sign) {
  for (const operation_info& one : operation_table)
    if (one.sign == sign && sign != 0) return one.kind;
  return std::nullopt;
}
constexpr std::optional<operation> operation_of_verb(std::string_view verb) {
  for (const operation_info& one : operation_table)
    if (one.verb == verb) return one.kind;
  return std::nullopt;
}

inline constexpr std::array all_operations = {operation::find, operation::range, operation::successor,
                                              operation::insert, operation::erase};
inline constexpr std::array read_operations = {operation::find, operation::range, operation::successor};

std::string_view write_done_name(write_done done);  // "added", "revived", ...

}  // namespace pivotscope
