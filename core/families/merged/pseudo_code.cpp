#include "core/families/merged/pseudo_code.hpp"

#include <fmt/format.h>

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/merged/merged.hpp";

// The lines of the search for the first entry that is large enough. `small`: "smaller than the key".
pseudo_code begin_with_search(std::string head, std::string_view small) {
  return {
      {std::move(head)},
      {fmt::format("  at = 0    (so many entries are known to be {})", small),
       {{here, "auto at = wave.all(0u)"}},
       pseudo_when::begins},
      {"  step = the greatest power of two up to n", {{here, "u32 step = merged_first_step(n)"}}, pseudo_when::begins},
      {"  while step > 0:", {{here, "wave.memory.step(level)"}}},
      {"    read the key in slot at + step - 1, if there is one", {{here, "load_part<key_type>(entries, slot"}}},
      {fmt::format("    if it is {}: at = at + step", small),
       {{here, "wave.memory.saw(entries, slot, key)"}, {here, "at[i] += step * static_cast<u32>"}}},
      {"    step = step / 2", {{here, "wave.memory.will_read(entries, next"}}}};
}

pseudo_code with(pseudo_code begin, pseudo_code end) {
  begin.insert(begin.end(), std::make_move_iterator(end.begin()), std::make_move_iterator(end.end()));
  return begin;
}

pseudo_code range_code() {
  return with(begin_with_search("range(low, high):", "smaller than low"),
              {{"  count = 0, sum = 0", {{here, "range_answer answer{};"}}, pseudo_when::begins},
               {"  while there is slot at, and its key is not greater than high:",
                {{here, "memory.scan_step(merged_levels(n), false)"},
                 {here, "memory.template load<entry_cell<Key>>(entries, at)"},
                 {here, "memory.saw(entries, at, entry.key)"},
                 {here, "going = entry.key <= high"}}},
               {"    count = count + 1, sum = sum + row id, at = at + 1", {{here, "++answer.count, ++at"}}},
               {"    after 32 entries: all 32 lanes of the warp read on together",
                {{here, "scan_with_warp(warp, memory, r, output)"},
                 {here, "memory.scan_step(merged_levels(rest.end), true)"},
                 {here, "memory.template load<entry_cell<Key>>(entries, at + offset)"},
                 {here, "memory.saw(entries, at + offset"}}},
               {"  return count, sum", {{here, "return {answer.count + more.count"}}, pseudo_when::ends}});
}

pseudo_code next_code(bool itself) {
  return with(begin_with_search(itself ? "lower bound(key):" : "what comes after(key):",
                                itself ? "smaller than the key" : "not greater than the key"),
              {{"  if there is slot at: read its entry",
                {{here, "memory.scan_step(merged_levels(n), false)"},
                 {here, "memory.template load<entry_cell<Key>>(entries, at)"},
                 {here, "memory.saw(entries, at, entry.key)"}}},
               {"    return its key and row id", {{here, "answer = {entry.key, entry.row}"}}, pseudo_when::found},
               {"  return none", {{here, "successor_answer answer{};"}}, pseudo_when::absent}});
}

pseudo_code find_code() {
  return with(begin_with_search("find(key):", "smaller than the key"),
              {{"  if there is slot at: read its entry",
                {{here, "wave.memory.step(merged_levels(n))"},
                 {here, "wave.memory.template load<entry_cell<key_type>>(entries, at[i])"},
                 {here, "wave.memory.saw(entries, at[i], entry.key)"}}},
               {"    if it has the key: return its row id",
                {{here, "if (entry.key == wave.keys[i]) rows[i] = entry.row"}},
                pseudo_when::found},
               {"  return none", {{here, "auto rows = wave.all(not_found);"}}, pseudo_when::absent}});
}

}  // namespace

pseudo_code merged_pseudo_code(operation kind) {
  if (kind == operation::range) return range_code();
  if (answer_of(kind) == answer_kind::next) return next_code(takes_itself(kind));
  return find_code();
}

}  // namespace pivotscope
