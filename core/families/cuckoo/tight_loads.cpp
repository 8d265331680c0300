#include <algorithm>
#include <optional>

#include "core/families/cuckoo/cuckoo_model.hpp"
#include "core/families/cuckoo/tight_starts.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_cells = 256;  // every schedule begins with a copy of the table
constexpr u64 most_tried = 4000, most_keys_tried = 200;

// A table that is filled key by key, as by_load.hpp does it; the stash is not filled.
class filled_table {
 public:
  filled_table(const cuckoo_config& config, u64 keys)
      : config_(config), view_(cuckoo_table(config, cuckoo_buckets(config, keys), 0)), taken_(view_.buckets) {}

  u32 home(u64 key, u32 i) const {
    return config_.keys == key_width::u32 ? home_of(static_cast<u32>(key), i, view_) : home_of(key, i, view_);
  }
  bool has_distinct_homes(u64 key) const {
    for (u32 i = 0; i < config_.homes; ++i)
      for (u32 j = 0; j < i; ++j)
        if (home(key, i) == home(key, j)) return false;
    return true;
  }
  u32 taken(u32 bucket) const { return taken_[bucket]; }
  u32 buckets() const { return view_.buckets; }
  // The bucket that the key would go into; nothing: all are full.
  std::optional<u32> target(u64 key) const {
    const bool iceberg = config_.placement == cuckoo_placement::iceberg;
    const u32 first = home(key, 0);
    if (iceberg && taken_[first] < threshold(config_)) return first;
    std::optional<u32> lightest;
    for (u32 i = iceberg ? 1 : 0; i < config_.homes; ++i)
      if (const u32 b = home(key, i); taken_[b] < (lightest ? taken_[*lightest] : config_.bucket)) lightest = b;
    if (!lightest && taken_[first] < config_.bucket) return first;
    return lightest;
  }
  bool has(u64 key) const { return std::ranges::find(keys_, key) != keys_.end(); }
  void put(u64 key) { ++taken_[*target(key)], keys_.push_back(key); }
  const std::vector<u64>& keys() const { return keys_; }

 private:
  cuckoo_config config_;
  cuckoo_view view_;
  std::vector<u32> taken_;
  std::vector<u64> keys_;
};

// How many cells are to be taken in each home of the key that comes next.
using wanted_loads = std::vector<u32>;

// The table that is built of so many keys, with these loads in the homes of `key`; nothing if the keys do not fall so.
std::optional<filled_table> filled_for(const cuckoo_config& config, u64 keys, u64 key, const wanted_loads& wanted) {
  filled_table table(config, keys);
  if (!table.has_distinct_homes(key)) return std::nullopt;
  const auto room_in = [&](u32 bucket) {
    for (u32 i = 0; i < config.homes; ++i)
      if (table.home(key, i) == bucket) return wanted[i] - table.taken(bucket);
    return 0u;
  };
  u64 missing = 0;
  for (const u32 load : wanted) missing += load;
  // Again and again: which home a key falls into depends on those that came before.
  for (u64 before = ~u64{0}; missing > 0 && missing < before;) {
    before = missing;
    for (u64 other = 1; missing > 0 && other <= most_tried; ++other) {
      if (other == key || table.has(other)) continue;
      if (const auto to = table.target(other); to && room_in(*to) > 0) table.put(other), --missing;
    }
  }
  if (missing > 0) return std::nullopt;
  // The others elsewhere.
  for (u64 other = 1; table.keys().size() < keys && other <= most_tried; ++other) {
    if (other == key || table.has(other)) continue;
    const auto to = table.target(other);
    bool elsewhere = to && table.taken(*to) + 1 < config.bucket;
    for (u32 i = 0; elsewhere && i < config.homes; ++i) elsewhere = *to != table.home(key, i);
    if (elsewhere) table.put(other);
  }
  if (table.keys().size() != keys) return std::nullopt;
  return table;
}

// The smallest number of keys, from `keys` on, of which a table of so many buckets is built.
std::optional<u64> keys_for(const cuckoo_config& config, u64 keys, u32 buckets) {
  while (cuckoo_buckets(config, keys) < buckets) ++keys;
  if (u64{cuckoo_buckets(config, keys)} * config.bucket > most_cells) return std::nullopt;
  return keys;
}

std::optional<tight_start> with_loads(const cuckoo_config& config, const char* name, const wanted_loads& wanted) {
  u64 fillers = 0;
  for (const u32 load : wanted) fillers += load;
  const auto keys = keys_for(config, fillers, config.homes + 2);
  if (!keys) return std::nullopt;
  for (u64 key = 1; key <= most_keys_tried; ++key) {
    const auto table = filled_for(config, *keys, key, wanted);
    if (!table) continue;
    // Another one that goes into the same cell.
    for (u64 second = 1; second <= most_tried; ++second) {
      if (second == key || table->has(second) || table->target(second) != table->target(key)) continue;
      return tight_start{name, table->keys(), {}, {key, second}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<tight_start> tight_loads(const cuckoo_config& config) {
  std::vector<tight_start> list;
  if (config.homes < 2 || config.room > 0) return list;
  const auto add = [&](const char* name, const wanted_loads& wanted) {
    auto start = with_loads(config, name, wanted);
    if (!start) return false;
    list.push_back(std::move(*start));
    return true;
  };
  const u32 homes = config.homes, all = config.bucket, most = threshold(config);
  const bool iceberg = config.placement == cuckoo_placement::iceberg;
  // Homes with as many taken cells as a bucket has on average, or fewer where the other keys then find room. first: of home 0.
  const auto add_equal = [&](const char* name, std::optional<u32> first) {
    for (u32 load = std::clamp(all * config.load / 100, 1u, all - 1); load > 0; --load) {
      wanted_loads loads(homes, load);
      if (first) loads[0] = *first;
      if (add(name, loads)) return;
    }
  };
  wanted_loads full(homes, all);
  if (iceberg) {
    add_equal("the first home is one short of its threshold", most - 1);
    add_equal("the first home is at its threshold, and the others have as many taken cells", most);
    full[0] = most;
    add("all homes but the first are full", full);
    full[0] = all;
  } else {
    add_equal("all homes have as many taken cells", std::nullopt);
  }
  --full[homes - 1];
  add("the last home is one short of full, and the others are full", full);
  if (config.stash > 0) add("all homes are full", wanted_loads(homes, all));
  return list;
}

}  // namespace pivotscope
