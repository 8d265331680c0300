#include "core/families/gph/tight_starts.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "core/families/gph/planned_table.hpp"

namespace pivotscope {
namespace {

constexpr u64 usual_slots = 128;  // so that half of the slots are beyond a cell's buckets
constexpr u64 most_slots = 272;   // every schedule begins with a copy of the table
constexpr u64 most_tried = 6000;
constexpr u64 most_own = 3;     // keys of a cell that moves
constexpr u32 most_cells = 12;  // among which two are looked for

u64 slots_of(const gph_view& table, const gph_config& config) {
  return u64{table.buckets + table.spill} * config.bucket;
}

// Each bucket's number among those that cells lead to at first, but for cells with few keys: only such buckets fill.
std::vector<u32> numbers_of_buckets(const gph_config& config, const gph_view& table,
                                    std::initializer_list<u32> few_of) {
  std::vector<bool> fills(table.buckets, false);
  for (u32 cell = 0; cell < table.cells; ++cell)
    for (u32 p = 0; p < config.virtuals && std::ranges::find(few_of, cell) == few_of.end(); ++p)
      fills[bucket_at(cell, p, 0, config.virtuals, table)] = true;
  std::vector<u32> numbers(table.buckets, table.buckets);
  u32 number = 0;
  for (u32 bucket = 0; bucket < table.buckets; ++bucket)
    if (fills[bucket]) numbers[bucket] = number++;
  return numbers;
}

// A table of so many keys, which all find room in the first phase: full buckets as far as the keys reach, the others empty. Of some
// cells there are few keys.
std::optional<planned_table> full_buckets(const gph_config& config, u64 keys, std::initializer_list<u32> few_of) {
  planned_table table(config, gph_buckets(config, keys));
  if (slots_of(table.view(), config) > most_slots) return std::nullopt;
  const std::vector<u32> numbers = numbers_of_buckets(config, table.view(), few_of);
  std::vector<u64> own(table.view().cells, 0);
  for (u64 key = 1; table.all().size() < keys && key <= most_tried; ++key) {
    const u32 home = table.home(key), cell = table.place(key).cell;
    if (table.is_full(home) || numbers[home] > keys / config.bucket) continue;
    if (std::ranges::find(few_of, cell) != few_of.end() && ++own[cell] > most_own) continue;
    table.insert(key);
  }
  return table.all().size() == keys ? std::optional(std::move(table)) : std::nullopt;
}

// A key of the cell that is not there and whose bucket is full, from `from` on.
std::optional<u64> overflowing(const planned_table& table, u32 cell, u64 from) {
  for (u64 key = from; key <= most_tried; ++key)
    if (table.place(key).cell == cell && table.is_full(table.home(key)) && !table.has(key)) return key;
  return std::nullopt;
}

bool is_move(way_in way) { return way == way_in::by_offset || way == way_in::by_mapping; }

constexpr std::size_t starts_of_a_cell = 5;

// Starts of one cell that moves, each kind once.
void add_starts_of(const planned_table& table, u32 cell, std::vector<tight_start>& list) {
  const auto has = [&](const char* name) {
    return std::ranges::any_of(list, [&](const tight_start& s) { return s.name == name; });
  };
  auto key = overflowing(table, cell, 1);
  for (; key && list.size() < starts_of_a_cell; key = overflowing(table, cell, *key + 1)) {
    const way_in way = table.way_of(*key);
    const char* const name =
        way == way_in::by_offset    ? "its bucket is full, and another offset has room for its cell's keys"
        : way == way_in::by_mapping ? "its bucket is full, and another mapping has room for its cell's keys"
                                    : "its bucket is full, and no mapping has room for its cell's keys";
    if (has(name)) continue;
    const std::vector<u64> own = table.of_cell(cell);
    if (own.empty()) continue;
    // With it meet: another new key of its cell; one of another cell, and the same bucket; and a key that moves.
    tight_start start{name, table.all(), {}, {*key}};
    if (const auto same_cell = overflowing(table, cell, *key + 1)) start.next.push_back(*same_cell);
    for (u64 other = 1; other <= most_tried; ++other) {
      if (table.home(other) != table.home(*key) || table.place(other).cell == cell || table.has(other)) continue;
      start.next.push_back(other);
      break;
    }
    start.next.push_back(own.front());
    if (start.next.size() < 2) continue;
    list.push_back(start);
    if (is_move(way) || has("its bucket is full, and one of its entries is erased")) continue;
    u64 erased = 0;
    for (const u64 other : table.all())
      if (table.home(other) == table.home(*key) && table.place(other).cell != cell) erased = other;
    if (erased == 0) continue;
    start.name = "its bucket is full, and one of its entries is erased";
    start.before.emplace_back(operation::erase, erased);
    start.next.back() = erased;
    list.push_back(start);
    // Built with that key there is a cell of which some are in the spill.
    const auto next = overflowing(table, cell, *key + 1);
    if (!next) continue;
    tight_start spilled{"some keys of its cell are in the spill", table.all(), {}, {*next, *key, own.front()}};
    spilled.keys.push_back(*key);
    for (auto at = spilled.keys.begin(); at != spilled.keys.end(); ++at)
      if (table.home(*at) != table.home(*key) && table.place(*at).cell != cell) {
        spilled.keys.erase(at);  // as many as planned
        break;
      }
    list.push_back(spilled);
  }
}

// A key that takes a bucket's last slot when its cell moves to make room for it.
struct last_taker {
  u64 key;
  u32 bucket;
};
std::vector<last_taker> last_takers(const planned_table& table, u32 cell) {
  constexpr u32 most_keys = 60;
  std::vector<last_taker> list;
  auto key = overflowing(table, cell, 1);
  for (u32 i = 0; key && i < most_keys; ++i, key = overflowing(table, cell, *key + 1)) {
    planned_table moved = table;
    if (is_move(moved.insert(*key)) && moved.is_full(moved.home(*key))) list.push_back({*key, moved.home(*key)});
  }
  return list;
}

// Two cells that would each move, for keys that want the same last slot: who comes second finds its value taken, and another.
std::optional<tight_start> one_last_slot(const gph_config& config, u64 planned) {
  // All slots of full buckets but one.
  const u64 keys = planned / config.bucket * config.bucket - 1;
  const u32 cells = std::min(most_cells, gph_table(config, gph_buckets(config, keys), 0).cells);
  for (u32 first = 0; first < cells; ++first) {
    for (u32 second = first + 1; second < cells; ++second) {
      const auto table = full_buckets(config, keys, {first, second});
      if (!table || table->of_cell(first).empty() || table->of_cell(second).empty()) continue;
      const std::vector<last_taker> others = last_takers(*table, second);
      for (const last_taker& one : last_takers(*table, first)) {
        for (const last_taker& other : others) {
          if (one.bucket != other.bucket) continue;
          planned_table in_order = *table, reversed = *table;
          in_order.insert(one.key), reversed.insert(other.key);
          if (!is_move(in_order.insert(other.key)) || !is_move(reversed.insert(one.key))) continue;
          return tight_start{"its bucket is full, and another cell wants the same last slot",
                             table->all(),
                             {},
                             {one.key, other.key, table->of_cell(first).front()}};
        }
      }
    }
  }
  return std::nullopt;
}

// The spill, filled by keys of two cells: some of each are in it, and by more of the first one's it becomes tight.
// takes(table, key): may the key be among these? is_tight(table): is it full enough?
template <class Takes, class IsTight>
std::optional<tight_start> filled_by(const gph_config& config, planned_table table, u32 first, u32 second,
                                     Takes&& takes, IsTight&& is_tight) {
  tight_start start{"", table.all(), {}, {}};
  const auto fill = [&](u64 key) {
    table.insert(key);
    start.before.emplace_back(operation::insert, key);
  };
  for (const u32 cell : {first, second}) {
    auto key = overflowing(table, cell, 1);
    while (key && table.way_of(*key) != way_in::by_last_mapping) key = overflowing(table, cell, *key + 1);
    if (!key) return std::nullopt;
    fill(*key);
  }
  // Whose bucket is full, so that it goes into the spill at once.
  const auto next_of = [&](u32 cell) {
    auto key = overflowing(table, cell, 1);
    while (key && !takes(table, *key)) key = overflowing(table, cell, *key + 1);
    return key;
  };
  while (!is_tight(table) && table.spilled() < table.most_spilled()) {
    const auto key = next_of(first);
    if (!key) return std::nullopt;
    fill(*key);
  }
  for (const u32 cell : {first, second})
    if (const auto key = next_of(cell)) start.next.push_back(*key);
  const u64 slots = u64{table.view().buckets} * config.bucket, live = table.all().size() + start.next.size();
  const bool grows = live * 100 > slots * std::min(most_gph_load, config.load + config.load / 8);
  return start.next.size() == 2 && is_tight(table) && !grows ? std::optional(std::move(start)) : std::nullopt;
}
template <class Takes, class IsTight>
std::optional<tight_start> filled_spill(const gph_config& config, const char* name, u64 planned, Takes&& takes,
                                        IsTight&& is_tight) {
  const u32 cells = std::min(most_cells, gph_table(config, gph_buckets(config, planned), 0).cells);
  for (u32 first = 0; first < cells; ++first) {
    for (u32 second = first + 1; second < cells; ++second) {
      const auto table = full_buckets(config, planned, {first, second});
      if (!table) continue;
      auto start = filled_by(config, *table, first, second, takes, is_tight);
      if (!start) continue;
      start->name = name;
      return start;
    }
  }
  return std::nullopt;
}

std::optional<tight_start> last_slot_of_spill(const gph_config& config, u64 planned) {
  return filled_spill(
      config, "one slot of the spill is left", planned, [](const planned_table&, u64) { return true; },
      [](const planned_table& table) { return table.spilled() + 1 == table.most_spilled(); });
}

// A spill of two buckets, of which the first is full: what belongs there goes on to the second.
std::optional<tight_start> full_bucket_of_spill(const gph_config& config) {
  u64 planned = 1;
  while (gph_table(config, gph_buckets(config, planned), 0).spill < 2) ++planned;
  return filled_spill(
      config, "its bucket of the spill is full", planned,
      [](const planned_table& table, u64 key) { return table.spill(key) == table.view().buckets; },
      [](const planned_table& table) {
        return table.is_full(table.view().buckets) && table.spilled() < table.most_spilled();
      });
}

}  // namespace

std::vector<tight_start> tight_cells(const gph_config& config) {
  std::vector<tight_start> list;
  if (!is_perfect(config) || config.room > 0) return list;
  const u64 keys = usual_slots * config.load / 100;
  const u32 cells = gph_table(config, gph_buckets(config, keys), 0).cells;
  for (u32 cell = 0; cell < cells; ++cell) {
    const auto table = full_buckets(config, keys, {cell});
    if (table) add_starts_of(*table, cell, list);
  }
  // Where cells move while others do, and inserts go into the spill at once.
  if (config.phases != gph_phases::one) return list;
  for (auto start : {one_last_slot(config, keys), last_slot_of_spill(config, keys), full_bucket_of_spill(config)})
    if (start) list.push_back(std::move(*start));
  return list;
}

}  // namespace pivotscope
