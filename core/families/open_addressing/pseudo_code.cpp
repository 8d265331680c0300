#include "core/families/open_addressing/pseudo_code.hpp"

#include <fmt/format.h>

#include "core/families/open_addressing/open_addressing.hpp"

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
        {here, "complete(config, memory, cell, its_key, row, key)"},
        {here, "row = memory.template load<u32>(table_region::rows, cell)"}}},
      {"    if a cell has the key: return its row id",
       {{here, "return its_key == key ? row : on_to_the_next"}},
       pseudo_when::found},
      {"    if one is empty, or has the key erased: return none", {{here, "return no_such_key"}}, pseudo_when::absent},
      {"    " + next_window(config),
       {{here, "walk.next();"}, {here, "will_read<Key>(config, memory"}, {here, "memory.will_read(entries, first"}},
       pseudo_when::goes_on},
      {"    if all windows were tried: return none", {{here, "++here.tried < size.windows"}}}};
}

// What a write begins with: the windows on its key's way.
pseudo_code on_the_way(const open_addressing_config& config, const char* head, const char* marked, const char* reads) {
  return {
      {head, {{here, marked}}},
      {"  window = hash(key) * windows / 2^32", {{here, "window_walk walk(config, key, size)"}}, pseudo_when::begins},
      {"  repeat:", {{here, "memory.step(0);"}}},
      {open_addressing::for_writes(config).lanes == 1 ? "    read the window's cells"
                                                      : "    read the window's cells, a lane's share each",
       {{here, reads},
        {here, "load_share<Key>(config"},
        {here, "memory.template each_of_run<entry_cell<Key>>("},
        {here, "memory.template each_of_run<Key>("}}},
      {"    cell = the first that is empty or has the key",
       {{here, "complete(config, memory, first + lane"},
        {here, "row = memory.template load_acquire<u32>(table_region::rows, cell"},
        {here, "its_key = memory.template load<Key>(entries, cell)"},
        {here, "memory.saw(entries, first + lane * each"}}}};
}

// A compare-and-swap of a row id, beside its key or in an array of its own; or of both as one word.
std::vector<source_mark> swaps() {
  return {{here, "return swap_word(memory, cell, word(key, seen)"},
          {here, "return swap_row<Key>(config, memory, cell, seen, row)"},
          {here, "compare_exchange<u64>(entries, cell"},
          {here, "compare_exchange<u32>(entries, cell"},
          {here, "compare_exchange<u32>(table_region::rows, cell"}};
}

pseudo_code insert_code(const open_addressing_config& config) {
  const pseudo_code one_word = {{"      swap key and row id, as one word, for none",
                                 {{here, "? claim(config, memory, cell, key, row)"},
                                  {here, "return swap_word(memory, cell, ~0ull"},
                                  {here, "compare_exchange<u64>(entries, cell"}}}};
  const pseudo_code two_words = {{"      swap a claim for the row id none",
                                  {{here, "? claim(config, memory, cell, key, row)"},
                                   {here, "if (!swap_row<Key>(config, memory, cell, not_found"},
                                   {here, "compare_exchange<u32>(entries, cell"},
                                   {here, "compare_exchange<u32>(table_region::rows, cell"}}},
                                 {"      store the key; fence; store the row id",
                                  {{here, "store_part<Key>(entries, cell"},
                                   {here, "memory.fence()"},
                                   {here, "store_part<u32>(entries, cell"},
                                   {here, "store_part<u32>(table_region::rows, cell"}}}};
  std::vector<source_mark> other_row = swaps();
  other_row.push_back({here, ": change_row(config, memory, cell, key, end.row, row)"});
  const pseudo_code rest = {
      {"      return added"},
      {"    if it has the key:"},
      {"      swap the new row id for its own, or an erased one's; return", other_row},
      {"    if another was quicker: look again", {{here, "if (end.row == claimed_row) continue"}}},
      {"    " + next_window(config), {{here, "++tried, walk.next()"}}, pseudo_when::goes_on},
      {"  return full: there must be more room", {{here, "return write_done::full"}}, pseudo_when::absent}};
  return joined(
      joined(joined(on_the_way(config, "insert(key, row id):", "write_done insert(", "end_in<true>(config, lanes"),
                    {{"    if it is empty:", {{here, "const bool done = lanes.once([&] {"}}}}),
             in_one_word(config) ? one_word : two_words),
      rest);
}

pseudo_code erase_code(const open_addressing_config& config) {
  std::vector<source_mark> mark = swaps();
  mark.push_back({here, "return change_row(config, memory, cell, key, end.row, erased_row)"});
  const pseudo_code rest = {{"    if it is empty, or has the key erased: return absent",
                             {{here, "if (end.row == not_found || end.row == erased_row) return write_done::absent"}},
                             pseudo_when::absent},
                            {"    if it has the key: swap the mark of an erased entry for the row id", mark},
                            {"      return erased: its cell stays taken",
                             {{here, "if (done) return write_done::erased"}},
                             pseudo_when::found},
                            {"    " + next_window(config), {{here, "++tried, walk.next()"}}, pseudo_when::goes_on}};
  return joined(on_the_way(config, "erase(key):", "write_done erase(", "end_in<false>(config, lanes"), rest);
}

}  // namespace

pseudo_code table_pseudo_code(const open_addressing_config& config, operation kind) {
  if (kind == operation::insert) return insert_code(config);
  if (kind == operation::erase) return erase_code(config);
  return find_code(config);
}

}  // namespace pivotscope
