// insert_passes: the passes of a table that is filled by its own inserts. Its struct inherits them, so that the names
// of the kernels are found in it.
#pragma once

#include "core/common/answers.hpp"
#include "core/index/entry_cell.hpp"
#include "core/simt/region.hpp"

namespace pivotscope {

// `Cells`: row_cells of the table.
template <class Table, class Cells>
struct insert_passes {
  struct insert_keys {
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      return Table::insert(config, lanes, memory, view, view.template key<Key>(i), view.row(i)) == write_done::added;
    }
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static void will(Config config, Memory& memory, const build_view& view, u64 i) {
      Table::template will_begin<Key>(config, memory, Table::begins_at(view.found_by, view.template key<Key>(i)));
    }
  };
  // Inserts the entry in cell i of the table that was there, if it is live.
  struct insert_live {
    template <class Key, class Config, class Lanes, class Memory>
    PIVOTSCOPE_FN static bool at(Config config, Lanes& lanes, Memory& memory, const build_view& view, u64 i) {
      const entry_cell<Key> cell = Cells::template entry_before<Key>(config, view, i);
      return is_live_row(cell.row) &&
             Table::insert(config, lanes, memory, view, cell.key, cell.row) == write_done::added;
    }
    template <class Key, class Config, class Memory>
    PIVOTSCOPE_FN static void will(Config config, Memory& memory, const build_view& view, u64 i) {
      const entry_cell<Key> cell = Cells::template entry_before<Key>(config, view, i);
      if (is_live_row(cell.row))
        Table::template will_begin<Key>(config, memory, Table::begins_at(view.found_by, cell.key));
    }
  };
};

}  // namespace pivotscope
