#include "core/families/cuckoo/cuckoo_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/index/rank.hpp"
#include "core/index/row_cells_model.hpp"

namespace pivotscope {
namespace {

// Calls f with the key in its own width: hash functions differ by it.
template <class F>
auto in_width(key_width width, u64 key, F&& f) {
  return width == key_width::u32 ? f(static_cast<u32>(key)) : f(key);
}
void add_once(std::vector<u64>& list, u64 bucket) {
  if (std::ranges::find(list, bucket) == list.end()) list.push_back(bucket);
}

}  // namespace

u32 cuckoo_buckets(const cuckoo_config& config, u64 keys) {
  const u64 cells = ceil_div<u64>(std::max<u64>(keys, config.room) * 100, config.load);
  return static_cast<u32>(std::max<u64>(1, ceil_div<u64>(cells, config.bucket)));
}

u32 greatest_load(const cuckoo_config& config) {
  // By placement, by homes, and by buckets of 1, 2, 4, 8, 16 and 32 cells.
  constexpr u32 loads[3][most_homes][6] = {
      {{0, 0, 0, 0, 10, 30}, {45, 80, 93, 97, 98, 98}, {86, 95, 98, 98, 99, 99}, {92, 97, 98, 99, 99, 99}},
      {{0, 0, 0, 0, 0, 0}, {0, 0, 33, 64, 81, 90}, {0, 15, 54, 77, 87, 93}, {0, 25, 61, 82, 90, 94}},
      {{0, 0, 0, 0, 0, 0}, {0, 0, 10, 36, 55, 73}, {0, 14, 37, 66, 83, 92}, {0, 24, 50, 76, 88, 93}}};
  u32 power = 0;
  while ((2u << power) <= config.bucket && power < 5) ++power;
  return loads[static_cast<u32>(config.placement)][std::clamp(config.homes, 1u, most_homes) - 1][power];
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
cuckoo_view cuckoo_table(const cuckoo_config& config, u32 buckets, u32 seed) {
  if (evicts(config)) return cuckoo_table(buckets, seed);
  // Each new key takes a latch, so of these there are more; still they stay in L2.
  constexpr u64 cells_a_word = 16, most_words = 1 << 20;
  const u64 words = std::min(most_words, ceil_div(u64{buckets} * config.bucket, cells_a_word));
  return {.buckets = buckets, .moves = ceil_pow2(static_cast<u32>(words)), .seed = seed};
}

namespace {

std::string moves_words(u64 word, const cuckoo_config& config) {
  const u64 count = word / cuckoo::a_move;
  const std::string what = evicts(config) ? fmt::format("move{}", count == 1 ? "" : "s") : "came in";
  return fmt::format("{} {}{}", count, what, (word & cuckoo::latch_bit) != 0 ? ", latched" : "");
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
       evicts(config) ? "Keys share a word by a hash. Twice how often one of them was moved to another home, so that "
                        "who searched meanwhile looks again; and one, while an insert makes room for one of them."
                      : "Keys share a word by a hash. Twice how many of them came in, so that who found a key absent "
                        "knows whether it still is; and one, while one of them comes in.",
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
  if (at.region == cuckoo_region::moves) return moves_words(number, config_);
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
      fmt::format("{} of the key lead to its homes: a search goes from one to the next while they are {}{}.",
                  config_.homes == 1 ? "One hash" : fmt::format("{} hashes", config_.homes), passed_words(),
                  config_.stash == 0 ? "" : ", and then to a bucket of the stash, which lies behind the others")};
}

// What the homes are that a search goes on from.
std::string cuckoo_model::passed_words() const {
  if (evicts(config_)) return "full";
  if (config_.placement == cuckoo_placement::lighter) return "not empty";
  return fmt::format("not empty, of the first one with {} or more taken cells", threshold(config_));
}
std::string cuckoo_model::placed_words() const {
  if (evicts(config_))
    return fmt::format(
        "A key goes into the first of its {} homes that has an empty cell, and where all are full an entry there moves "
        "to another of its own. ",
        config_.homes);
  if (config_.placement == cuckoo_placement::lighter)
    return fmt::format("A key goes into that of its {} homes with the fewest taken cells. ", config_.homes);
  return fmt::format(
      "A key goes into the first of its {} homes until {} cells there are taken, and then into that of the others with "
      "the fewest taken cells. ",
      config_.homes, threshold(config_));
}

std::vector<u64> cuckoo_model::probe_path(u64 key, u32 most) const {
  std::vector<u64> path;
  in_width(config_.keys, key, [&](auto of_width) {
    for (u32 i = 0; i < config_.homes; ++i) path.push_back(home_of(of_width, i, table_));
    if (config_.stash > 0) path.push_back(stash_of(of_width, config_.stash, table_));
  });
  path.resize(std::min<std::size_t>(path.size(), most));
  return path;
}

std::vector<u64> cuckoo_model::homes_of_key(u64 key) const {
  std::vector<u64> homes;
  in_width(config_.keys, key, [&](auto of_width) {
    for (u32 i = 0; i < config_.homes; ++i) add_once(homes, home_of(of_width, i, table_));
  });
  return homes;
}

std::optional<u64> cuckoo_model::stash_of_key(u64 key) const {
  if (config_.stash == 0) return std::nullopt;
  return in_width(config_.keys, key, [&](auto of_width) { return u64{stash_of(of_width, config_.stash, table_)}; });
}

std::vector<u64> cuckoo_model::moves_of_key(u64 key, u64 bucket) const {
  std::vector<u64> moves;
  if (!evicts(config_)) return moves;
  const std::vector<u64> homes = homes_of_key(key);
  if (std::ranges::find(homes, bucket) == homes.end()) return moves;
  // another_home() looks at a chance modulo 2, and at its half modulo the homes before the bucket, 3 at most.
  constexpr u32 all_chances = 2 * 6;
  in_width(config_.keys, key, [&](auto of_width) {
    for (u32 chance = 0; chance < all_chances; ++chance) {
      const u32 to = another_home(config_.homes, table_, of_width, static_cast<u32>(bucket), chance);
      if (to != bucket) add_once(moves, to);
    }
  });
  return moves;
}

std::optional<fill_parts> cuckoo_model::fill() const {
  fill_parts parts;
  parts.name = "bucket";
  parts.meaning =
      fmt::format("{}The load of the whole table is {} of 100 at most; the last buckets are those of the stash.",
                  placed_words(), config_.load);
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
