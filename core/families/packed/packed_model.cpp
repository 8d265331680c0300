#include "core/families/packed/packed_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/families/packed/decoding.hpp"
#include "core/families/packed/leaf.hpp"

namespace pivotscope {
namespace {

static_assert(packed_region::leaves == main_region);

// Bits of a pack, from the first word's lowest one on.
std::vector<bit_field> bits_of_pack(key_width keys, u32 row_bits) {
  const u32 word = key_bytes(keys) * 8, extra = (word - 1) / 3;
  std::vector<bit_field> list;
  for (u32 i = 0; i < pack_entries; ++i) {
    list.push_back({"row id", i * word, row_bits, field_kind::row_id, i});
    if (row_bits < word)
      list.push_back({"low bits of the key", i * word + row_bits, word - row_bits, field_kind::key, i});
  }
  for (u32 i = 0; i < pack_entries; ++i)
    list.push_back({"high bits of the key", 3 * word + i * extra, extra, field_kind::key, i});
  const u32 end = 3 * word + 3 * extra;
  if (end + 1 < 4 * word) list.push_back({"nothing", end, 4 * word - 1 - end, field_kind::padding});
  list.push_back({"escaped", 4 * word - 1, 1, field_kind::other});
  return list;
}

}  // namespace

packed_model::packed_model(const packed_config& config, const packed_view& view) : config_(config), view_(view) {
  const u32 key = key_bytes(config.keys), entry = 2 * key;
  region_info leaves{.id = "leaves",
                     .name = "entries",
                     .cell_name = "entry",
                     .title = "leaves",
                     .meaning = fmt::format("The entries in the order of their keys, {} a leaf of {} bytes, which one "
                                            "access of memory brings. An entry is its row id and the lower bits of its "
                                            "key; the upper ones follow from where in the directory the leaf is.",
                                            leaf_entries(config), leaf_bytes(config)),
                     .cells = view.leaves * leaf_entries(config),
                     .cell_bytes = pack_bytes(config.keys),
                     .fields = {},
                     .cells_a_pack = pack_entries,
                     .bits = bits_of_pack(config.keys, view.row_bits)};
  region_info blocks{
      .id = "blocks",
      .name = "prefix blocks",
      .cell_name = "prefix block",
      .title = "prefix blocks",
      .meaning = fmt::format("The directory: one block for each bucket of the key range, which are all of "
                             "one width. It says in which leaf the bucket begins, and of up to {} more "
                             "leaves the 8 bits of their first keys that part them.",
                             block_separators(config)),
      .cells = this->blocks(),
      .cell_bytes = config.block,
      .fields = {{"first leaf", 0, 4, field_kind::other}, {"separators", 4, config.block - 4, field_kind::other}}};
  region_info escapes{.id = "escapes",
                      .name = "escaped entries",
                      .cell_name = "escaped entry",
                      .title = "escaped entries",
                      .meaning =
                          "The entries in full of leaves whose keys are so far apart that their lower bits do not "
                          "tell them: each leaf's, and behind them the first key of the next.",
                      .cells = view.escapes * (leaf_entries(config) + 1),
                      .cell_bytes = entry,
                      .fields = {{"key", 0, key, field_kind::key}, {"row id", key, 4, field_kind::row_id}}};
  if (entry > key + 4) escapes.fields.push_back({"padding", key + 4, entry - key - 4, field_kind::padding});
  region_info plan{.id = "plan",
                   .name = "sums",
                   .cell_name = "sum",
                   .title = "plan of the build",
                   .meaning = "What the build counts on its way. Nothing of it is left.",
                   .cells = 0,
                   .cell_bytes = 8,
                   .fields = {{"sum", 0, 8, field_kind::other}}};
  region_info lists{.id = "lists",
                    .name = "listed keys",
                    .cell_name = "listed key",
                    .title = "listed keys",
                    .meaning =
                        "Where in their bucket leaves begin, in full: of those that begin too near each other for a "
                        "block to part them. They are searched by halves.",
                    .cells = view.listed,
                    .cell_bytes = key,
                    .fields = {{"place in its bucket", 0, key, field_kind::other}}};
  regions_ = {std::move(leaves), std::move(blocks), std::move(escapes), std::move(plan), std::move(lists)};
}

std::vector<index_region> packed_model::region_list() const {
  std::vector<index_region> list;
  for (const region_info& r : regions_) list.push_back({r.id, r.title, r.cell_bytes, r.packs()});
  return list;
}

u32 packed_model::block_level(u64 block) const {
  u32 level = 0;
  while (level + 1 < view_.levels && block >= view_.level_ends[level]) ++level;
  return level;
}

cell_info packed_model::describe(region_id region, u64 cell) const {
  if (cell >= regions_[number_of(region)].cells) return {};
  if (region == packed_region::blocks) return {.empty = false, .level = block_level(cell)};
  // Of the last blocks, whichever block has the list, which alone knows: a search reads it in that block's step.
  if (region == packed_region::lists) return {.empty = false, .level = leaf_level() - 1};
  if (region == packed_region::escapes) return {.empty = false, .level = leaf_level() + 1};
  if (cell >= view_.keys) return {};
  return {.empty = false, .rank = cell, .level = leaf_level()};
}

void packed_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  std::fill(out, out + max_levels, 0);
  const u64 cells = region == main_region ? view_.keys : regions_[number_of(region)].cells;
  first = std::min(first, cells), end = std::min(end, cells);
  if (first >= end) return;
  if (region != packed_region::blocks) {
    out[region == main_region            ? leaf_level()
        : region == packed_region::lists ? leaf_level() - 1
                                         : leaf_level() + 1] = end - first;
    return;
  }
  for (u32 level = block_level(first); first < end; ++level) {
    const u64 behind = level + 1 < view_.levels ? std::min<u64>(end, view_.level_ends[level]) : end;
    out[level] = behind - first;
    first = behind;
  }
}
void packed_model::count_levels(u64 first, u64 end, u64* out) const { count_levels(main_region, first, end, out); }

std::optional<cell_run> packed_model::level_run(u32 level) const {
  if (level > leaf_level())
    return cell_run{packed_region::escapes, 0, regions_[number_of(packed_region::escapes)].cells};
  if (level == leaf_level()) return cell_run{main_region, 0, regions_[0].cells};
  const u64 first = first_of_level(level);
  const u64 end = level < view_.levels ? view_.level_ends[level] : blocks();
  return cell_run{packed_region::blocks, first, end - first};
}

std::vector<tree_node> packed_model::nodes() const {
  std::vector<tree_node> list;
  for (u32 level = 0; level <= leaf_level() && view_.keys > 0; ++level) {
    const cell_run run = *level_run(level);
    const u32 cells = run.region == main_region ? leaf_entries(config_) : 1;
    const u64 count = run.count / cells;
    for (u64 i = 0; i < count; ++i)
      list.push_back({.level = level,
                      .region = run.region,
                      .first = run.first + i * cells,
                      .cells = cells,
                      .middle = (static_cast<double>(i) + 0.5) / static_cast<double>(count)});
  }
  return list;
}

lookup_lanes packed_model::lanes() const { return {used_lanes(config_), leaf_entries(config_) / used_lanes(config_)}; }

std::optional<pinned_cells> packed_model::pinned() const {
  if (config_.scratch == 0) return std::nullopt;
  pinned_cells list;
  list.cell_bytes = pinned_block, list.room = config_.scratch;
  for (u32 i = 0; i < view_.pinned; ++i) list.cells.push_back(pinned_cell(i));
  list.steps = view_.pinned == view_.blocks && view_.blocks > 0 ? 1 : 0;
  list.whole = list.steps == 1 ? view_.pinned : 0;
  return list;
}

bool packed_model::values_of(const cell_run& cells, const region_reader& read, std::span<cell_value> out) const {
  if (cells.region != main_region) return index_model::values_of(cells, read, out);
  return packed_values(config_, view_, cells, read, out);
}

std::string packed_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.region == packed_region::lists) {
    const u32 bytes = regions_[number_of(at.region)].cell_bytes;
    u64 place = 0;
    if (at.cell >= view_.listed ||
        !read(at.region, at.cell * bytes, std::as_writable_bytes(std::span(&place, 1)).first(bytes)))
      return {};
    return std::to_string(place);
  }
  if (at.region != packed_region::blocks || at.cell >= blocks()) return {};
  const std::optional<prefix_block> block = read_block(config_, read, at.cell);
  if (!block) return {};
  const u32 first = block->first_leaf();
  const std::optional<u32> more = leaves_told(config_, *block);
  if (!more)
    return fmt::format("leaf {} on: blocks {}-{}", first, block->first_block(),
                       block->first_block() + block->buckets() - 1);
  if (block->kind() == block_kind::run) return fmt::format("leaf {} on: {} of one key", first, *more);
  if (block->kind() == block_kind::list) return fmt::format("leaf {} on: {} listed", first, *more);
  return *more == 0 ? fmt::format("leaf {}", first) : fmt::format("leaves {}-{}", first, first + *more);
}

std::string packed_model::brief_of(cell_ref at, const region_reader& read) const {
  if (at.region == packed_region::lists) return words_of(at, read);
  if (at.region != packed_region::blocks || at.cell >= blocks()) return {};
  const std::optional<prefix_block> block = read_block(config_, read, at.cell);
  if (!block) return {};
  const u32 first = block->first_leaf();
  const std::optional<u32> more = leaves_told(config_, *block);
  if (!more) return fmt::format("{} node", first);
  return *more == 0 ? std::to_string(first) : fmt::format("{}-{}", first, first + *more);
}

bool packed_model::leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const {
  if (cells.region == main_region) return escapes_of(cells, read, out);
  if (cells.region != packed_region::blocks) return true;
  const u64 end = std::min(cells.first + cells.count, blocks());
  for (u64 number = cells.first; number < end; ++number) {
    const std::optional<prefix_block> block = read_block(config_, read, number);
    if (!block) return false;
    const cell_ref from{packed_region::blocks, number};
    const auto to_leaf = [&](u64 leaf) {
      const u64 entries = leaf_entries(config_);
      if (leaf < view_.leaves) out.push_back({from, {main_region, leaf * entries}, entries});
    };
    const u64 first = block->first_leaf();
    to_leaf(first);
    if (block->kind() == block_kind::node) {
      for (u32 b = 0; b < block->buckets(); ++b)
        out.push_back({from, {packed_region::blocks, u64{block->first_block()} + b}});
      continue;
    }
    if (block->kind() == block_kind::list)
      out.push_back({from, {packed_region::lists, block->first_place()}, block->listed()});
    for (u32 leaf = 1; leaf <= *leaves_told(config_, *block); ++leaf) to_leaf(first + leaf);
  }
  return true;
}

// An escaped leaf's entries in full, and the first behind them.
bool packed_model::escapes_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const {
  if (view_.escapes == 0 || cells.count == 0) return true;
  const u64 entries = leaf_entries(config_), last = (cells.first + cells.count - 1) / entries;
  for (u64 leaf = cells.first / entries; leaf <= last && leaf < view_.leaves; ++leaf) {
    const std::optional<u32> escape = escape_of_leaf(config_, read, leaf);
    if (!escape) return false;
    if (*escape == no_escape) continue;
    out.push_back({{main_region, leaf * entries}, {packed_region::escapes, u64{*escape} * (entries + 1)}, entries + 1});
  }
  return true;
}

bool packed_model::links_of(std::span<const tree_node> nodes, const region_reader& read,
                            std::vector<node_link>& out) const {
  bool whole = true;
  std::vector<cell_link> leads;
  for (std::size_t i = 0; i < nodes.size() && whole; ++i) {
    if (nodes[i].region != packed_region::blocks) continue;
    leads.clear();
    whole = leads_of({packed_region::blocks, nodes[i].first, 1}, read, leads);
    for (const cell_link& lead : leads) {
      if (lead.to.region == packed_region::lists) continue;  // no node
      const u64 node = lead.to.region == main_region ? blocks() + lead.to.cell / leaf_entries(config_) : lead.to.cell;
      out.push_back({static_cast<u32>(i), static_cast<u32>(node), 0});
    }
  }
  return whole;
}

}  // namespace pivotscope
