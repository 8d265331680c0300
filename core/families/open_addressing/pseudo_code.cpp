#include "core/families/open_addressing/pseudo_code.hpp"

#include <fmt/format.h>

#include "core/families/open_addressing/open_addressing.hpp"
#include "core/index/row_cells_code.hpp"

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
  return {{"find(key):"},
          {"  window = hash(key) * windows / 2^32",
           {{here, "first_window(key, size)"}, {probing, "first_window("}},
           pseudo_when::begins},
          {"  repeat:", {{here, "memory.step(0);"}}},
          {config.lanes == 1 ? "    read the window's cells" : "    read the window's cells, a lane's share each",
           with(cell_loads(), {{here, "table_cells::load<Key>(config"}})},
          {"    compare each key", with(cell_compares(), {{here, "memory.saw(entries, first + i, got.keys[i])"},
                                                          {here, "look_through(config, wave.lanes"},
                                                          {here, "table_cells::row_or_end(config, memory"}})},
          {"    if a cell has the key: return its row id", {{row_cells_source, "return row;"}}, pseudo_when::found},
          {"    if one is empty, or has the key erased: return none",
           {{row_cells_source, "return no_such_key"}},
           pseudo_when::absent},
          {"    " + next_window(config),
           {{here, "walk.next();"},
            {here, "table_cells::will_read<Key>(config, memory"},
            {row_cells_source, "memory.will_read(entries, first"}},
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
       cell_loads()},
      {"    cell = the first that is empty or has the key", with(cell_compares(), {{here, reads}})}};
}

pseudo_code insert_code(const open_addressing_config& config) {
  const pseudo_code rest = {
      {"      return added"},
      {"    if it has the key:"},
      {"      swap the new row id for its own, or an erased one's; return",
       with(cell_swaps(), {{here, ": table_cells::change_row(config, memory, cell, key, end.row, row)"}})},
      {"    if another was quicker: look again, unless the key was live",
       {{here, "if (end.row == claimed_row) continue"}}},
      {"    " + next_window(config), {{here, "++tried, walk.next()"}}, pseudo_when::goes_on},
      {"  return full: there must be more room", {{here, "return write_done::full"}}, pseudo_when::absent}};
  return joined(
      joined(joined(on_the_way(config, "insert(key, row id):", "write_done insert(", "end_in<true>(config, lanes"),
                    {{"    if it is empty:", {{here, "const bool done = lanes.once([&] {"}}}}),
             claim_code(in_one_word(config), {here, "? table_cells::claim(config, memory, cell"})),
      rest);
}

pseudo_code erase_code(const open_addressing_config& config) {
  const pseudo_code rest = {{"    if it is empty, or has the key erased: return absent",
                             {{here, "if (end.row == not_found || end.row == erased_row) return write_done::absent"}},
                             pseudo_when::absent},
                            {"    if it has the key: swap the mark of an erased entry for the row id",
                             with(cell_swaps(), {{here, "return table_cells::change_row(config, memory, cell, key"}})},
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
