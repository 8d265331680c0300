// The table of operations: what each is called, and how it is written. An operation more is a line here and a value in
// core/common/operation.hpp; what it answers follows from there.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/common/answers.hpp"
#include "core/common/operation.hpp"

namespace pivotscope {

struct operation_info {
  operation kind;
  std::string_view verb;    // in a script, a scenario, JSON: "find"
  std::string_view noun;    // of many: "lookups"
  std::string_view one;     // of one, and with a dash the option that traces it: "lower bound"
  std::string_view field;   // of the workload's line that counts them, and with dashes the option: "lower_bounds"
  std::string_view sign;    // before the key in a list or in the key field: "+5"; empty: a range, which has dots
  std::string_view kernel;  // of a batch's kernel and stage: "lookup"
  std::string_view sought;  // in a sentence before the key: "looking for what comes after 9"
  std::string_view answer;  // what one finds, or of a write does
};

// In the order of the enumeration.
inline constexpr std::array operation_table = std::to_array<operation_info>({
    {operation::find, "find", "lookups", "lookup", "lookups", "?", "lookup", "",  //
     "one key, and answers with its row id"},
    {operation::range, "range", "ranges", "range", "ranges", "", "ranges", "all from ",
     "all keys from a low to a high one, and answers with how many there are and the sum of their row ids"},
    {operation::successor, "successor", "successors", "successor", "successors", ">", "successors", "what comes after ",
     "what comes after a key: the least greater one that is there, and a row id of it"},
    {operation::matches, "match", "matches", "match", "matches", "=", "matches", "all entries of ",
     "all entries of a key: how many there are, and the sum of their row ids"},
    {operation::lower_bound, "lower", "lower bounds", "lower bound", "lower_bounds", ">=", "lower bounds",
     "the least that is not smaller than ", "the least key that is not smaller than a key, and a row id of it"},
    {operation::insert, "insert", "inserts", "insert", "inserts", "+", "insert", "",  //
     "gives a key the next row id"},
    {operation::erase, "erase", "erases", "erase", "erases", "-", "erase", "", "removes all entries of a key"},
});

constexpr const operation_info& info_of(operation kind) { return operation_table[static_cast<std::size_t>(kind)]; }
constexpr std::string_view operation_verb(operation kind) { return info_of(kind).verb; }
constexpr std::string_view operation_noun(operation kind) { return info_of(kind).noun; }

// Returns the operation whose sign the text begins with, the longest that fits, and the text behind it.
constexpr std::optional<std::pair<operation, std::string_view>> take_sign(std::string_view text) {
  const operation_info* best = nullptr;
  for (const operation_info& one : operation_table)
    if (!one.sign.empty() && text.starts_with(one.sign) && (best == nullptr || one.sign.size() > best->sign.size()))
      best = &one;
  if (best == nullptr) return std::nullopt;
  return std::pair{best->kind, text.substr(best->sign.size())};
}
constexpr std::optional<operation> operation_of_verb(std::string_view verb) {
  for (const operation_info& one : operation_table)
    if (one.verb == verb) return one.kind;
  return std::nullopt;
}

inline constexpr std::array all_operations = [] {
  std::array<operation, operation_table.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = operation_table[i].kind;
  return all;
}();
// Those that change nothing come first.
inline constexpr std::array read_operations = [] {
  std::array<operation, static_cast<std::size_t>(operation::insert)> reads{};
  std::copy_n(all_operations.begin(), reads.size(), reads.begin());
  return reads;
}();

// An option's name: "lower-bounds"
std::string option_name(std::string_view words_or_field);
// How each is written in a list: "?5 lookup, 5..9 range, >5 successor, ..."
std::string listed_signs();
// How each is written in a script: "find K, range A B, successor K, ..."
std::string listed_verbs();

std::string_view write_done_name(write_done done);  // "added", "revived", ...

}  // namespace pivotscope
