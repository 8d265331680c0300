#include "core/families/open_addressing/pseudo_code.hpp"

#include <fmt/format.h>

namespace pivotscope {
namespace {

constexpr std::string_view here = "core/families/open_addressing/open_addressing.hpp",
                           probing = "core/families/open_addressing/probing.hpp";

std::string next_window(const open_addressing_config& config) {
  switch (config.probing) {
    case probing_kind::linear:
      return "window = the next one";
    case probing_kind::quadratic:
      return "window = 1, then 2, then 3, ... further";
    default:
      return "window = as far on as a second hash of the key says";
  }
}

pseudo_code find_code(const open_addressing_config& config) {
  return {
      {"find(key):"},
      {"  window = hash(key) * windows / 2^32",
       {{here, "first_window(key, size)"}, {probing, "first_window("}},
       pseudo_when::begins},
      {"  repeat:", {{here, "memory.step(0);"}}},
      {config.lanes == 1 ? "    read the window's cells" : "    read the window's cells, a lane's share each",
       {{here, "load_share<Key>(config"},
        {here, "memory.template each_of_run<entry_cell<Key>>("},
        {here, "memory.template each_of_run<Key>("}}},
      {"    compare each key",
       {{here, "memory.saw(entries, first + i, got.keys[i])"},
        {here, "look_through(config, wave.lanes"},
        {here, "row_or_end(config, memory"},
        {here, "row = memory.template load<u32>(table_region::rows, cell)"}}},
      {"    if a cell has the key: return its row id",
       {{here, "return same ? row : on_to_the_next"}},
       pseudo_when::found},
      {"    if one is empty, or has the key erased: return none", {{here, "return no_such_key"}}, pseudo_when::absent},
      {"    " + next_window(config),
       {{here, "walk.next();"}, {here, "will_read<Key>(config, memory"}, {here, "memory.will_read(entries, first"}},
       pseudo_when::goes_on},
      {"    if all windows were tried: return none", {{here, "++here.tried < size.windows"}}}};
}

// What a write begins with: the cells on its key's way, one by one.
pseudo_code on_the_way(const char* head, const char* marked) {
  return {
      {head, {{here, marked}}},
      {"  window = hash(key) * windows / 2^32", {{here, "window_walk walk(config, key, size)"}}, pseudo_when::begins},
      {"  repeat:", {{here, "memory.step(0);"}}},
      {"    for each cell of the window:", {{here, "const auto cell = cells.look(first + i)"}}},
      {"      read its row id, and then its key",
       {{here, "seen = parts(memory_.template load<u64>"},
        {here, "seen.row = memory_.template load_acquire<u32>"},
        {here, "has_key ? memory_.template load_part<Key>"},
        {here, "memory_.saw(table_region::entries, i, seen.key)"}}}};
}

pseudo_code insert_code(const open_addressing_config& config) {
  const pseudo_code one_word = {
      {"        swap key and row id, as one word, for none",
       {{here, "return swap_word(i, ~0ull"}, {here, "compare_exchange<u64>(table_region::entries"}}}};
  const pseudo_code two_words = {
      {"        swap a claim for the row id none",
       {{here, "if (!swap_row(i, not_found, claimed_row))"}, {here, "compare_exchange<u32>(row_region()"}}},
      {"        store the key; fence; store the row id",
       {{here, "store_part<Key>(table_region::entries"},
        {here, "memory_.fence()"},
        {here, "store_part<u32>(row_region()"}}}};
  const pseudo_code rest = {
      {"        return added"},
      {"      if it has the key:", {{here, "if (cells.change_row(i, cell, row))"}}},
      {"        swap the new row id for its own, or an erased one's; return",
       {{here, "return swap_word(i, word(seen.key"},
        {here, "return swap_row(i, seen.row, row)"},
        {here, "compare_exchange<u64>(table_region::entries"},
        {here, "compare_exchange<u32>(row_region()"}}},
      {"      if another was quicker: look again", {{here, "cell = cells.look(i);  // another came first"}}},
      {"    " + next_window(config), {{here, "++tried, walk.next()"}}, pseudo_when::goes_on},
      {"  return full: there must be more room", {{here, "write_done done = write_done::full"}}, pseudo_when::absent}};
  return joined(joined(joined(on_the_way("insert(key, row id):", "write_done insert("),
                              {{"      if it is empty:", {{here, "if (cells.claim(i, key, row))"}}}}),
                       in_one_word(config) ? one_word : two_words),
                rest);
}

pseudo_code erase_code(const open_addressing_config& config) {
  const pseudo_code rest = {{"      if it is empty, or has the key erased: return absent",
                             {{here, "write_done done = write_done::absent"}},
                             pseudo_when::absent},
                            {"      if it has the key:",
                             {{here, "for (; cell.row != erased_row; cell = cells.look(i))"},
                              {here, "if (cells.change_row(i, cell, erased_row))"}}},
                            {"        swap the mark of an erased entry for the row id",
                             {{here, "return swap_word(i, word(seen.key"},
                              {here, "return swap_row(i, seen.row, row)"},
                              {here, "compare_exchange<u64>(table_region::entries"},
                              {here, "compare_exchange<u32>(row_region()"}}},
                            {"        return erased: its cell stays taken", {}, pseudo_when::found},
                            {"    " + next_window(config), {{here, "++tried, walk.next()"}}, pseudo_when::goes_on}};
  return joined(on_the_way("erase(key):", "write_done erase("), rest);
}

}  // namespace

pseudo_code table_pseudo_code(const open_addressing_config& config, operation kind) {
  if (kind == operation::insert) return insert_code(config);
  if (kind == operation::erase) return erase_code(config);
  return find_code(config);
}

}  // namespace pivotscope
