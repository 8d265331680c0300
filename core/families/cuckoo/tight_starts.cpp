#include "core/families/cuckoo/tight_starts.hpp"

#include <algorithm>
#include <optional>

#include "core/families/cuckoo/cuckoo_model.hpp"

namespace pivotscope {
namespace {

constexpr u64 most_cells = 256;  // every schedule begins with a copy of the table
constexpr u64 most_tried = 4000;

// A table by the number of keys that it is built from, and what its homes are.
struct planned_homes {
  cuckoo_config config;
  u64 keys;
  cuckoo_view table;

  u32 home(u64 key, u32 i) const {
    return config.keys == key_width::u32 ? home_of(static_cast<u32>(key), i, table) : home_of(key, i, table);
  }
  u32 another(u64 key, u32 bucket, u32 chance) const {
    return config.keys == key_width::u32 ? another_home(config.homes, table, static_cast<u32>(key), bucket, chance)
                                         : another_home(config.homes, table, key, bucket, chance);
  }
  u32 chance(u64 key) const {
    return config.keys == key_width::u32 ? first_chance(static_cast<u32>(key), 0) : first_chance(key, 0);
  }
  bool has_distinct_homes(u64 key) const {
    for (u32 i = 0; i < config.homes; ++i)
      for (u32 j = 0; j < i; ++j)
        if (home(key, i) == home(key, j)) return false;
    return true;
  }
};

// A key whose homes are full of keys that have their first home there, and the entries that will move for it.
struct full_homes {
  u64 key;
  std::vector<u64> fillers;  // home by home
  std::vector<u64> moved;
};

std::optional<full_homes> fill_homes(const planned_homes& t, u64 key) {
  if (!t.has_distinct_homes(key)) return std::nullopt;
  const u32 cells = t.config.bucket, homes = t.config.homes;
  full_homes full{key, {}, {}};
  for (u32 i = 0; i < homes; ++i) {
    u32 found = 0;
    for (u64 other = 1; found < cells; ++other) {
      if (other == key || t.home(other, 0) != t.home(key, i)) continue;
      full.fillers.push_back(other), ++found;
    }
  }
  // As insert_by_eviction goes.
  u32 chance = next_chance(t.chance(key)), bucket = t.home(key, chance % homes);
  for (u32 entries = 0; entries < 3; ++entries) {
    chance = next_chance(chance);
    u32 at = homes;
    for (u32 i = 0; i < homes; ++i)
      if (t.home(key, i) == bucket) at = i;
    if (at == homes) return full;  // here is room
    full.moved.push_back(full.fillers[at * cells + chance % cells]);
    const u32 next = t.another(full.moved.back(), bucket, chance >> 8);
    if (next == bucket) return std::nullopt;
    bucket = next;
  }
  return std::nullopt;
}

// The first key for which so many entries move.
std::optional<full_homes> first_that_moves(const planned_homes& t, std::size_t entries) {
  for (u64 key = 1; key <= most_tried; ++key) {
    auto full = fill_homes(t, key);
    if (full && full->moved.size() == entries) return full;
  }
  return std::nullopt;
}

// Built from these, and from as many others as the table is planned for, whose first home is elsewhere.
std::vector<u64> built_from(const planned_homes& t, const full_homes& full, std::initializer_list<u64> left_out) {
  std::vector<u64> keys = full.fillers, taken(t.table.buckets, 0);
  for (u64 other = 1; keys.size() < t.keys && other <= most_tried; ++other) {
    const u32 first = t.home(other, 0);
    bool elsewhere =
        other != full.key && std::ranges::find(left_out, other) == left_out.end() && taken[first] + 1 < t.config.bucket;
    for (u32 i = 0; i < t.config.homes; ++i) elsewhere = elsewhere && first != t.home(full.key, i);
    if (elsewhere) keys.push_back(other), ++taken[first];
  }
  return keys;
}

// The smallest table built from so many keys or more that has so many buckets.
std::optional<planned_homes> plan(const cuckoo_config& config, u64 keys, u32 buckets) {
  for (;; ++keys) {
    const planned_homes t{config, keys, cuckoo_table(cuckoo_buckets(config, keys), 0)};
    if (u64{t.table.buckets} * config.bucket > most_cells) return std::nullopt;
    if (t.table.buckets >= buckets) return t;
  }
}

// All homes of a key are full. In one of them another lies whose first home is full, too: it moves back there, and an entry there to one
// that has room. A search for it that came by its first home before, and by the other after, has missed it.
std::optional<tight_start> moves_back(const cuckoo_config& config) {
  const u32 cells = config.bucket, homes = config.homes;
  const auto t = plan(config, u64{homes + 1} * cells - 1, homes + 2);
  if (!t) return std::nullopt;
  for (u64 key = 1; key <= most_tried; ++key) {
    if (!t->has_distinct_homes(key)) continue;
    const u32 first = next_chance(t->chance(key)), second = next_chance(first), third = next_chance(second);
    if (second % cells != cells - 1) continue;  // where the one that is inserted last lies
    const u32 bucket = t->home(key, first % homes);
    std::vector<u32> full;
    for (u32 i = 0; i < homes; ++i) full.push_back(t->home(key, i));
    const auto is_full = [&](u32 b) { return std::ranges::find(full, b) != full.end(); };
    for (u64 back = 1; back <= most_tried; ++back) {
      const u32 home = t->home(back, 0);
      if (back == key || is_full(home) || t->home(back, 1) != bucket || t->another(back, bucket, second >> 8) != home)
        continue;
      full.push_back(home);
      tight_start start{
          "all homes are full, and an entry has to move back", {}, {{operation::insert, back}}, {key, back}};
      for (const u32 b : full) {
        u32 room = b == bucket ? cells - 1 : cells;
        for (u64 other = 1; room > 0; ++other)
          if (other != key && other != back && t->home(other, 0) == b) start.keys.push_back(other), --room;
      }
      const u64 on = start.keys[start.keys.size() - cells + third % cells];
      const bool has_room = !is_full(t->another(on, home, third >> 8));
      start.next.push_back(on);
      full.pop_back();
      if (!has_room) continue;
      std::vector<u32> taken(t->table.buckets, 0);
      for (u64 other = 1; start.keys.size() < t->keys && other <= most_tried; ++other) {
        const u32 b = t->home(other, 0);
        if (other == key || other == back || is_full(b) || b == home || taken[b] + 1 >= cells) continue;
        start.keys.push_back(other), ++taken[b];
      }
      if (start.keys.size() == t->keys) return start;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<tight_start> tight_homes(const cuckoo_config& config) {
  std::vector<tight_start> list;
  if (config.homes < 2 || config.room > 0) return list;
  // As small as possible, with a bucket or two beside a key's homes.
  const u64 fillers = u64{config.homes} * config.bucket;
  const auto planned = plan(config, fillers, config.homes + 1);
  if (!planned) return list;
  const planned_homes& t = *planned;
  const auto add = [&](const char* name, std::size_t entries) {
    const auto full = first_that_moves(t, entries);
    if (!full) return;
    u64 second = full->key + 1;
    while (std::ranges::find(full->fillers, second) != full->fillers.end() || t.home(second, 0) != t.home(full->key, 0))
      ++second;
    tight_start start{name, built_from(t, *full, {second}), {}, {full->key, second}};
    if (start.keys.size() != t.keys) return;
    start.next.insert(start.next.end(), full->moved.begin(), full->moved.end());
    list.push_back(std::move(start));
  };
  add("all homes are full, and an entry can move", 1);
  add("all homes are full, and two entries have to move", 2);
  if (const auto full = first_that_moves(t, 1)) {
    tight_start start{"all homes are full, and an entry of one is erased",
                      built_from(t, *full, {}),
                      {},
                      {full->key, full->fillers.back()}};
    start.before.emplace_back(operation::erase, full->fillers.back());
    if (start.keys.size() == t.keys) list.push_back(std::move(start));
  }
  if (auto start = moves_back(config)) list.push_back(std::move(*start));
  return list;
}

}  // namespace pivotscope
