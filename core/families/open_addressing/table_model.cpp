#include "core/families/open_addressing/table_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/index/rank.hpp"
#include "core/index/row_cells_model.hpp"

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
  const bool aos = config.layout == cell_layout::aos;
  regions_.push_back(entries_region(
      config.layout, config.keys, cells(),
      aos ? "The table's cells, window by window, as they lie in memory: a key, and its row id beside it, which also "
            "says whether the cell is empty or was erased."
          : "The keys of the table's cells, window by window; whether there is one, its row id says."));
  if (!aos) regions_.push_back(row_ids_region(cells()));
}

cell_info table_model::describe(region_id, u64 cell) const { return {.empty = cell >= cells()}; }

void table_model::count_levels(region_id, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  out[0] = std::min(end, cells()) - std::min(first, cells());
}

std::vector<tree_node> table_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(table_.size.windows);
  for (u64 w = 0; w < table_.size.windows; ++w) {
    const double middle = (static_cast<double>(w) + 0.5) / table_.size.windows;
    list.push_back({.first = w * config_.window, .cells = config_.window, .middle = middle, .id = w});
  }
  return list;
}

std::optional<probe_windows> table_model::windows() const {
  constexpr const char* ways[] = {
      "A hash of the key leads to its first window; from a full one its search goes on to the next in memory.",
      "A hash of the key leads to its first window; from full ones its search goes on by 1, 2, 3 and more windows, so "
      "that runs of "
      "full ones do not grow.",
      "A hash of the key leads to its first window; from full ones its search goes on by as many windows each time as "
      "another "
      "hash of the key says."};
  return probe_windows{table_.size.windows, config_.window, ways[static_cast<u32>(config_.probing)]};
}

std::vector<u64> table_model::probe_path(u64 key, u32 most) const {
  std::vector<u64> path;
  const auto follow = [&](auto of_width) {
    window_walk walk(dynamic_config{config_}, of_width, table_.size);
    for (u32 i = 0; i < std::min(most, table_.size.windows); ++i, walk.next()) path.push_back(walk.window());
  };
  config_.keys == key_width::u32 ? follow(static_cast<u32>(key)) : follow(key);
  return path;
}

std::optional<fill_parts> table_model::fill() const {
  fill_parts parts;
  parts.name = "window";
  parts.meaning = fmt::format(
      "A key goes into the first window that its hash leads to and that has an empty cell then. Windows fill as chance "
      "has it: the "
      "load of the whole table is {} of 100 at most, but some are full, and searches go on from these.",
      config_.load);
  parts.unit = "taken cell", parts.units = "taken cells";
  parts.count = table_.size.windows, parts.room = config_.window;
  parts.cells = config_.window;
  parts.kinds = {{"window", "Cells that hold an entry, or one that was erased."}};
  return parts;
}

bool table_model::fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const {
  std::vector<cell_value> values(out.size() * config_.window);
  if (!values_of({main_region, first * config_.window, values.size()}, read, values)) return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = {taken_cells(std::span(values).subspan(i * config_.window, config_.window)), 0};
  }
  return true;
}

std::string table_model::part_words(u64 part, const region_reader& read) const {
  std::vector<cell_value> values(config_.window);
  if (!values_of({main_region, part * config_.window, values.size()}, read, values)) return {};
  return fmt::format("Cells {} to {}{}.", part * config_.window, (part + 1) * config_.window - 1,
                     erased_of_them(values));
}

std::vector<index_region> table_model::region_list() const { return as_index_regions(regions_); }

}  // namespace pivotscope
