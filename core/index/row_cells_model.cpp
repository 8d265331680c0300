#include "core/index/row_cells_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pivotscope {

region_info entries_region(cell_layout layout, key_width keys, u64 cells, std::string meaning) {
  const u32 key = key_bytes(keys);
  const cell_field key_field{"key", 0, key, field_kind::key};
  if (layout == cell_layout::soa)
    return {"entries", "keys", "key", "keys", std::move(meaning), cells, key, {key_field}, {}};
  region_info entries{"entries",
                      "entries",
                      "entry",
                      "entries",
                      std::move(meaning),
                      cells,
                      2 * key,
                      {key_field, {"row id", key, 4, field_kind::row_id}},
                      {}};
  if (key == 8) entries.fields.push_back({"padding", 12, 4, field_kind::padding});
  return entries;
}

region_info row_ids_region(u64 cells) {
  return {"rows",
          "row ids",
          "row id",
          "row ids",
          "The row id of each cell, which also says whether the cell is empty or was erased.",
          cells,
          4,
          {{"row id", 0, 4, field_kind::row_id}},
          main_region};
}

std::vector<index_region> as_index_regions(std::span<const region_info> regions) {
  std::vector<index_region> list;
  for (const region_info& r : regions) list.push_back({r.id, r.title, r.cell_bytes, r.packs()});
  return list;
}

u32 taken_cells(std::span<const cell_value> cells) {
  const auto taken = std::count_if(cells.begin(), cells.end(), [](const cell_value& v) { return v.row != not_found; });
  return static_cast<u32>(taken);
}

std::string erased_of_them(std::span<const cell_value> cells) {
  const auto erased =
      std::count_if(cells.begin(), cells.end(), [](const cell_value& v) { return v.row == erased_row; });
  return erased > 0 ? fmt::format(", {} of them erased", erased) : "";
}

}  // namespace pivotscope
