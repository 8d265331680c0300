#include "core/index/open_addressing/table_model.hpp"

#include <algorithm>

#include "core/index/rank.hpp"

namespace pivotscope {

u32 table_windows(const open_addressing_config& config, u64 keys) {
  const u64 cells = ceil_div<u64>(std::max<u64>(keys, config.room) * 100, config.load);
  return static_cast<u32>(std::max<u64>(1, ceil_div<u64>(cells, config.window)));
}

u64 table_keys_at_most(const open_addressing_config& config) {
  const u64 cells = (u64{1} << 32) * config.window - config.window;  // 2^32 - 1 windows
  return std::min(table_most_keys, cells / 100 * config.load);
}

table_model::table_model(const open_addressing_config& config, const table_view& table)
    : config_(config), table_(table) {
  const u32 key = key_bytes(config.keys);
  const cell_field key_field{"key", 0, key, field_kind::key};
  if (config.layout == cell_layout::aos) {
    region_info entries{"entries",
                        "entries",
                        "entry",
                        "entries",
                        "The table's cells, window by window, as they lie in memory: a key, and its row id beside it, "
                        "which also says whether the cell is empty or was erased.",
                        cells(),
                        2 * key,
                        {key_field, {"row id", key, 4, field_kind::row_id}},
                        {}};
    if (key == 8) entries.fields.push_back({"padding", 12, 4, field_kind::padding});
    regions_.push_back(std::move(entries));
    return;
  }
  regions_.push_back({"entries",
                      "keys",
                      "key",
                      "keys",
                      "The keys of the table's cells, window by window; whether there is one, its row id says.",
                      cells(),
                      key,
                      {key_field},
                      {}});
  regions_.push_back({"rows",
                      "row ids",
                      "row id",
                      "row ids",
                      "The row id of each cell, which also says whether the cell is empty or was erased.",
                      cells(),
                      4,
                      {{"row id", 0, 4, field_kind::row_id}},
                      main_region});
}

cell_info table_model::describe(region_id, u64 cell) const { return {.empty = cell >= cells()}; }

void table_model::count_levels(region_id, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  out[0] = std::min(end, cells()) - std::min(first, cells());
}

std::vector<tree_node> table_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(table_.windows);
  for (u64 w = 0; w < table_.windows; ++w) {
    const double middle = (static_cast<double>(w) + 0.5) / table_.windows;
    list.push_back({.first = w * config_.window, .cells = config_.window, .middle = middle});
  }
  return list;
}

std::vector<index_region> table_model::region_list() const {
  std::vector<index_region> list;
  for (const region_info& r : regions_) list.push_back({r.id, r.title, r.cell_bytes, r.cells});
  return list;
}

}  // namespace pivotscope
