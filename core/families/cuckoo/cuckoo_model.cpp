#include "core/families/cuckoo/cuckoo_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/index/rank.hpp"
#include "core/index/row_cells_model.hpp"

namespace pivotscope {

u32 cuckoo_buckets(const cuckoo_config& config, u64 keys) {
  const u64 cells = ceil_div<u64>(std::max<u64>(keys, config.room) * 100, config.load);
  return static_cast<u32>(std::max<u64>(1, ceil_div<u64>(cells, config.bucket)));
}

u32 greatest_load(u32 homes, u32 bucket) {
  // By homes, and buckets of 1, 2, 4, 8, 16 and 32 cells.
  constexpr u32 loads[most_homes][6] = {
      {0, 0, 0, 0, 10, 30}, {45, 80, 93, 97, 98, 98}, {86, 95, 98, 98, 99, 99}, {92, 97, 98, 99, 99, 99}};
  u32 power = 0;
  while ((2u << power) <= bucket && power < 5) ++power;
  return loads[std::clamp(homes, 1u, most_homes) - 1][power];
}

u64 cuckoo_keys_at_most(const cuckoo_config& config) {
  const u64 cells = ((u64{1} << 32) - 1 - most_stash) * config.bucket;
  return std::min(table_most_keys, cells / 100 * config.load);
}

cuckoo_view cuckoo_table(u32 buckets, u32 seed) {
  constexpr u32 buckets_a_word = 8, most_words = 1 << 16;  // a hundredth of the cells' bytes; and they stay in L2
  const u32 words = std::min(most_words, ceil_div(buckets, buckets_a_word));
  return {.buckets = buckets, .moves = ceil_pow2(words), .seed = seed};
}

namespace {

std::string moves_words(u64 word) {
  const u64 moves = word / cuckoo::a_move;
  return fmt::format("{} move{}{}", moves, moves == 1 ? "" : "s", (word & cuckoo::latch_bit) != 0 ? ", latched" : "");
}

}  // namespace

cuckoo_model::cuckoo_model(const cuckoo_config& config, const cuckoo_view& table) : config_(config), table_(table) {
  const bool aos = config.layout == cell_layout::aos;
  regions_.push_back(entries_region(config.layout, config.keys, cells(),
                                    aos ? "The table's cells, bucket by bucket, those of the stash last: a key, and "
                                          "its row id beside it, which also says whether the cell is "
                                          "empty or was erased."
                                        : "The keys of the table's cells, bucket by bucket, those of the stash last; "
                                          "whether there is one, its row id says."));
  regions_.push_back(
      {"moves",
       "move counters",
       "counter",
       "moves",
       "Keys share a word by a hash. Twice how often one of them was moved to another home, so that who searched "
       "meanwhile looks again; and one, while an insert makes room for one of them.",
       table_.moves,
       4,
       {{"moves", 0, 4, field_kind::other}},
       {}});
  regions_.push_back({"counters",
                      "counters",
                      "counter",
                      "counters",
                      "How many entries went into the stash, and how many inserts found no room.",
                      cuckoo_counters,
                      4,
                      {{"count", 0, 4, field_kind::other}},
                      {}});
  if (!aos) regions_.push_back(row_ids_region(cells()));
}

cell_info cuckoo_model::describe(region_id region, u64 cell) const {
  return {.empty = cell >= regions_[number_of(region)].cells};
}

std::string cuckoo_model::words_of(cell_ref at, const region_reader& read) const {
  if (at.region != cuckoo_region::moves && at.region != cuckoo_region::counters) return {};
  std::byte bytes[4];
  if (at.cell >= regions_[number_of(at.region)].cells || !read(at.region, at.cell * 4, bytes)) return {};
  u32 number = 0;
  std::memcpy(&number, bytes, 4);
  if (at.region == cuckoo_region::moves) return moves_words(number);
  return fmt::format("{} {}", number, at.cell == counter_stashed ? "stashed" : "refused");
}

void cuckoo_model::count_levels(region_id region, u64 first, u64 end, u64* out) const {
  const u64 all = regions_[number_of(region)].cells;
  std::fill(out, out + max_levels, 0);
  out[0] = std::min(end, all) - std::min(first, all);
}

std::vector<tree_node> cuckoo_model::nodes() const {
  std::vector<tree_node> list;
  list.reserve(buckets());
  for (u64 b = 0; b < buckets(); ++b) {
    const double middle = (static_cast<double>(b) + 0.5) / static_cast<double>(buckets());
    list.push_back({.first = b * config_.bucket, .cells = config_.bucket, .middle = middle, .id = b});
  }
  return list;
}

std::optional<probe_windows> cuckoo_model::windows() const {
  return probe_windows{
      buckets(), config_.bucket,
      fmt::format("{} of the key lead to its homes: a search goes from one to the next while they are full{}.",
                  config_.homes == 1 ? "One hash" : fmt::format("{} hashes", config_.homes),
                  config_.stash == 0 ? "" : ", and then to a bucket of the stash, which lies behind the others")};
}

std::vector<u64> cuckoo_model::probe_path(u64 key, u32 most) const {
  std::vector<u64> path;
  const auto follow = [&](auto of_width) {
    for (u32 i = 0; i < config_.homes; ++i) path.push_back(home_of(of_width, i, table_));
    if (config_.stash > 0) path.push_back(stash_of(of_width, config_.stash, table_));
  };
  config_.keys == key_width::u32 ? follow(static_cast<u32>(key)) : follow(key);
  path.resize(std::min<std::size_t>(path.size(), most));
  return path;
}

std::optional<fill_parts> cuckoo_model::fill() const {
  fill_parts parts;
  parts.name = "bucket";
  parts.meaning = fmt::format(
      "A key goes into the first of its {} homes that has an empty cell, and where all are full an entry there moves "
      "to another of its own. The "
      "load of the whole table is {} of 100 at most; the last buckets are those of the stash.",
      config_.homes, config_.load);
  parts.unit = "taken cell", parts.units = "taken cells";
  parts.count = buckets(), parts.room = config_.bucket;
  parts.cells = config_.bucket;
  parts.kinds = {{"bucket", "Cells that hold an entry, or one that was erased."}};
  return parts;
}

bool cuckoo_model::fills_of(u64 first, const region_reader& read, std::span<part_fill> out) const {
  std::vector<cell_value> values(out.size() * config_.bucket);
  if (!values_of({main_region, first * config_.bucket, values.size()}, read, values)) return false;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = {taken_cells(std::span(values).subspan(i * config_.bucket, config_.bucket)), 0};
  return true;
}

std::string cuckoo_model::part_words(u64 part, const region_reader& read) const {
  std::vector<cell_value> values(config_.bucket);
  if (!values_of({main_region, part * config_.bucket, values.size()}, read, values)) return {};
  return fmt::format("{}ells {} to {}{}.", part < table_.buckets ? "C" : "A bucket of the stash: c",
                     part * config_.bucket, (part + 1) * config_.bucket - 1, erased_of_them(values));
}

std::optional<latch_in_word> cuckoo_model::latch_in(region_id region, u64 byte, u64 bytes) const {
  if (region != cuckoo_region::moves) return claim_in(*this, region, byte, bytes);
  const u64 word = byte / sizeof(u32);
  return latch_in_word{{region, word}, cuckoo::latch_bit, fmt::format("the keys of counter {}", word)};
}

std::string cuckoo_model::field_words(cell_ref at, const cell_field&, u64 value) const {
  if (at.region != cuckoo_region::moves) return "";
  return fmt::format("{}{}", value / cuckoo::a_move, (value & cuckoo::latch_bit) != 0 ? ", latched" : "");
}

std::vector<index_region> cuckoo_model::region_list() const { return as_index_regions(regions_); }

}  // namespace pivotscope
