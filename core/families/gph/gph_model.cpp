#include "core/families/gph/gph_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "core/batch/routed.hpp"
#include "core/families/gph/choices.hpp"
#include "core/index/move_words.hpp"
#include "core/index/rank.hpp"
#include "core/index/row_cells_model.hpp"

namespace pivotscope {
namespace {

constexpr u32 most_pinned_seen = 1u << 16;  // words of all parts that are listed
constexpr u32 buckets_a_spilled = 64;       // buckets of the table for each of the spill, as long as that is enough
constexpr u32 most_latches = 1u << 24;      // words
using move_word = move_words<gph_region::moves>;
constexpr u32 cells_a_latch = 2, buckets_a_latch = 4;  // at most, while there are no more words

std::string value_words(u32 value, const gph_config& config) {
  const cell_says says = parts_of(value, config);
  return fmt::format("{}+{}", says.mapping, says.offset);
}
std::string moves_words(u32 word) {
  constexpr u32 moves = 2 * move_word::a_move;
  return fmt::format("{} move{}{}{}", word / moves, word / moves == 1 ? "" : "s",
                     (word & move_word::a_move) != 0 ? ", one under way" : "",
                     (word & move_word::latch_bit) != 0 ? ", latched" : "");
}
std::string latch_words(u32 word) { return word == not_found ? "free" : fmt::format("held for row id {}", word); }

// "cells 3 and 7": those below `count` whose latch a word is, one of `words`.
std::string sharing(const char* what, u32 word, u32 words, u32 count) {
  std::vector<u32> all;
  for (u64 i = word; i < count && all.size() <= buckets_a_latch; i += words) all.push_back(static_cast<u32>(i));
  if (all.size() <= 1) return fmt::format("{} {}", what, word);
  const bool more = all.size() > buckets_a_latch;
  const std::string last = more ? "others" : fmt::to_string(all.back());
  all.pop_back();
  return fmt::format("{}s {} and {}", what, fmt::join(all, ", "), last);
}

}  // namespace

u32 gph_buckets(const gph_config& config, u64 keys) {
  const u64 slots = ceil_div<u64>(std::max<u64>(keys, config.room) * 100, config.load);
  return static_cast<u32>(std::max<u64>(1, ceil_div<u64>(slots, config.bucket)));
}

u64 gph_keys_at_most(const gph_config& config) {
  const u64 slots = ((u64{1} << 32) - 1) / (buckets_a_spilled + 1) * buckets_a_spilled;
  const u64 keys = std::min(table_most_keys, slots / 100 * config.load);
  if (!is_routed(config)) return keys;
  // A table that has grown has up to four times the parts that its keys ask for.
  return std::min(keys, u64{most_parts} / 4 * words_in_scratch(config) * cells_a_word(config) * config.per_cell);
}

gph_view gph_table(const gph_config& config, u32 buckets, u32 seed, u32 spill) {
  gph_view table{.buckets = buckets, .spill = 0, .cells = 0, .words = 0, .seed = seed};
  if (!is_perfect(config)) return table;
  const u64 keys = u64{buckets} * config.bucket * config.load / 100;
  table.spill = spill > 0 ? spill : ceil_div(buckets, buckets_a_spilled);
  table.cells = static_cast<u32>(std::max<u64>(1, ceil_div<u64>(keys, config.per_cell)));
  table.words = ceil_div(table.cells, cells_a_word(config));
  table.moves = std::min(most_latches, ceil_pow2(ceil_div(table.cells, cells_a_latch)));
  table.latches = std::min(most_latches, ceil_pow2(ceil_div(buckets, buckets_a_latch)));
  table.pinned = std::min(table.words, config.scratch / u32{sizeof(u32)});
  return table;
}

gph_model::gph_model(const gph_config& config, const gph_view& table) : config_(config), table_(table) {
  const bool aos = config.layout == cell_layout::aos;
  regions_.push_back(entries_region(config.layout, config.keys, slots(),
                                    aos ? "The slots of the buckets, bucket by bucket, those of the spill last: a key, "
                                          "and its row id beside it, which "
                                          "also says whether the slot is empty or was erased."
                                        : "The keys of the buckets' slots, bucket by bucket, those of the spill last; "
                                          "whether there is one, its row id "
                                          "says."));
  regions_.push_back(
      {"cells",
       "cells of the index",
       "cell of the index",
       "cell index",
       fmt::format("A cell says into which buckets its keys go, about {} of them: by a mapping, which leads "
                   "to {} buckets, and an offset, which changes them round.",
                   config.per_cell, config.virtuals),
       index_cells(),
       config.bits / 8,
       {{"mapping and offset", 0, config.bits / 8, field_kind::other}},
       {}});
  regions_.push_back(
      {"moves",
       "move counters",
       "counter",
       "moves",
       "Cells of the index share a word. Twice how often the keys of one began to move or had moved, so that "
       "who searched meanwhile looks again; and one, while a write has them to itself.",
       is_perfect(config) ? table.moves : 1,
       4,
       {{"moves", 0, 4, field_kind::other}},
       {}});
  regions_.push_back({"latches",
                      "latches of buckets",
                      "latch",
                      "latches",
                      "Buckets share a word: the row id of the insert that fills one of them.",
                      is_perfect(config) ? table.latches : 1,
                      4,
                      {{"row id of the holder", 0, 4, field_kind::other}},
                      {}});
  regions_.push_back(
      {"counters",
       "counters",
       "counter",
       "counters",
       "How many slots of the spill are taken, how many inserts found no room, and how many slots of erased "
       "entries were emptied.",
       gph_counters,
       4,
       {{"count", 0, 4, field_kind::other}},
       {}});
  if (!aos) regions_.push_back(row_ids_region(slots()));
}

std::vector<index_region> gph_model::region_list() const { return as_index_regions(regions_); }

cell_info gph_model::describe(region_id region, u64 cell) const {
  const bool is_slot = region == gph_region::entries || region == gph_region::rows;
  return {.empty = cell >= regions_[number_of(region)].cells, .level = is_slot ? bucket_level() : 0};
}

std::optional<u32> gph_model::number_at(cell_ref at, const region_reader& read) const {
  const region_info& region = regions_[number_of(at.region)];
  std::byte bytes[4]{};
  if (at.cell >= region.cells ||
      !read(at.region, at.cell * region.cell_bytes, std::span(bytes).first(region.cell_bytes)))
    return std::nullopt;
  u32 number = 0;
  std::memcpy(&number, bytes, 4);
  return number;
}

std::string gph_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.region == gph_region::entries || at.region == gph_region::rows) return {};
  const auto number = number_at(at, read);
  if (!number) return {};
  if (at.region == gph_region::cells) {
    if (at.cell >= table_.cells) return "no cell: the word is longer";
    const cell_says says = parts_of(*number, config_);
    return fmt::format("mapping {}, offset {}{}{}", says.mapping, says.offset,
                       some_spilled(*number, config_) ? ": some of its keys are in the spill" : "",
                       is_routed(config_)
                           ? fmt::format("; part {} of the index", part_of_cell(static_cast<u32>(at.cell), config_))
                           : "");
  }
  if (at.region == gph_region::moves) return moves_words(*number);
  if (at.region == gph_region::latches) return latch_words(*number);
  constexpr const char* what[gph_counters] = {"in the spill", "refused", "emptied"};
  return fmt::format("{} {}", *number, what[at.cell]);
}

std::string gph_model::brief_of(cell_ref at, const region_reader& read) const {
  if (at.region != gph_region::cells) return words_of(at, read);
  const auto value = value_of_cell(at.cell, read);
  return value ? value_words(*value, config_) : "";
}

void gph_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  const u64 all = regions_[number_of(region)].cells;
  std::fill(out, out + max_levels, 0);
  out[describe(region, 0).level] = std::min(end, all) - std::min(first, all);
}

bool gph_model::leads_of(const cell_run& cells, const region_reader& read, std::vector<cell_link>& out) const {
  if (cells.region != gph_region::cells) return true;
  bool all = true;
  for (u64 cell = cells.first; cell < std::min<u64>(cells.first + cells.count, table_.cells); ++cell) {
    const auto value = value_of_cell(cell, read);
    all = all && value.has_value();
    if (!value) continue;
    for (u32 p = 0; p < config_.virtuals; ++p) {
      const u32 bucket =
          bucket_at(static_cast<u32>(cell), p, parts_of(*value, config_).mapping, config_.virtuals, table_);
      out.push_back({{cells.region, cell}, {main_region, u64{bucket} * config_.bucket}, config_.bucket});
    }
  }
  return all;
}

std::optional<cell_run> gph_model::level_run(u32 level) const {
  if (level < bucket_level()) return cell_run{gph_region::cells, 0, index_cells()};
  return cell_run{main_region, 0, slots()};
}

std::vector<tree_node> gph_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(node_count());
  const auto add = [&](u32 level, region_id region, u64 count, u32 cells) {
    for (u64 i = 0; i < count; ++i) {
      const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
      list.push_back(
          {.level = level, .region = region, .first = i * cells, .cells = cells, .middle = middle, .id = list.size()});
    }
  };
  add(0, gph_region::cells, index_cells(), 1);
  add(bucket_level(), main_region, buckets(), config_.bucket);
  return list;
}

bool gph_model::links_of(std::span<const tree_node> nodes, const region_reader& read,
                         std::vector<node_link>& out) const {
  bool all = true;
  for (u64 cell = 0; cell < std::min<u64>(table_.cells, nodes.size()); ++cell) {
    const auto value = value_of_cell(cell, read);
    all = all && value.has_value();
    if (!value) continue;
    for (u32 p = 0; p < config_.virtuals; ++p) {
      const u32 bucket =
          bucket_at(static_cast<u32>(cell), p, parts_of(*value, config_).mapping, config_.virtuals, table_);
      out.push_back({static_cast<u32>(cell), static_cast<u32>(index_cells() + bucket), 0});
    }
  }
  return all;
}

std::optional<fill_parts> gph_model::fill() const {
  fill_parts parts;
  parts.name = "bucket";
  parts.meaning = fmt::format(
      "A key lies in the bucket to which its cell of the index leads, and nowhere else{}. The load of the table is {} "
      "of 100 "
      "at most.",
      is_perfect(config_)
          ? ", or in the spill if no value of its cell has room for all of the cell's keys: the last buckets"
          : " but in the next ones that have room",
      config_.load);
  parts.unit = "taken slot", parts.units = "taken slots";
  parts.count = buckets(), parts.room = config_.bucket;
  parts.cells = config_.bucket;
  parts.kinds = {{"bucket", "Slots that hold an entry, or one that was erased."}};
  return parts;
}

bool gph_model::fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const {
  std::vector<cell_value> values(out.size() * config_.bucket);
  if (!values_of({main_region, first * config_.bucket, values.size()}, read, values)) return false;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = {taken_cells(std::span(values).subspan(i * config_.bucket, config_.bucket)), 0};
  return true;
}

std::optional<u64> gph_model::part_of(u64 key, const region_reader& read) const {
  const key_place at = config_.keys == key_width::u32 ? place_of(static_cast<u32>(key), table_) : place_of(key, table_);
  if (!is_perfect(config_)) return home_of(at, 0, config_, table_);
  const auto value = value_of_cell(at.cell, read);
  return value ? std::optional<u64>(home_of(at, *value, config_, table_)) : std::nullopt;
}

std::string gph_model::part_words(u64 part, const region_reader& read) const {
  std::vector<cell_value> values(config_.bucket);
  if (!values_of({main_region, part * config_.bucket, config_.bucket}, read, values)) return {};
  return fmt::format("{}{} of its {} slots are taken{}.", part >= table_.buckets ? "Of the spill: " : "",
                     taken_cells(values), config_.bucket, erased_of_them(values));
}

std::optional<value_choices> gph_model::choices_for(u64 key, const region_reader& read) const {
  const auto of = gph_cell_choices::of(config_, table_, *this, key, read);
  return of ? of->all(read) : std::nullopt;
}

std::vector<choice_place> gph_model::places_of(u64 key, u32 square, const region_reader& read) const {
  const auto of = gph_cell_choices::of(config_, table_, *this, key, read);
  return of ? of->places_of(square, read) : std::vector<choice_place>{};
}

std::optional<latch_in_word> gph_model::latch_in(region_id region, u64 byte, u64 bytes) const {
  const auto word = static_cast<u32>(byte / sizeof(u32));
  if (region == gph_region::moves)
    return latch_in_word{{region, word}, move_word::latch_bit, sharing("cell", word, table_.moves, table_.cells)};
  if (region == gph_region::latches)
    return latch_in_word{.at = {region, word},
                         .bits = ~u32{0},
                         .name = sharing("bucket", word, table_.latches, table_.buckets),
                         .value = not_found,
                         .is_polled = true};
  return claim_in(*this, region, byte, bytes);
}

std::string gph_model::field_words(cell_ref at, const cell_field&, u64 value) const {
  const auto word = static_cast<u32>(value);
  if (at.region == gph_region::cells) return value_words(word, config_);
  if (at.region == gph_region::moves)
    return fmt::format("{}{}{}", word / (2 * move_word::a_move), (word & move_word::a_move) != 0 ? ", moving" : "",
                       (word & move_word::latch_bit) != 0 ? ", latched" : "");
  if (at.region != gph_region::latches) return "";
  return word == not_found ? "free" : fmt::format("row {}", word);
}

std::optional<pinned_cells> gph_model::pinned() const {
  if (table_.pinned == 0) return std::nullopt;
  pinned_cells list;
  list.cell_bytes = sizeof(u32), list.room = config_.scratch;
  u32 count = table_.pinned;
  if (is_routed(config_)) list.of_part = words_in_scratch(config_), count = std::min(table_.words, most_pinned_seen);
  for (u32 i = 0; i < count; ++i) list.cells.push_back(pinned_cell(i));
  // A routed lookup finds all that it reads of the index in its block's part.
  list.steps = table_.pinned == table_.words || is_routed(config_) ? 1 : 0;
  list.whole = list.steps == 1 ? count : 0;
  return list;
}

}  // namespace pivotscope
