#include "core/families/buckets/tight_starts.hpp"

#include <algorithm>
#include <optional>

#include "core/families/buckets/pool_size.hpp"
#include "core/families/buckets/slab.hpp"

namespace pivotscope {
namespace {

// Every schedule begins with a copy of the table.
constexpr u64 most_cells = 512;

// A table by the number of keys that it is built from.
struct planned_table {
  buckets_config config;
  u64 keys;
  buckets_view table;

  u32 bucket(u64 key) const {
    return config.keys == key_width::u32 ? bucket_of(static_cast<u32>(key), table) : bucket_of(key, table);
  }
  // The first keys, from 1 on, of a bucket.
  std::vector<u64> keys_of(u32 wanted, u64 count) const {
    std::vector<u64> list;
    for (u64 key = 1; list.size() < count; ++key)
      if (bucket(key) == wanted) list.push_back(key);
    return list;
  }
};

// Returns the smallest table of two buckets or more, built from so many keys or more; nothing if it is large.
std::optional<planned_table> plan(const buckets_config& config, u64 keys) {
  for (;; ++keys) {
    planned_table t{config, keys, {.buckets = buckets_for(config, keys)}};
    const u64 slabs = t.table.buckets + slabs_likely(config, t.table.buckets, std::max<u64>(keys, config.room));
    if (slabs * config.slab > most_cells) return std::nullopt;
    if (t.table.buckets >= 2) return t;
  }
}

// A start whose first bucket gets `count` entries, and meets its next two keys then.
tight_start filled(const char* name, const planned_table& t, u64 count) {
  const std::vector<u64> keys = t.keys_of(0, count + 2);
  tight_start start{name, {}, {}, {keys.end() - 2, keys.end()}};
  const u64 built = std::min(count, t.keys);
  start.keys.assign(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(built));
  for (u64 i = built; i < count; ++i) start.before.emplace_back(operation::insert, keys[i]);
  // The other buckets share what else the table is built from.
  for (u64 key = 1; start.keys.size() < t.keys; ++key)
    if (t.bucket(key) != 0) start.keys.push_back(key);
  return start;
}

}  // namespace

std::vector<tight_start> tight_chains(const buckets_config& config) {
  std::vector<tight_start> list;
  const u64 slots = link_cell(config);
  const auto table = plan(config, 1);
  if (!table) return list;
  list.push_back(filled("one cell of the first slab is free", *table, slots - 1));
  list.push_back(filled("the first slab is full, and its chain ends", *table, slots));
  list.push_back(filled("the first slab is full, and the next one has an entry", *table, slots + 1));
  list.push_back(filled("the first slab is full, one of its entries erased", *table, slots));
  list.back().before.emplace_back(operation::erase, table->keys_of(0, 1).front());
  list.back().next = {list.back().next.front(), table->keys_of(0, 1).front()};
  if (config.grow == pool_growth::on) return list;
  // A pool that has slabs for what it was built from alone.
  const u64 in_pool = slabs_likely(config, table->table.buckets, std::max<u64>(table->keys, config.room));
  list.push_back(filled("the chain is full, and no slab is free", *table, slots * (1 + in_pool)));
  return list;
}

}  // namespace pivotscope
