#include "core/families/buckets/buckets_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/index/row_cells_model.hpp"

namespace pivotscope {
namespace {

using wide_link = slab_link<u64>;

}  // namespace

buckets_model::buckets_model(const buckets_config& config, const buckets_view& table) : config_(config), table_(table) {
  const bool aos = config.layout == cell_layout::aos;
  regions_.push_back(entries_region(
      config.layout, config.keys, cells(),
      aos ? "The slabs' cells, slab by slab: first those of the buckets, then the pool. A cell is a key and its "
            "row id, which also says whether it is empty or was erased. The last cell of a slab has the number "
            "of the next slab of its chain in place of a key."
          : "The keys of the slabs' cells, slab by slab: first those of the buckets, then the pool. The last cell of a "
            "slab has the number of the next slab of its chain in place of a key."));
  regions_.push_back(
      {"free",
       "free slabs",
       "free slab",
       "free slabs",
       "The numbers of slabs of the pool that are in no chain. An insert into a full chain takes the next "
       "one.",
       table.in_pool(),
       4,
       {{"slab", 0, 4, field_kind::other}},
       {}});
  regions_.push_back({"pool",
                      "pool counters",
                      "counter",
                      "pool",
                      "How many slabs inserts have asked of the list of free ones, and how many entries erases have "
                      "removed beyond the first of a key.",
                      2,
                      4,
                      {{"count", 0, 4, field_kind::other}},
                      {}});
  if (!aos) regions_.push_back(row_ids_region(cells()));
}

cell_info buckets_model::describe(region_id region, u64 cell) const {
  if (cell >= regions_[number_of(region)].cells) return {};
  const bool of_entries = region == buckets_region::entries || region == buckets_region::rows;
  return {.empty = false, .level = of_entries && cell < bucket_cells() ? 0u : 1u};
}

void buckets_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  const u64 all = regions_[number_of(region)].cells;
  first = std::min(first, all), end = std::min(end, all);
  const bool of_entries = region == buckets_region::entries || region == buckets_region::rows;
  const u64 border = of_entries ? std::clamp(bucket_cells(), first, end) : first;
  out[0] = border - first, out[1] = end - border;
}

std::optional<cell_run> buckets_model::level_run(u32 level) const {
  if (level == 0) return cell_run{main_region, 0, bucket_cells()};
  return cell_run{main_region, bucket_cells(), cells() - bucket_cells()};
}

std::vector<tree_node> buckets_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(table_.slabs);
  for (u64 slab = 0; slab < table_.slabs; ++slab) {
    const bool first = slab < table_.buckets;
    const double place = static_cast<double>(first ? slab : slab - table_.buckets) + 0.5;
    list.push_back({.level = first ? 0u : 1u,
                    .first = slab * config_.slab,
                    .cells = config_.slab,
                    .middle = place / (first ? table_.buckets : table_.in_pool()),
                    .id = slab});
  }
  return list;
}

bool buckets_model::values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const {
  if (!index_model::values_of(cells, read, out)) return false;
  for (u64 i = 0; i < out.size(); ++i)
    if (is_link({cells.region, cells.first + i})) out[i].key.reset();
  return true;
}

std::optional<u64> buckets_model::link_of(u64 slab, const region_reader& read) const {
  const u64 cell = slab * config_.slab + link_cell(config_);
  const u32 key = key_bytes(config_.keys);
  u64 link = 0;
  std::byte bytes[8];
  if (!read(buckets_region::entries, cell * regions_[0].cell_bytes, std::span(bytes).first(key))) return std::nullopt;
  std::memcpy(&link, bytes, key);
  if (key == 4 && slab_link<u32>::ends(static_cast<u32>(link))) link += wide_link::none - slab_link<u32>::none;
  return link;
}

std::optional<u32> buckets_model::number_at(cell_ref at, const region_reader& read) const {
  std::byte bytes[4];
  if (at.cell >= regions_[number_of(at.region)].cells || !read(at.region, at.cell * 4, bytes)) return std::nullopt;
  u32 number = 0;
  std::memcpy(&number, bytes, 4);
  return number;
}

std::string buckets_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.region == buckets_region::free) {
    const auto slab = number_at(at, read);
    return slab ? fmt::format("slab {}", *slab) : "";
  }
  if (at.region == buckets_region::pool) {
    const auto count = number_at(at, read);
    if (!count) return "";
    return at.cell == pool_taken ? fmt::format("{} slabs were asked for", *count)
                                 : fmt::format("{} more entries were erased than keys", *count);
  }
  if (!is_link(at) || at.cell >= cells()) return "";
  const auto link = link_of(at.cell / config_.slab, read);
  if (!link) return "";
  if (*link == wide_link::none) return "the chain ends here";
  if (*link == wide_link::unused) return "the slab is in no chain";
  if (*link == wide_link::busy) return "a slab is about to be linked";
  return fmt::format("on to slab {}", *link);
}

std::string buckets_model::brief_of(cell_ref at, const region_reader& read) const {
  if (at.region == buckets_region::free || at.region == buckets_region::pool) {
    const auto number = number_at(at, read);
    return number ? std::to_string(*number) : "";
  }
  if (!is_link(at) || at.cell >= cells()) return "";
  const auto link = link_of(at.cell / config_.slab, read);
  if (!link) return "";
  if (*link == wide_link::none) return "end";
  if (*link == wide_link::unused) return "free";
  return *link == wide_link::busy ? "busy" : std::to_string(*link);
}

bool buckets_model::leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const {
  if (cells.region != buckets_region::entries || cells.count == 0) return true;
  const u64 end = std::min(cells.first + cells.count, this->cells());
  for (u64 slab = cells.first / config_.slab; slab * config_.slab < end; ++slab) {
    const u64 from = slab * config_.slab + link_cell(config_);
    if (from < cells.first || from >= end) continue;
    const auto link = link_of(slab, read);
    if (!link) return false;
    if (*link < table_.slabs) out.push_back({{main_region, from}, {main_region, *link * config_.slab}, config_.slab});
  }
  return true;
}

bool buckets_model::links_of(std::span<const tree_node> nodes, const region_reader& read,
                             std::vector<node_link>& out) const {
  for (u32 i = 0; i < nodes.size(); ++i) {
    const auto link = link_of(*nodes[i].id, read);
    if (!link) return false;
    if (*link < nodes.size()) out.push_back({i, static_cast<u32>(*link), link_cell(config_)});
  }
  return true;
}

std::optional<fill_parts> buckets_model::fill() const {
  fill_parts parts;
  parts.name = "slab";
  parts.meaning = fmt::format(
      "Keys are shared out to buckets by their hash, as chance has it: {} keys to a hundred cells of the buckets' "
      "first "
      "slabs at most, on average. A bucket with more keys than its slab has cells goes on in slabs of the pool.",
      config_.load);
  parts.unit = "taken cell", parts.units = "taken cells";
  parts.count = table_.slabs, parts.room = link_cell(config_);
  parts.cells = config_.slab;
  parts.kinds = {{"first slab", "Of a bucket: every search for one of its keys reads it."},
                 {"slab of the pool", "In the chain of a bucket that is more than full, or free."}};
  return parts;
}

bool buckets_model::fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const {
  std::vector<cell_value> values(out.size() * config_.slab);
  if (!values_of({main_region, first * config_.slab, values.size()}, read, values)) return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto cells = std::span(values).subspan(i * config_.slab, link_cell(config_));
    out[i] = {taken_cells(cells), first + i < table_.buckets ? 0u : 1u};
  }
  return true;
}

std::optional<u64> buckets_model::part_of(u64 key, const region_reader&) const {
  return config_.keys == key_width::u32 ? bucket_of(static_cast<u32>(key), table_) : bucket_of(key, table_);
}

std::string buckets_model::part_words(u64 part, const region_reader& read) const {
  std::vector<cell_value> values(config_.slab);
  if (!values_of({main_region, part * config_.slab, values.size()}, read, values)) return {};
  const std::string link = words_of({main_region, part * config_.slab + link_cell(config_)}, read);
  return fmt::format("Cells {} to {}{}{}.", part * config_.slab, (part + 1) * config_.slab - 1, erased_of_them(values),
                     link.empty() ? "" : fmt::format("; {}", link));
}

std::vector<index_region> buckets_model::region_list() const { return as_index_regions(regions_); }

}  // namespace pivotscope
