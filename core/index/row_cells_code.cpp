#include "core/index/row_cells_code.hpp"

namespace pivotscope {
namespace {

constexpr std::string_view cells = row_cells_source;

}  // namespace

std::vector<source_mark> cell_loads() {
  return {{cells, "load<Key>(config, memory, node, lane, true)"},
          {cells, "memory.template each_of_run<entry_cell<Key>>("},
          {cells, "memory.template each_of_run<Key>("}};
}

std::vector<source_mark> cell_compares() {
  return {{cells, "complete(config, memory, cell, its_key, row, key)"},
          {cells, "load_row(config, memory, cell"},
          {cells, "complete(config, memory, cell, got.keys[i]"},
          {cells, "memory.saw(entries, cell, got.keys[i])"},
          {cells, "row = memory.template load_acquire<u32>(rows, cell"},
          {cells, "row = memory.template load<u32>(rows, cell)"},
          {cells, "its_key = memory.template load<Key>(entries, cell)"},
          {cells, "!holds(config, memory, cell, key, row)"},
          {cells, "memory.template load_acquire<Key>(entries, cell, key_stride<Key>(config), 0) != key"},
          {cells, "memory.template load_acquire<u32>(entries, cell, sizeof(entry_cell<Key>)"},
          {cells, ": memory.template load_acquire<u32>(rows, cell"}};
}

std::vector<source_mark> cell_swaps() {
  return {{cells, "return swap_word(memory, cell, word(key, seen)"},
          {cells, "return swap_row<Key>(config, memory, cell, seen, row)"},
          {cells, "return word_swapped(memory, cell, from, to) == from"},
          {cells, "return row_swapped<Key>(config, memory, cell, from, to) == from"},
          {cells, "compare_exchange<u64>(entries, cell"},
          {cells, "compare_exchange<u32>(entries, cell"},
          {cells, "compare_exchange<u32>(rows, cell"}};
}

std::vector<source_mark> cell_stores() {
  return {{cells, "store(config, memory, cell, key, row);"},
          {cells, "memory.template store_part<Key>(entries, cell, key_stride<Key>(config), 0, key)"},
          {cells, "memory.fence();"},
          {cells, "memory.template store_part<u32>(entries, cell"},
          {cells, "memory.template store_part<u32>(rows, cell"}};
}

pseudo_code claim_code(bool one_word, const source_mark& call) {
  if (one_word)
    return {{"      swap key and row id, as one word, for none",
             {call,
              {cells, "return swap_word(memory, cell, word(greatest_key<Key>(), seen)"},
              {cells, "compare_exchange<u64>(entries, cell"}}}};
  return {{"      swap a claim for the row id none",
           {call,
            {cells, "if (!swap_row<Key>(config, memory, cell, seen, claimed_row))"},
            {cells, "compare_exchange<u32>(entries, cell"},
            {cells, "compare_exchange<u32>(rows, cell"}}},
          {"      store the key; fence; store the row id", cell_stores()}};
}

std::vector<source_mark> with(std::vector<source_mark> list, const std::vector<source_mark>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace pivotscope
